// Moves the session of a home to and fro between two directories as a process of its own, until it is ended or has done
// so as often as it was told. Says what became of each move.
import { Effect } from "effect"
import * as fs from "node:fs"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { Home } from "../relocation/moverHome.ts"

const [root = "", session = "", times = "1"] = process.argv.slice(2)
const home = new Home({ root })

const main = Effect.gen(function* () {
  let record = JSON.parse(session) as SessionRecord
  fs.writeSync(1, "ready\n")
  for (let n = 0; n < Number(times); n++) {
    const result = yield* Effect.result(home.move(record, record.cwd === home.a ? home.b : home.a))
    if (result._tag === "Success") record = result.success.session
    fs.writeSync(
      1,
      result._tag === "Success" ? `moved to ${record.cwd}\n` : `${result.failure.reason}: ${result.failure.message}\n`
    )
  }
})

Effect.runFork(main)
