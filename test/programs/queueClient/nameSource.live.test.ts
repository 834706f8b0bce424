import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { nameSource } from "../../../src/programs/queueClient/nameSource.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import * as SystemFake from "../../support/host/SystemFake.ts"
import { live } from "../../support/run/effects.ts"

const services = Layer.mergeAll(
  NodeServices.layer,
  Layer.mock(Providers, { all: [], load: () => Effect.succeed([]) }),
  SystemFake.layer
)

describe("the names that the queue client completes", () => {
  live("follow a link to another folder, and name one that leads back to where it stands", function* () {
    const cwd = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-names-"))),
      (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
    )
    for (const folder of ["src/inner", "lib"]) fs.mkdirSync(path.join(cwd, folder), { recursive: true })
    for (const file of ["src/main.ts", "src/inner/deep.ts", "lib/one.ts"]) fs.writeFileSync(path.join(cwd, file), "")
    fs.symlinkSync("..", path.join(cwd, "src/up"))
    fs.symlinkSync("../..", path.join(cwd, "src/inner/top"))
    fs.symlinkSync("../lib", path.join(cwd, "src/lib"))
    const names = yield* nameSource(() => sessionStatus({ cwd })).pipe(Effect.provide(services))
    assert.deepStrictEqual((yield* names("file", "")).toSorted(), [
      "lib/",
      "lib/one.ts",
      "src/",
      "src/inner/",
      "src/inner/deep.ts",
      "src/inner/top/",
      "src/lib/",
      "src/lib/one.ts",
      "src/main.ts",
      "src/up/"
    ])
  })
})
