import { assert, describe, it } from "@effect/vitest"
import { isCutOff, isUnexpectedEnd } from "../../../../src/domain/words/attention/unexpectedEnd.ts"

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

describe("an end that was none of the user's", () => {
  const killed = { code: null, signal: "SIGKILL" }
  it.each([
    ["something killed the CLI", killed, false, true],
    ["the machine went down", { code: 0, signal: null, why: "signal" }, true, true],
    ["the user stopped it, by force", killed, true, false],
    ["Ctrl+C", { code: null, signal: "SIGINT" }, false, false],
    ["its directory was deleted", { ...killed, why: "directory" }, true, false],
    ["an error of its own", { code: 1, signal: null }, false, false],
    ["it runs", null, false, false]
  ])("%s", (_, exit, stopping, expected) => assert.strictEqual(isCutOff({ exit, stopping }), expected))
})
