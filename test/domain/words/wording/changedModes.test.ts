import { assert, describe, it } from "@effect/vitest"
import { changedModes } from "../../../../src/domain/words/wording/changedModes.ts"
import { defaultModes, type Modes, type ModesChange } from "../../../../src/domain/words/session/Session.ts"

describe("what the monitor says of modes that were changed", () => {
  const until = "2026-01-01T01:10:00.000Z"
  it.each<readonly [string, typeof ModesChange.Type, Partial<Modes>]>([
    ["auto-send always", { autoSend: "always" }, { autoSend: "always", mute: "on" }],
    ["churn send, night on", { churn: "send", night: "on" }, { churn: "send", night: "on" }],
    ["muted", { mute: "on" }, { mute: "on", night: "on" }],
    [`muted until ${until}`, { mute: until }, { mute: until }],
    ["not muted", { mute: "off" }, {}]
  ])("%s", (text, change, modes) => assert.strictEqual(changedModes({ ...defaultModes, ...modes }, change), text))
})
