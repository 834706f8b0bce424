import { fieldsOf } from "../../../../src/domain/words/reading/Fields.ts"
import { firstText } from "../../../../src/domain/cli/provider/RequestReading.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"

/** Translates Toy's lifecycle hooks. Total. */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const { cases } = Signal
  const said = fieldsOf(payload)
  switch (event) {
    case "Prompt":
      return [cases.TurnStarted.make({ prompt: firstText(said, "prompt"), own: false })]
    case "Permission":
      return [
        cases.Asked.make({ kind: "permission", tool: firstText(said, "tool"), message: firstText(said, "command") })
      ]
    case "Done":
      return [cases.TurnEnded.make({ response: firstText(said, "text"), background: null })]
    default:
      return [cases.Ignored.make({ why: `${event} says nothing of the state` })]
  }
}
