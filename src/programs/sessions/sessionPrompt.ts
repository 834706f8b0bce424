import { Effect, Option } from "effect"
import { Prompt } from "effect/cli"
import { shorten } from "../../domain/surfaces/tui/Cells.ts"
import {
  type ChoiceState,
  chooseKey,
  choicesOf,
  type RunningSession,
  type SessionChoice,
  startChoice
} from "../../domain/surfaces/picker/SessionChoice.ts"

const titleOf = (choice: SessionChoice): string => {
  switch (choice._tag) {
    case "Running":
      return `${choice.session.tag}  ${choice.session.state}`
    case "Named":
      return `${choice.name}  (a new one)`
    case "New":
      return "a new one"
  }
}

/** How many choices are shown at once. */
const page = 10

/** Asks which session: arrows choose a running one, a typed name joins or starts the session of that name. */
export const sessionPrompt = (
  running: ReadonlyArray<RunningSession>,
  columns: number
): Prompt.Prompt<SessionChoice> => {
  const lines = ({ selected, typed }: ChoiceState): ReadonlyArray<string> => {
    const choices = choicesOf(running, typed)
    const from = Math.max(0, Math.min(selected - page + 1, choices.length - page))
    return [
      `? Which session? ${typed === "" ? "(type a name, or choose)" : typed}`,
      ...choices.slice(from, from + page).map((choice, i) => `${from + i === selected ? "❯" : " "} ${titleOf(choice)}`)
    ].map((line) => shorten(line, Math.max(10, columns - 1)))
  }
  return Prompt.Custom<ChoiceState, SessionChoice>(startChoice, {
    render: (state, action) =>
      Effect.sync(() => {
        if (action._tag === "Beep") return "\u0007"
        if (action._tag === "Submit") return `? Which session? ${titleOf(action.value)}\n`
        return lines(state).join("\n")
      }),
    process: ({ input, key }, state) =>
      Effect.sync(() => {
        const chosen = choicesOf(running, state.typed)[state.selected]
        if ((key.name === "enter" || key.name === "return") && chosen !== undefined)
          return { _tag: "Submit", value: chosen } as const
        const text = key.ctrl || key.meta ? "" : Option.getOrElse(input, () => "")
        const next = chooseKey(running, state, { name: key.name, text })
        return next === null ? ({ _tag: "Beep" } as const) : ({ _tag: "NextFrame", state: next } as const)
      }),
    clear: (state) =>
      Effect.sync(() => {
        const above = lines(state).length - 1
        return `${above === 0 ? "" : `\u001b[${above}A`}\r\u001b[J`
      })
  })
}
