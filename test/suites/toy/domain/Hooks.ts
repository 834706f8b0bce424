import * as Hook from "../../../../src/domain/cli/provider/HookVocabulary.ts"
import { firstText } from "../../../../src/domain/cli/provider/RequestReading.ts"

/** Toy's lifecycle hooks. */
const events: Hook.HookTable = {
  Prompt: { says: ({ fields }) => [{ _tag: "TurnStarted", prompt: firstText(fields, "prompt"), own: false }] },
  Permission: {
    waits: 30,
    says: ({ fields }) => [Hook.asked("permission", firstText(fields, "tool"), firstText(fields, "command"))]
  },
  Done: { says: ({ fields }) => [{ _tag: "TurnEnded", response: firstText(fields, "text"), background: null }] }
}

export const readHook = Hook.reader(events)

export const wiredEvents = Hook.wiredEvents(events, 5)
