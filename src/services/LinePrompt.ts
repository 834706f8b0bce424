import { Context, type Effect, type Scope, type Stream } from "effect"

/** A line editor on the user's terminal; a paste of several lines is one entry. */
export interface LinePromptHandle {
  /** The submitted texts; ends at Ctrl+D or Ctrl+C on an empty line. */
  readonly entries: Stream.Stream<string>
  /** Replaces the prompt; the text typed so far stays. */
  readonly prompt: (text: string) => Effect.Effect<void>
  readonly print: (line: string) => Effect.Effect<void>
}

export class LinePrompt extends Context.Service<
  LinePrompt,
  {
    readonly open: Effect.Effect<LinePromptHandle, never, Scope.Scope>
  }
>()("leap/services/LinePrompt") {}
