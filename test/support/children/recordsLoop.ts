// Records sessions under tags, again and again. Says "ready", waits for a line on standard input, prints at the end how
// many.
import { Effect } from "effect"
import * as fs from "node:fs"
import { SessionRecords } from "../../../src/services/SessionRecords.ts"
import { recordsIn, tag } from "../data/sessionRecords.ts"

const [home = "", cli = "", count = "0", ...tags] = process.argv.slice(2)

fs.writeSync(1, "ready\n")
fs.readSync(0, new Uint8Array(1))

Effect.runFork(
  Effect.gen(function* () {
    const records = yield* SessionRecords
    let made = 0
    for (let i = 0; i < Number(count); i++) {
      for (const name of tags) {
        yield* records.record(tag(name), {
          cli,
          base: "claude",
          sessionId: `${cli}-${i}`,
          transcriptPath: null,
          cwd: "/srv"
        })
        made++
      }
    }
    fs.writeSync(1, `${made} records\n`)
  }).pipe(Effect.provide(recordsIn(home)))
)
