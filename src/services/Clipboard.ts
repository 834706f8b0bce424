import { Context, type Effect } from "effect"
import type { DesktopError } from "./DesktopError.ts"

/** The clipboard of the desktop that shows the user's terminal. */
export class Clipboard extends Context.Service<
  Clipboard,
  {
    /** Saves the clipboard's picture to this directory, which it creates, and returns the file's path. */
    readonly image: (directory: string) => Effect.Effect<string, DesktopError>
  }
>()("leap/services/Clipboard") {}
