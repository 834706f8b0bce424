import { Context, type Effect, Schema } from "effect"

/** The clipboard has no picture, or it cannot be read. */
export class ClipboardError extends Schema.TaggedError<ClipboardError>()("ClipboardError", { why: Schema.String }) {
  override get message() {
    return `no picture from the clipboard: ${this.why}`
  }
}

/** The clipboard of the desktop that shows the user's terminal. */
export class Clipboard extends Context.Service<
  Clipboard,
  {
    /** Saves the clipboard's picture to this directory, which it creates, and returns the file's path. */
    readonly image: (directory: string) => Effect.Effect<string, ClipboardError>
  }
>()("leap/services/Clipboard") {}
