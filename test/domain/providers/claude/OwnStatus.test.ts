import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { belongs, readOwnStatus, runs } from "../../../../src/domain/providers/claude/OwnStatus.ts"
import { each } from "../../../support/data/fields.ts"

describe("readOwnStatus", () => {
  it.each<readonly [unknown, ReadonlyArray<unknown>]>([
    [{ status: "idle", sessionId: "s1" }, ["rest", null, false, "idle", "s1"]],
    [{ status: "busy" }, ["work", null, false, "busy", null]],
    [{ status: "shell" }, ["rest", null, true, "shell", null]],
    [{ status: "waiting", waitingFor: "input needed" }, ["wait", "question", false, "waiting for input needed", null]],
    [{ status: "waiting", waitingFor: "dialog open" }, ["wait", "dialog", false, "waiting for dialog open", null]],
    [
      { status: "waiting", waitingFor: "sandbox request" },
      ["wait", "permission", false, "waiting for sandbox request", null]
    ],
    ["gone", ["gone", null, false, "gone", null]],
    [null, ["gone", null, false, "gone", null]]
  ])("%j", (content, expected) => {
    const [signal] = readOwnStatus(content)
    assert.strictEqual(signal?._tag, "OwnStatus")
    if (signal?._tag === "OwnStatus") {
      assert.deepStrictEqual(
        [signal.phase, signal.waitingFor, signal.background, signal.word, signal.sessionId],
        expected as never
      )
    }
  })

  it("only names the session before its first status", () => {
    assert.deepStrictEqual(each(readOwnStatus({ sessionId: "s1" }), "_tag"), ["SessionStarted"])
  })

  it.prop("takes any content", { content: Schema.Unknown }, ({ content }) => {
    assert.isArray(readOwnStatus(content))
    assert.deepStrictEqual(
      readOwnStatus({ status: content, waitingFor: content }).filter(({ _tag }) => _tag === "TurnStarted"),
      []
    )
  })
})

describe("belongs", () => {
  const session = { pid: 77, cwd: "/app", startedAt: 1_000_000, sessionId: null }
  const file = { pid: 77, cwd: "/app", startedAt: 1_000_400, kind: "interactive", sessionId: "s1" }
  it.each<
    readonly [string, unknown, typeof session | (Omit<typeof session, "sessionId"> & { sessionId: string }), boolean]
  >([
    ["77.json", file, session, true],
    // started beside it, in the same directory and the same second
    ["15.json", { ...file, pid: 15 }, session, false],
    ["15.json", { ...file, pid: 15 }, { ...session, sessionId: "s2" }, false],
    ["15.json", { ...file, pid: 15, cwd: "/moved" }, { ...session, sessionId: "s1" }, true],
    ["77.json", { ...file, sessionId: "s9" }, { ...session, sessionId: "s1" }, true],
    ["77.json", { ...file, startedAt: 900_000 }, session, false],
    ["77.json", { ...file, kind: "background" }, session, true],
    ["15.json", { ...file, pid: 15, kind: "background" }, session, false],
    ["77.json.tmp", file, session, false],
    ["77.a1b2.key", file, session, false],
    ["77.json", "gone", session, false]
  ])("%s %j of %j: %s", (name, content, hosted, expected) => {
    assert.strictEqual(belongs(name, content, hosted, false), expected)
  })

  it.each([
    [{ ...file, pid: 15 }, session, true],
    [{ ...file, pid: 15, kind: "background" }, session, false],
    [{ ...file, pid: 15, sessionId: "nested" }, { ...session, sessionId: "s1" }, false]
  ])("%j of %j, behind its launcher: %s", (content, hosted, expected) => {
    assert.strictEqual(belongs("15.json", content, hosted, true), expected)
  })
})

describe("runs", () => {
  const file = { pid: 77, procStart: "3752146", sessionId: "s1", status: "idle" }
  const said = { sessionId: "s1", process: { pid: 77, birth: "3752146" } }
  it.each<readonly [string, unknown, typeof said | null]>([
    ["77.json", file, said],
    ["77.json", { ...file, status: undefined }, said],
    ["77.a1b2.key", file, null],
    ["77.json", { ...file, procStart: undefined }, null],
    ["77.json", { ...file, pid: "77" }, null],
    ["77.json", { ...file, pid: 0 }, null],
    ["77.json", { ...file, sessionId: "" }, null],
    ["77.json", null, null]
  ])("%s %j: %j", (name, content, expected) => {
    assert.deepStrictEqual(runs(name, content), expected)
  })
})
