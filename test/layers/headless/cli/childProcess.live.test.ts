import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { startProcess } from "../../../../src/layers/headless/cli/childProcess.ts"
import * as ProcessTableNode from "../../../../src/layers/system/ProcessTableNode.ts"
import { ProcessTable } from "../../../../src/services/ProcessTable.ts"
import { eventually } from "../../../support/processes/Room.ts"
import { live } from "../../../support/run/effects.ts"

describe("a CLI's process that is ended", () => {
  live("does nothing more while leap looks for what else there is to end, and hears the interrupt", function* () {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-child-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true })))
    const [asked, ended] = [path.join(dir, "asked"), path.join(dir, "ended")]
    const size = () => (fs.existsSync(asked) ? fs.statSync(asked).size : 0)
    const during: Array<number> = []
    const table = Layer.effect(
      ProcessTable,
      Effect.map(ProcessTable, (own) => ({
        ...own,
        family: (...given: Parameters<typeof own.family>) =>
          Effect.gen(function* () {
            yield* Effect.sleep("50 millis")
            during.push(size())
            yield* Effect.sleep("150 millis")
            during.push(size())
            return yield* own.family(...given)
          })
      }))
    ).pipe(Layer.provide(ProcessTableNode.layer))
    yield* Effect.gen(function* () {
      yield* startProcess({
        command: "/bin/sh",
        args: ["-c", `trap 'echo heard > "${ended}"; exit 0' INT; while :; do echo x >> "${asked}"; sleep 0.01; done`],
        env: { PATH: process.env["PATH"] ?? "" },
        cwd: dir,
        stdin: null,
        timeout: null,
        idleTimeout: null,
        grace: 5_000,
        linger: 5_000,
        outputFile: null,
        mark: { variable: "LEAP_TEST_MARK", value: dir }
      })
      yield* eventually(() => size() > 4, "its work")
    }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(table, NodeServices.layer)))
    assert.lengthOf(during, 2)
    assert.strictEqual(during[1], during[0])
    assert.strictEqual(fs.readFileSync(ended, "utf8"), "heard\n")
  })
})
