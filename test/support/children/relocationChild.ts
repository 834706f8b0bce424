// Moves a session as a process of its own, on the real files. With KILL_AT the process kills itself, by SIGKILL, before
// that operation; with KILL_COPYING while it copies, when the copy has that many bytes.
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import type { Plan } from "../../../src/domain/store/relocation/Plan.ts"
import * as RelocationFilesNode from "../../../src/layers/relocator/RelocationFilesNode.ts"
import { make } from "../../../src/layers/relocator/RelocatorJournal.ts"
import { RelocationFiles } from "../../../src/services/RelocationFiles.ts"
import type { SessionRegistries } from "../../../src/services/Relocator.ts"
import { realLayer } from "../relocation/relocation.ts"

const [plan = "", directory = "", book = ""] = process.argv.slice(2)
const killAt = Number(process.env["KILL_AT"] ?? "-1")
const killCopying = Number(process.env["KILL_COPYING"] ?? "0")

let count = 0
const kill = () => process.kill(process.pid, "SIGKILL")

const files = Object.fromEntries(
  Object.entries(RelocationFilesNode.files).map(([name, operation]) => {
    if (typeof operation !== "function") return [name, operation]
    const method = operation as unknown as (...args: ReadonlyArray<never>) => Effect.Effect<unknown>
    return [
      name,
      (...args: ReadonlyArray<never>) =>
        Effect.suspend(() => {
          if (count++ === killAt) kill()
          if (name === "copy" && killCopying > 0) {
            setInterval(
              () => (fs.statSync(String(args[1]), { throwIfNoEntry: false })?.size ?? 0) > killCopying && kill(),
              1
            ).unref()
          }
          return method(...args)
        })
    ]
  })
) as RelocationFiles["Service"]

const note = (where: string) => Effect.sync(() => fs.writeFileSync(book, where))
const books: SessionRegistries = { apply: () => note("destination"), revert: () => note("source") }

const main = Effect.gen(function* () {
  const engine = yield* make({ directory, ensure: Effect.void })
  const result = yield* Effect.result(engine.move(JSON.parse(plan) as Plan, books))
  const said = result._tag === "Success" ? "moved" : result.failure.reason
  fs.writeSync(1, `${said} ${count}\n${result._tag === "Failure" ? `${result.failure.message}\n` : ""}`)
}).pipe(Effect.provide(Layer.merge(realLayer, Layer.succeed(RelocationFiles, files))))

Effect.runFork(main)
