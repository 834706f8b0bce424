import { Context, type Effect, Schema } from "effect"

/** There is no picture to be had from the clipboard. */
export class ClipboardError extends Schema.TaggedError<ClipboardError>()("ClipboardError", { why: Schema.String }) {
  override get message() {
    return `no picture from the clipboard: ${this.why}`
  }
}

/** The clipboard of the desktop that the user's terminal is on. */
export class Clipboard extends Context.Service<
  Clipboard,
  {
    /** Stores its picture as a file in this directory, which is created, and gives the file's path. */
    readonly image: (directory: string) => Effect.Effect<string, ClipboardError>
  }
>()("leap/services/Clipboard") {}
