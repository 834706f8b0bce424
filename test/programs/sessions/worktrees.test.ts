import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import type { WorktreeRecord } from "../../../src/domain/store/worktrees/WorktreeRecord.ts"
import { inWorktree, worktreeLeft } from "../../../src/programs/sessions/worktrees.ts"
import { Output } from "../../../src/services/Output.ts"
import { System } from "../../../src/services/System.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { type WorktreeRequest, Worktrees } from "../../../src/services/Worktrees.ts"
import { tag } from "../../support/processes/Room.ts"
import { effect, effectWith } from "../../support/run/effects.ts"
import { rowsOf } from "../../support/data/fields.ts"

const record: WorktreeRecord = {
  id: "1",
  tag: "fix",
  path: "/w/fix",
  main: "/r",
  common: "/r/.git",
  admin: "/r/.git/worktrees/fix",
  branch: "fix",
  madeBranch: true,
  commit: "c0",
  directories: [],
  readyAt: 1,
  maker: 1
}

/** A user whose settings name a directory and a setup, and what became of a worktree that was made. */
const stage = ({ kept = [], reused = false }: { kept?: ReadonlyArray<string>; reused?: boolean } = {}) => {
  const asked: Array<WorktreeRequest> = []
  const undone: Array<string> = []
  const notes: Array<string> = []
  const layer = Layer.mergeAll(
    Layer.mock(Worktrees, {
      all: Effect.succeed([record]),
      make: (request) => Effect.sync(() => (asked.push(request), { record, notes: ["a note"], reused })),
      undo: ({ id }) => Effect.sync(() => (undone.push(id), kept))
    }),
    Layer.mock(UserSettings, {
      file: "/settings.json",
      read: Effect.succeed({
        settings: { ...defaultSettings, worktrees: { directory: "~/rooms", setup: "npm ci" } },
        warnings: []
      }),
      changes: Effect.succeed(Stream.empty)
    }),
    Layer.mock(System, {
      env: { HOME: "/home/u" },
      cwd: "/",
      pid: 1,
      version: "0",
      node: "24",
      platform: "linux",
      self: []
    }),
    Layer.mock(Output, { ...noTerminal, note: (line) => Effect.sync(() => void notes.push(line)) })
  )
  return { asked, undone, notes, layer }
}

const noTerminal = { isTerminal: false, inputIsTerminal: false, errorIsTerminal: false, colour: false }
const words = { branch: null, from: null, setup: null }
const fix = tag("fix")

describe("a session in a worktree", () => {
  effect(
    "is used where it was made, by the user's settings; what the command line says goes before them",
    function* () {
      const { asked, layer, undone } = stage()
      const use = (directory: string) => Effect.succeed(directory)
      assert.strictEqual(yield* inWorktree(fix, "/r/deep", words, use).pipe(Effect.provide(layer)), "/w/fix")
      yield* inWorktree(fix, "/r", { ...words, branch: "b", setup: "make" }, use).pipe(Effect.provide(layer))
      assert.deepStrictEqual(rowsOf(asked, "directory", "branch", "parent", "setup"), [
        ["/r/deep", null, "/home/u/rooms", "npm ci"],
        ["/r", "b", "/home/u/rooms", "make"]
      ])
      assert.deepStrictEqual(undone, [])
    }
  )

  effect("that cannot be started, or is cut off, leaves none; one of an earlier time stays", function* () {
    const { layer, notes, undone } = stage()
    const failing = inWorktree(fix, "/r", words, () => Effect.fail("no CLI"))
    assert.strictEqual(yield* Effect.flip(failing).pipe(Effect.provide(layer)), "no CLI")
    assert.deepStrictEqual(undone, ["1"])
    assert.include(notes.at(-1), "was taken back")

    const begun = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      inWorktree(fix, "/r", words, () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)).pipe(
        Effect.provide(layer)
      )
    )
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(undone, ["1", "1"])

    const own = stage({ reused: true })
    yield* Effect.flip(failing).pipe(Effect.provide(own.layer))
    assert.deepStrictEqual(own.undone, [])

    const used = stage({ kept: ["process 7 (zsh) uses it"] })
    yield* Effect.flip(failing).pipe(Effect.provide(used.layer))
    assert.include(used.notes.at(-1), "stays: process 7 (zsh) uses it")
  })

  effectWith(stage().layer)(
    "that is moved leaves it; one that is moved within it, or out of another's, does not",
    function* () {
      const left = (who: string, from: string, to: string) =>
        Effect.map(worktreeLeft(who, from, to), (found) => found?.id ?? null)
      assert.strictEqual(yield* left("fix", "/w/fix", "/elsewhere"), "1")
      assert.isNull(yield* left("fix", "/w/fix", "/w/fix/deep"))
      assert.isNull(yield* left("two", "/w/fix", "/elsewhere"))
      assert.isNull(yield* left("fix", "/w/fix-2", "/elsewhere"))
    }
  )
})
