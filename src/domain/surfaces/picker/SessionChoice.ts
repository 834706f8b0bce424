import { fold } from "./Rows.ts"

/** A running session that can be joined. */
export interface RunningSession {
  readonly tag: string
  /** Its state in words. */
  readonly state: string
}

/** What can be chosen: a session that runs, a new one of this name, or a new one whose name is asked for. */
export type SessionChoice =
  | { readonly _tag: "Running"; readonly session: RunningSession }
  | { readonly _tag: "Named"; readonly name: string }
  | { readonly _tag: "New" }

/** The typed name, and which of its choices is selected. */
export interface ChoiceState {
  readonly typed: string
  readonly selected: number
}

export const startChoice: ChoiceState = { typed: "", selected: 0 }

/**
 * The choices, those that a typed name means first: a name that is typed whole is that session, whatever else begins
 * like it. A part of a name means those that have it; a new session of that name comes behind them.
 */
export const choicesOf = (running: ReadonlyArray<RunningSession>, typed: string): ReadonlyArray<SessionChoice> => {
  const name = typed.trim()
  const choice = (session: RunningSession): SessionChoice => ({ _tag: "Running", session })
  if (name === "") return [...running.map(choice), { _tag: "New" }]
  const same = running.filter(({ tag }) => tag === name)
  const alike = running.filter(({ tag }) => tag !== name && fold(tag).includes(fold(name)))
  return [...same.map(choice), ...alike.map(choice), ...(same.length > 0 ? [] : [{ _tag: "Named", name } as const])]
}

/** The state after a key: its name, and the text that it types; null where it does nothing. */
export const chooseKey = (
  running: ReadonlyArray<RunningSession>,
  state: ChoiceState,
  key: { readonly name: string; readonly text: string }
): ChoiceState | null => {
  const count = choicesOf(running, state.typed).length
  switch (key.name) {
    case "up":
      return { ...state, selected: (state.selected + count - 1) % count }
    case "down":
    case "tab":
      return { ...state, selected: (state.selected + 1) % count }
    case "backspace":
      return state.typed === "" ? null : { typed: [...state.typed].slice(0, -1).join(""), selected: 0 }
    default:
      return key.text !== "" && /^[^\p{Cc}]+$/u.test(key.text) ? { typed: state.typed + key.text, selected: 0 } : null
  }
}
