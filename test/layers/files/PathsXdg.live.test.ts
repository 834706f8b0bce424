import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { live } from "../../support/run/effects.ts"

const tag = Schema.decodeUnknownSync(Tag)("one")

describe("a session that is forgotten", () => {
  live("leaves nothing, though another process deletes its files at the same time", function* () {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "leap-paths-"))
    for (let i = 0; i < 10; i++) {
      const paths = yield* Paths.use((paths) => paths.ensureSession(tag)).pipe(
        Effect.provide(PathsXdg.layerFrom({ LEAP_HOME: home }))
      )
      for (let k = 0; k < 400; k++) fs.writeFileSync(path.join(paths.spool, String(k)), "")
      const deleting = spawn("sh", ["-c", `rm -f "$1"/1* "$1"/2*`, "sh", paths.spool], { stdio: "ignore" })
      const ended = once(deleting, "exit")
      yield* Effect.promise(async () => {
        while (fs.existsSync(path.join(paths.spool, "1"))) await new Promise(setImmediate)
      })
      yield* Paths.use((paths) => paths.removeSession(tag)).pipe(
        Effect.provide(PathsXdg.layerFrom({ LEAP_HOME: home }))
      )
      assert.isFalse(fs.existsSync(paths.dir))
      yield* Effect.promise(() => ended)
    }
    fs.rmSync(home, { recursive: true })
  })
})
