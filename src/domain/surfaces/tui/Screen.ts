import { graphemes } from "./EditorText.ts"
import type { Key } from "./Keys.ts"
import type { Size } from "./Layout.ts"

export interface ScreenState {
  readonly size: Size
  readonly redraws: number
  /** The program has ended: nothing changes any more. */
  readonly left: boolean
}

/** Events of all full-screen programs. Times are milliseconds since the epoch. */
export type ScreenEvent =
  | { readonly _tag: "Pressed"; readonly key: Key; readonly at: number }
  | { readonly _tag: "Resized"; readonly size: Size }
  | { readonly _tag: "TimePassed"; readonly at: number }

export interface Updated<S, C> {
  readonly state: S
  readonly commands: ReadonlyArray<C>
}

export const redrawn = <S extends ScreenState>(state: S): S => ({ ...state, redraws: state.redraws + 1 })

/**
 * The state after a key. Letters that arrive together are handled one by one while each may mean something. Only the
 * first one can answer a question. `mode`: the element that the keys act on.
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
