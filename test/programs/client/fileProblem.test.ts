import { assert, describe } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { fileProblem } from "../../../src/programs/client/fileProblem.ts"
import { liveWith } from "../../support/run/effects.ts"

describe("fileProblem", () => {
  liveWith(NodeFileSystem.layer)("says in a user's words what the system said", function* () {
    const fs = yield* FileSystem.FileSystem
    const why = (effect: Effect.Effect<unknown, Parameters<typeof fileProblem>[0]>) =>
      Effect.map(Effect.flip(effect), fileProblem)
    assert.strictEqual(yield* why(fs.readFile("/no/such/file")), "there is no such file")
    assert.strictEqual(yield* why(fs.readFile("/tmp")), "it is a directory")
    assert.strictEqual(yield* why(fs.readFile("/dev/null/x")), "there is no such directory")
    // every write to this device finds the disk full
    assert.strictEqual(yield* why(fs.writeFile("/dev/full", new Uint8Array(1))), "the disk is full")
  })
})
