import { Context, type Effect, type Scope } from "effect"
import type { ScreenPicture, ScreenView } from "../domain/words/session/Screen.ts"
import type { TerminalModes } from "../domain/terminal/sequences/TerminalModes.ts"

/** A place in what a terminal has shown: the top row of its screen at one moment, wherever it scrolls to. */
export interface ScreenMark {
  /** Its row in the scrollback as it is now; the first one when it is there no more, null when nothing is known. */
  readonly line: () => number | null
  readonly release: () => void
}

/**
 * An emulated terminal: gets every byte and every change of size, and is never reset. Feeding is synchronous, so a view
 * is always current.
 */
export interface ScreenHandle {
  readonly feed: (data: Uint8Array) => void
  readonly resize: (cols: number, rows: number) => void
  /**
   * The screen now; the same object as before as long as nothing was fed and the size did not change. `whole` is what
   * the program claims (synchronized updates): a host trusts it for a short time only, because a program that dies
   * inside an update never ends it.
   */
  readonly view: () => ScreenView
  /**
   * Text that draws this screen, with scrollback, modes, title and cursor, on a fresh terminal of the same size, or on
   * one whose modes were undone (`TerminalModes.restoreSequence`). `scrollback: false`: only the screen, for a terminal
   * that has the scrollback already; a mark: what has scrolled since. `main: false`: while the alternate screen
   * shows, the main screen is not drawn, for a terminal whose main screen belongs to another program.
   */
  readonly repaint: (options?: { readonly scrollback?: boolean | ScreenMark; readonly main?: boolean }) => string
  /** What is drawn now, in parts; to be read before anything more is fed. */
  readonly picture: () => ScreenPicture
  /** The top of the screen now. */
  readonly mark: () => ScreenMark
  /** The visible rows as text, without trailing blanks and without blank rows at the end. */
  readonly text: () => string
  /** The terminal modes that the program has set. */
  readonly modes: () => TerminalModes
  /** Text in lines (characters, CR, LF, tabs) does nothing now but draw, and scroll the whole screen. */
  readonly scrolls: () => boolean
  /**
   * Keeps what is above the screen in less memory, until the terminal gets other columns; gives the bytes that this has
   * made free. For a moment in which nobody waits: some microseconds for each row that was not kept so yet.
   */
  readonly compact: () => number
}

/** Makes emulated screens. */
export class Screen extends Context.Service<
  Screen,
  {
    readonly make: (size: {
      readonly cols: number
      readonly rows: number
      readonly scrollback: number
    }) => Effect.Effect<ScreenHandle, never, Scope.Scope>
  }
>()("leap/services/Screen") {}
