import { graphemes } from "./EditorText.ts"
import type { Key } from "./Keys.ts"
import type { Size } from "./Layout.ts"

/** What a program on the whole screen always remembers. */
export interface ScreenState {
  readonly size: Size
  /** How often all was to be drawn again. */
  readonly redraws: number
  /** It is over: nothing changes any more. */
  readonly left: boolean
}

/** What happens to any of them. Times are milliseconds since the epoch. */
export type ScreenEvent =
  | { readonly _tag: "Pressed"; readonly key: Key; readonly at: number }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "TimePassed"; readonly at: number }

/** The state after an event, and what is to be done. */
export interface Updated<S, C> {
  readonly state: S
  readonly commands: ReadonlyArray<C>
}

/** The state after Ctrl+L. */
export const redrawn = <S extends ScreenState>(state: S): S => ({ ...state, redraws: state.redraws + 1 })

/**
 * The state after a key. Letters that come together are pressed one after the other, where each may mean something:
 * but for the first one, none is pressed to a question that was asked. `mode`: what the keys are for.
 */
export const pressEach = <S extends ScreenState, C>(
  state: S,
  key: Key,
  press: (state: S, key: Key) => Updated<S, C>,
  mode: (state: S) => "writes" | "asks" | "lists"
): Updated<S, C> => {
  const [first, second] = "text" in key && key.key === "text" && mode(state) !== "writes" ? graphemes(key.text) : []
  if (!("text" in key) || first === undefined || second === undefined) return press(state, key)
  const one = press(state, { key: "text", text: first.segment })
  if (one.state.left || mode(state) === "asks") return one
  const rest = pressEach(one.state, { key: "text", text: key.text.slice(second.index) }, press, mode)
  return { state: rest.state, commands: [...one.commands, ...rest.commands] }
}
