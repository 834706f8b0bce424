// Tells CLIs where a session is and takes it back, again and again, by edits that it is given as JSON; or, as `writer`,
// counts in another row of a database. Prints a line after each round, and ends when it is killed or its input ends.
import { provider as codex } from "../../../src/layers/providers/codex/Provider.ts"
import { provider as copilot } from "../../../src/layers/providers/copilot/Provider.ts"
import { provider as opencode } from "../../../src/layers/providers/opencode/Provider.ts"
import { Effect } from "effect"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { Edit } from "../../../src/domain/store/relocation/Plan.ts"
import * as RelocationFilesNode from "../../../src/layers/relocator/RelocationFilesNode.ts"

const [what = "", argument = ""] = process.argv.slice(2)
let ended = false
process.stdin.on("end", () => (ended = true)).resume()

const mover = async () => {
  const edits = JSON.parse(argument) as ReadonlyArray<Edit>
  const of = ({ kind }: Edit) => [codex, copilot, opencode].find(({ id }) => kind.startsWith(`${id}.`))?.relocation
  for (let round = 1; !ended; round++) {
    for (const step of ["apply", "revert"] as const) {
      await Effect.runPromise(
        Effect.forEach(edits, (edit) => of(edit)?.[step](edit) ?? Effect.void).pipe(
          Effect.provide(RelocationFilesNode.layer)
        )
      )
    }
    fs.writeSync(1, `${round}\n`)
    // lets the end of its input be seen
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const writer = async () => {
  const database = new DatabaseSync(argument, { timeout: 5000 })
  for (let round = 1; !ended; round++) {
    database.exec(
      "BEGIN IMMEDIATE; UPDATE threads SET tokens_used = tokens_used + 1 WHERE id = '01a1ff7e-00c3-7243-8f44-145367539198'"
    )
    // holds it for a while, as one that has more to write
    await new Promise((resolve) => setTimeout(resolve, 2))
    database.exec("COMMIT")
    fs.writeSync(1, `${round}\n`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  database.close()
}

await (what === "writer" ? writer() : mover())
