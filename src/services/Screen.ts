import { Context, type Effect, type Scope } from "effect"
import type { ScreenView } from "../domain/Screen.ts"
import type { TerminalModes } from "../domain/TerminalModes.ts"

/** An emulated terminal: fed every byte, never reset, follows every resize. Feeding is synchronous, so a view is always current. */
export interface ScreenHandle {
  readonly feed: (data: Uint8Array) => void
  readonly resize: (cols: number, rows: number) => void
  /**
   * What is on the screen now; the same object as before while nothing was fed and no size changed. `whole` is the program's own word (synchronized updates): a host bounds its trust in it
   * by a short time, for a program that dies inside an update never ends it.
   */
  readonly view: () => ScreenView
  /**
   * Text that draws this screen, with scrollback, modes, title and cursor, on a fresh terminal of the same size, or on
   * one whose modes were undone (`TerminalModes.restoreSequence`). `scrollback: false`: the screen alone, for a terminal
   * that has the scrollback already. `main: false`: where the alternate screen shows, the main one below it is left as
   * that terminal has it, for one whose main screen is somebody else's.
   */
  readonly repaint: (options?: { readonly scrollback?: boolean; readonly main?: boolean }) => string
  /** The visible rows as text, trimmed at the right and below. */
  readonly text: () => string
  /** What the program has changed about its terminal. */
  readonly modes: () => TerminalModes
}

export class Screen extends Context.Service<Screen, {
  readonly make: (size: { readonly cols: number; readonly rows: number; readonly scrollback: number }) => Effect.Effect<ScreenHandle, never, Scope.Scope>
}>()("leap/services/Screen") {}
