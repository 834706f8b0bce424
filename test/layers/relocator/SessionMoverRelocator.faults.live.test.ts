// Everything that a move of a session does to the disk fails or is its mover's last deed: the files' operations, those
// on the CLI's registry and its lock, those on leap's records. After it and a recovery all is as before the move, or as
// after one that met no fault: to the byte, and nothing else besides.
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as fs from "node:fs"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { injections } from "../../support/relocation/injections.ts"
import { type Home, inHome } from "../../support/relocation/moverHome.ts"
import { Life, run } from "../../support/relocation/relocation.ts"
import { isThorough, isTried } from "../../support/run/thorough.ts"
import { testPatience } from "../../support/run/patience.ts"
import { live } from "../../support/run/effects.ts"

/** A home with a session that two tags know, differently. */
interface Scene {
  readonly what: string
  readonly plant: (home: Home) => SessionRecord
  /** The CLI's directory for the project goes with its last session. */
  readonly tidies: boolean
  /** What may be another file after a move that was undone: it was written anew. */
  readonly rewritten: ReadonlyArray<string>
}

const scenes: ReadonlyArray<Scene> = [
  { what: "Claude Code", plant: (home) => home.claude(), tidies: false, rewritten: [] },
  { what: "Cursor Agent", plant: (home) => home.cursorAgent(), tidies: true, rewritten: [] },
  {
    what: "Gemini CLI",
    plant: (home) => home.gemini(),
    tidies: false,
    rewritten: ["08-00-0b9f1c1e.jsonl", "projects.json"]
  },
  {
    what: "Gemini CLI without a registry",
    plant: (home) => {
      const record = home.gemini({ twin: false })
      fs.rmSync(home.at(".gemini/projects.json"))
      fs.rmSync(home.at(".gemini/history"), { recursive: true })
      return record
    },
    tidies: false,
    rewritten: []
  }
]

const plant = (home: Home, scene: Scene): SessionRecord => {
  const record = scene.plant(home)
  home.record("one", record)
  home.record("two", { ...record, cwd: home.at("work"), transcriptPath: null })
  return record
}

/** Files by name, with what makes each the one it was. */
const identities = (home: Home): ReadonlyMap<string, string> =>
  new Map(
    [...home.shoot()]
      .filter(([, { kind }]) => kind === "file")
      .map(([name]) => {
        const { ino, mtimeNs } = fs.statSync(home.at(name), { bigint: true })
        return [name, `${ino} ${mtimeNs}`]
      })
  )

/** An operation on somebody's books: few among the many on the session's files, and here for the first time. */
const isOfBooks = (operation: string, at: string): boolean =>
  operation.startsWith("record") || /projects\.json|\.project_root|\.gemini\/history|08-00-/.test(at)

const totals = { points: 0, runs: 0 }

for (const [test, scene] of scenes.entries()) {
  live(
    `${scene.what}: whatever fails or dies at whatever operation, all is as before the move or as after it`,
    function* () {
      const { after, before, log } = yield* inHome(function* (home) {
        const record = plant(home, scene)
        const before = home.shoot()
        const life = new Life(() => run)
        yield* home.move(record, home.b, life)
        return { before, after: home.shoot(), log: life.log }
      })
      assert.notDeepEqual(after, before)
      const operations = log.map(({ operation }) => operation)
      const counts = { points: 0, books: 0, runs: 0, before: 0, after: 0, recovered: 0 }
      for (const [k, { at, operation }] of log.entries()) {
        const ofBooks = isOfBooks(operation, at)
        if (!isTried(k, test) || (!isThorough && !ofBooks && k % 3 !== 0)) continue
        counts.points++
        if (ofBooks) counts.books++
        // an emptied directory of the CLI's that may not be taken away is no reason to call the move incomplete: it
        // stays
        const all = injections(operations, k).filter(
          ({ fault }) =>
            !(scene.tidies && operation === "removeDirectory" && fault._tag === "fail" && fault.code === "EACCES")
        )
        for (const { fault, lasting, name } of isThorough
          ? all
          : all.filter((_, n) => n === counts.points % all.length)) {
          const what = `${name} at ${k}: ${operation} ${at}`
          counts.runs++
          yield* inHome(function* (home) {
            const record = plant(home, scene)
            const untouched = identities(home)
            const life = new Life((n) => (n === k || (lasting && n > k) ? fault : run))
            const exit = yield* Effect.exit(home.move(record, home.b, life))
            assert.isAbove(life.operations.length, k, `${what}: it was not reached`)
            if (Exit.isFailure(exit) && fault._tag !== "die") {
              const error = Cause.squash(exit.cause)
              assert.match((error as Error).message, /^session \S+ was not moved: .*(?:complete|lie about)/, what)
            }
            // every other time the user tries the same move again instead of anything else
            const again = fault._tag === "die" && k % 2 === 1
            if (again) assert.isNull((yield* home.move(record)).pending, what)
            const recovered = yield* home.recover()
            counts.recovered += recovered.length
            for (const { outcome, why } of recovered) assert.notStrictEqual(outcome, "refused", `${what}: ${why}`)
            const isBefore = home.exists(...isAt(home, record))
            counts[isBefore ? "before" : "after"]++
            if (Exit.isSuccess(exit) || again) assert.isFalse(isBefore, what)
            home.verifySame(isBefore ? before : after, what)
            if (isBefore) {
              const now = identities(home)
              for (const [name, identity] of untouched) {
                if (!name.startsWith("leap/") && !scene.rewritten.some((ending) => name.endsWith(ending)))
                  assert.strictEqual(now.get(name), identity, `${what}: ${name} is another`)
              }
            }
            assert.deepStrictEqual(yield* home.recover(), [], `${what}: a second recovery found something`)
          })
        }
      }
      totals.points += counts.points
      totals.runs += counts.runs
      console.log(
        `${scene.what}: ${counts.points} of ${log.length} injection points, ${counts.books} of them in the books, ${counts.runs} runs: ` +
          `${counts.before} ended before the move, ${counts.after} after it, ${counts.recovered} journals settled by a recovery ` +
          `(all so far: ${totals.points} points, ${totals.runs} runs)`
      )
      assert.isAbove(counts.books, 0)
      assert.isAbove(counts.before, 0)
    },
    isThorough ? 600_000 : testPatience
  )
}

/** The session's file or directory where it is before the move. */
const isAt = (home: Home, { transcriptPath }: SessionRecord): ReadonlyArray<string> => [
  (transcriptPath ?? home.cursorAgentChat(home.a)).slice(home.root.length)
]
