import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, PlatformError } from "effect"
import { enterable, runningWith } from "../../../src/programs/sessions/relocating.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"

const running = (tag: string, cli: string, sessionId: string | null, baseCli = cli) =>
  sessionStatus({ tag, cli, baseCli, sessionId })
const session = { base: "claude", sessionId: "a-1" }

describe("which running session has a conversation", () => {
  it.each([
    ["another tag than the one it was seen under", [running("other", "claude", "a-1")], "other"],
    ["a tag that went on with another conversation has it no longer", [running("one", "claude", "a-2")], null],
    ["a fork of it is another one", [running("one", "claude", "a-1-fork"), running("two", "claude", "a-3-fork")], null],
    [
      "the first of two tags that both have it",
      [running("one", "claude", "a-1"), running("two", "claude", "a-1")],
      "one"
    ],
    [
      "an ended session has none",
      [sessionStatus({ tag: "one", cli: "claude", sessionId: "a-1", state: "exited" })],
      null
    ],
    ["the same id of another CLI is another conversation", [running("one", "codex", "a-1")], null],
    ["a variant of the same CLI may have the same conversation", [running("one", "work", "a-1", "claude")], "one"],
    ["a session that has told of none", [running("one", "claude", null)], null],
    [
      "a host that does not answer has what it wrote last",
      [{ ...running("one", "claude", "a-1"), problem: { kind: "stuck" as const, message: "", until: null } }],
      "one"
    ],
    ["nobody runs", [], null]
  ])("%s", (_, statuses, expected) => {
    assert.strictEqual(runningWith(statuses, session)?.tag ?? null, expected)
  })
})

describe("whether a directory can be entered", () => {
  const failing = (path: string, tag: "NotFound" | "PermissionDenied") =>
    Effect.fail(PlatformError.systemError({ _tag: tag, module: "FileSystem", method: "stat", pathOrDescriptor: path }))
  const stat = (path: string) =>
    path.startsWith("/closed/")
      ? failing(path, "PermissionDenied")
      : path.startsWith("/gone")
        ? failing(path, "NotFound")
        : Effect.succeed({ type: "Directory" } as FileSystem.File.Info)
  it.effect.each([
    ["/open", true],
    ["/closed", false],
    ["/gone", false]
  ] as const)("%s: %s", ([directory, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* enterable(directory), expected)
    }).pipe(Effect.provide(FileSystem.layerNoop({ stat })))
  )
})
