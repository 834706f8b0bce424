import { Context, type Effect, Schema } from "effect"

/** The documents are not where they came with this leap. */
export class HelpPagesError extends Schema.TaggedError<HelpPagesError>()("HelpPagesError", { why: Schema.String }) {
  override get message() {
    return `leap's documents cannot be read (${this.why}): install leap again, or read them where its sources are`
  }
}

/** The documents that came with this leap, by the names of their pages: `policies`, `troubleshooting`. */
export class HelpPages extends Context.Service<
  HelpPages,
  {
    readonly all: Effect.Effect<ReadonlyMap<string, string>, HelpPagesError>
  }
>()("leap/services/HelpPages") {}
