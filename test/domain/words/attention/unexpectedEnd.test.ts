import { assert, describe, it } from "@effect/vitest"
import { isUnexpectedEnd } from "../../../../src/domain/words/attention/unexpectedEnd.ts"

const at = 1_000_000
const facts = { exit: { code: 1, signal: null }, at, stopping: false, userSeenAt: null }

describe("an end that nobody meant", () => {
  it.each([
    ["an error", {}, true],
    ["a signal", { exit: { code: null, signal: "SIGKILL" } }, true],
    ["a good end", { exit: { code: 0, signal: null } }, false],
    ["no end", { exit: null }, false],
    ["one that was asked for", { stopping: true }, false],
    ["one under the user's hands", { userSeenAt: at - 9_999 }, false],
    ["one with the user gone", { userSeenAt: at - 10_000 }, true]
  ])("%s: %o", (_, more, expected) => assert.strictEqual(isUnexpectedEnd({ ...facts, ...more }), expected))
})
