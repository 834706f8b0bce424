// Appends to a queue's log until it is killed, and says on stdout, one line each, what has been acknowledged.
import { Effect } from "effect"
import * as fs from "node:fs"
import * as QueueStoreFile from "../../../src/layers/files/QueueStoreFile.ts"
import { accepted } from "../data/queueFixtures.ts"

const [file = "", from = "0"] = process.argv.slice(2)
const store = QueueStoreFile.make(QueueStoreFile.files)

Effect.runFork(
  Effect.scoped(
    Effect.gen(function* () {
      const log = yield* store.open(file)
      fs.writeSync(1, "open\n")
      for (let i = Number(from); ; i++) {
        yield* log.append([accepted(`m${i}`, `${"x".repeat(i % 400)} 漢\nend`)])
        fs.writeSync(1, `m${i}\n`)
        if (i % 17 === 16) yield* log.compact((yield* store.read(file)).slice(-40))
      }
    })
  )
)
