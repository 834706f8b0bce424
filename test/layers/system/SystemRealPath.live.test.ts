import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { System } from "../../../src/services/System.ts"
import { liveWith } from "../../support/run/effects.ts"

describe("System", () => {
  liveWith(SystemNode.layerWith({ version: "0", self: [] }))(
    "follows every link, also to what is not there yet, and gives up on circles",
    function* () {
      const dir = fs.realpathSync(
        yield* Effect.acquireRelease(
          Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-links-"))),
          (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
        )
      )
      const at = (...names: ReadonlyArray<string>) => path.join(dir, ...names)
      fs.mkdirSync(at("real"))
      fs.writeFileSync(at("real/file"), "")
      fs.symlinkSync("real", at("folder"))
      fs.symlinkSync("folder/file", at("link"))
      fs.symlinkSync("folder/new", at("dangling"))
      fs.symlinkSync("dangling", at("twice"))
      fs.mkdirSync(at("real/deep"))
      fs.symlinkSync("real/deep", at("nested"))
      fs.symlinkSync("b", at("a"))
      fs.symlinkSync("a", at("b"))
      const { hidden, realPath } = yield* System
      // only what is not there, or is below what is no directory, is said to be so
      for (const [name, code] of [
        ["folder/file", null],
        ["none", null],
        ["real/file/x", null],
        ["dangling", null],
        ["a", "ELOOP"],
        ["a/x", "ELOOP"],
        ["n".repeat(300), "ENAMETOOLONG"]
      ] as const)
        assert.strictEqual(yield* hidden(at(name)), code, name)
      for (const [given, leads] of [
        ["link", "real/file"],
        ["folder/file", "real/file"],
        ["folder/../real/file", "real/file"],
        ["nested/../file", "real/file"],
        ["folder/x/y", "real/x/y"],
        ["none", "none"],
        ["dangling", "real/new"],
        ["twice", "real/new"]
      ] as const)
        assert.strictEqual(yield* realPath(`${dir}/${given}`), at(leads), given)
      assert.isNull(yield* realPath(at("a")))
      assert.isNull(yield* realPath(at("real/file/below")))
      assert.strictEqual(yield* realPath("/"), "/")
    }
  )

  liveWith(SystemNode.layerWith({ version: "0", self: [], cwd: "" }))(
    "where nobody knows the directory, knows paths that say all, and of others nothing",
    function* () {
      const { directory, file, realPath } = yield* System
      const own = import.meta.filename
      assert.deepStrictEqual(
        [yield* directory("/"), yield* file(own), yield* realPath(own)],
        [Option.some("/"), Option.some(own), fs.realpathSync(own)]
      )
      assert.isTrue(Option.isNone(yield* directory("no-such-directory")))
    }
  )

  liveWith(SystemNode.layerWith({ version: "0", self: [], cwd: import.meta.dirname }))(
    "means relative paths in the directory that it was given",
    function* () {
      const { directory, file, realPath } = yield* System
      const [name, own] = [path.basename(import.meta.filename), import.meta.filename]
      assert.deepStrictEqual([yield* file(name), yield* realPath(name)], [Option.some(own), fs.realpathSync(own)])
      assert.deepStrictEqual(yield* directory(".."), Option.some(fs.realpathSync(path.join(own, "../.."))))
    }
  )
})
