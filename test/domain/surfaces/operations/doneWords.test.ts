import { assert, describe, it } from "@effect/vitest"
import type { Done } from "../../../../src/domain/surfaces/operations/calls.ts"
import { doneLine, doneWords } from "../../../../src/domain/surfaces/operations/doneWords.ts"
import { message } from "../../../support/data/clientKeys.ts"

const [one, two] = [message("AAAAA", "first"), message("BBBBB", "second")]
const all = null

describe("what came of an operation", () => {
  it.each<readonly [line: string, done: Done]>([
    [
      "AAAAA “first” is now “other”",
      { _tag: "QueueEdit", call: { _tag: "QueueEdit", id: "A", text: "other" }, result: undefined }
    ],
    [
      "moved to position 2: AAAAA “first”",
      { _tag: "QueueMove", call: { _tag: "QueueMove", id: "A", position: 2 }, result: undefined }
    ],
    ["removed: AAAAA “first”", { _tag: "QueueRemove", call: { _tag: "QueueRemove", id: "A" }, result: undefined }],
    ["goes out now: AAAAA “first”", { _tag: "QueueForce", call: { _tag: "QueueForce", id: "A" }, result: undefined }],
    ["0 messages removed", { _tag: "QueueClear", call: { _tag: "QueueClear" }, result: { removed: 0, messages: [] } }],
    [
      "2 messages held: AAAAA “first”, BBBBB “second”",
      { _tag: "QueueHold", call: { _tag: "QueueHold", id: all }, result: { held: 2, messages: [one, two] } }
    ],
    [
      "1 message released: AAAAA “first” (it may have been sent)",
      {
        _tag: "QueueRelease",
        call: { _tag: "QueueRelease", id: all },
        result: { released: 1, messages: [{ ...one, why: "it may have been sent" }] }
      }
    ],
    [
      "1 message is sent again: AAAAA “first”; 1 message that waited behind is sent too: BBBBB “second”",
      {
        _tag: "QueueRetry",
        call: { _tag: "QueueRetry", id: all },
        result: { retried: 1, messages: [one], behind: [two] }
      }
    ],
    [
      "answered “Write?”: Yes",
      { _tag: "Answer", call: { _tag: "Answer", answer: "1" }, result: { dialog: "Write?", answer: "Yes" } }
    ],
    [
      "auto-send always, muted",
      {
        _tag: "SetModes",
        call: { _tag: "SetModes", modes: { autoSend: "always", mute: "on" } },
        result: { autoSend: "always", churn: "wait", mute: "on" }
      }
    ],
    [
      "pressed: Esc C-c",
      { _tag: "Keys", call: { _tag: "Keys", keys: ["Esc", "C-c"], force: false }, result: undefined }
    ],
    ["", { _tag: "Draft", call: { _tag: "Draft" }, result: { text: "a draft" } }]
  ])("%s", (line, done) => assert.strictEqual(doneLine(done, one), line))

  it("tells who asks for a message again what is in its way", () => {
    const lines = (why: string | null) =>
      doneWords(
        {
          _tag: "QueueRetry",
          call: { _tag: "QueueRetry", id: null },
          result: { retried: 1, messages: [{ ...one, why }], behind: [] }
        },
        undefined
      ).map(({ line }) => line)
    assert.strictEqual(lines(null).length, 1)
    assert.deepStrictEqual(lines("its dialog is in the way").slice(1), ["not yet: its dialog is in the way"])
  })
})
