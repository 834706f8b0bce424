import { Context, type Effect, type Scope } from "effect"
import type { ScreenPicture, ScreenView } from "../domain/words/session/Screen.ts"
import type { TerminalModes } from "../domain/terminal/sequences/TerminalModes.ts"

/** A row of a terminal's output: the top row of the screen when the mark was made, wherever it scrolls to. */
export interface ScreenMark {
  /** Its current row in the scrollback; the first row if it has been dropped, null if nothing is known. */
  readonly line: () => number | null
  readonly release: () => void
}

/** An emulated terminal that gets every byte and resize. Feeding is synchronous: a view is always current. */
export interface ScreenHandle {
  readonly feed: (data: Uint8Array) => void
  readonly resize: (cols: number, rows: number) => void
  /**
   * The current screen; the same object until something is fed or the size changes. `whole` is what the program claims
   * (synchronized updates). A host trusts it for a short time only, because a program that dies inside an update never
   * ends it.
   */
  readonly view: () => ScreenView
  /**
   * Text that draws this screen, with scrollback, modes, title and cursor, on a fresh terminal of the same size, or on
   * one whose modes were undone (`TerminalModes.restoreSequence`). `scrollback: false`: only the screen, for a terminal
   * that has the scrollback already. `scrollback` as a mark: only what has scrolled since. `main: false`: omits the
   * main screen while the alternate screen shows, for a terminal whose main screen belongs to another program.
   */
  readonly repaint: (options?: { readonly scrollback?: boolean | ScreenMark; readonly main?: boolean }) => string
  /** The current screen in parts; read it before anything more is fed. */
  readonly picture: () => ScreenPicture
  /** A mark at the current top of the screen. */
  readonly mark: () => ScreenMark
  /** The visible rows as text, without trailing blanks and without blank rows at the end. */
  readonly text: () => string
  /** The terminal modes that the program has set. */
  readonly modes: () => TerminalModes
  /** Whether plain text (characters, CR, LF, tabs) now only draws, and scrolls the whole screen. */
  readonly scrolls: () => boolean
  /**
   * Compresses the scrollback until the number of columns changes, and returns the bytes freed. It takes some
   * microseconds for each uncompressed row, so call it when nobody waits.
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
