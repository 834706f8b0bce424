// Whatever fails or dies in a move of a session that is an entry of its CLI's registry: the registry says the old or
// the new directory, with leap's records, and nothing else in it changes.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import type { Edit } from "../../../src/domain/store/relocation/Plan.ts"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import * as RelocationFilesNode from "../../../src/layers/relocator/RelocationFilesNode.ts"
import { injections } from "../../support/relocation/injections.ts"
import { type Home, inHome } from "../../support/relocation/moverHome.ts"
import {
  ask,
  databases,
  ids,
  placesIn,
  plantCodex,
  plantCopilot,
  plantOpenCode
} from "../../support/relocation/registries.ts"
import { Life, run } from "../../support/relocation/relocation.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { testPatience } from "../../support/run/patience.ts"
import { each } from "../../support/data/fields.ts"

const clis = [
  ["Codex", plantCodex],
  ["OpenCode", plantOpenCode],
  ["GitHub Copilot", plantCopilot]
] as const

/** All there is, databases as their rows; when a project was made is another time in each run. */
const stateOf = (home: Home) => {
  const { codex, copilot, opencode } = placesIn(home)
  const files = [...home.shoot()].filter(([name]) => !/\.(?:sqlite|db)(?:-wal|-shm)?$/.test(name))
  const projects = opencode?.["project"]?.map((row) => ({ ...(row as object), time_created: 0, time_updated: 0 }))
  return { codex, copilot, opencode: opencode === null ? null : { ...opencode, project: projects }, files }
}

describe("whatever fails or dies at whatever operation", () => {
  it.live.each(clis.map(([name, plant], test) => ({ name, plant, test })))(
    "$name: all is as before the move or as after it",
    ({ name, plant, test }) =>
      Effect.gen(function* () {
        const made = (home: Home) => {
          const record = plant(home)
          home.record("one", record)
          return record
        }
        const { after, before, log } = yield* inHome(function* (home) {
          const record = made(home)
          const before = stateOf(home)
          const life = new Life(() => run)
          yield* home.move(record, home.b, life)
          return { before, after: stateOf(home), log: life.log }
        })
        assert.notDeepEqual(after, before)
        const operations = log.map(({ operation }) => operation)
        const counts = { points: 0, runs: 0, before: 0, after: 0 }
        for (const [k, { at, operation }] of log.entries()) {
          if (!isThorough && (k + test) % 2 !== 0) continue
          counts.points++
          const all = injections(operations, k)
          for (const { fault, lasting, name } of isThorough
            ? all
            : all.filter((_, n) => n === counts.points % all.length)) {
            const what = `${name} at ${k}: ${operation} ${at}`
            counts.runs++
            yield* inHome(function* (home) {
              const record = made(home)
              const life = new Life((n) => (n === k || (lasting && n > k) ? fault : run))
              const exit = yield* Effect.exit(home.move(record, home.b, life))
              assert.isAbove(life.operations.length, k, `${what}: it was not reached`)
              const recovered = yield* home.recover()
              for (const { outcome, why } of recovered) assert.notStrictEqual(outcome, "refused", `${what}: ${why}`)
              const isBefore = home.said(record.sessionId)[0]?.[1] === home.a
              counts[isBefore ? "before" : "after"]++
              if (Exit.isSuccess(exit)) assert.isFalse(isBefore, what)
              assert.deepStrictEqual(stateOf(home), isBefore ? before : after, what)
              assert.deepStrictEqual(yield* home.recover(), [], `${what}: a second recovery found something`)
            })
          }
        }
        console.log(
          `${name}: ${counts.points} of ${log.length} injection points, ${counts.runs} runs: ${counts.before} ended before the move, ${counts.after} after it`
        )
        assert.isAbove(counts.before, 0)
      }),
    isThorough ? 600_000 : testPatience
  )
})

const loop = childProgram("registryLoop")

/** A process that works in rounds, and how to wait for a number of them. */
const started = (what: string, argument: string) => {
  const child = spawn(process.execPath, [loop, what, argument], { stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout })
  let rounds = 0
  const ended = once(child, "close")
  lines.on("line", () => rounds++)
  return {
    rounds: () => rounds,
    upTo: async (wanted: number) => {
      while (rounds < wanted)
        await Promise.race([
          once(lines, "line"),
          ended.then(() => Promise.reject(new Error(`it ended after ${rounds} rounds`)))
        ])
    },
    end: async () => {
      child.stdin.end()
      await ended
      return child.exitCode
    },
    kill: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}

/** The edits of moves of sessions of all three from `a` to `b`. */
const editsOf = Effect.fnUntraced(function* (home: Home) {
  const edits: Array<Edit> = []
  for (const [, plant] of clis) {
    const session = plant(home)
    const provider = home.providers.find(({ id }) => id === session.cli)
    if (provider === undefined || provider.relocation === null)
      throw new Error(`sessions of ${session.cli} do not move`)
    edits.push(
      ...(yield* provider.relocation
        .plan({ session, from: home.a, to: home.b, env: { ...home.env, PATH: process.env["PATH"] ?? "" } })
        .pipe(Effect.provide([RelocationFilesNode.layer, OpenFilesNode.layer]))).plan.edits
    )
  }
  assert.deepStrictEqual(each(edits, "kind"), ["codex.threads", "opencode.session", "copilot.workspace"])
  return edits
})

describe("real processes", () => {
  it.live(
    "a mover killed at any moment leaves each registry whole, at the old directory or the new; it can be taken back",
    () =>
      inHome(function* (home) {
        const edits = yield* editsOf(home)
        const before = placesIn(home)
        const kills = isThorough ? 20 : 2
        for (let n = 0; n < kills; n++) {
          yield* Effect.promise(async () => {
            const mover = started("mover", JSON.stringify(edits))
            await mover.upTo(1 + n)
            await new Promise((resolve) => setTimeout(resolve, (n * 7) % 23))
            await mover.kill()
          })
          const now = placesIn(home)
          for (const name of [databases.codex, databases.opencode]) {
            assert.deepStrictEqual(ask(home.at(name), "PRAGMA integrity_check"), [{ integrity_check: "ok" }])
          }
          const codex = ask(home.at(databases.codex), "SELECT cwd FROM threads WHERE id = ?", ids.codex)[0]?.["cwd"]
          assert.include([home.a, home.b], codex)
          const own = ask(
            home.at(databases.opencode),
            "SELECT DISTINCT directory FROM session WHERE id = ? OR parent_id = ? AND directory <> '/elsewhere'",
            ids.opencode,
            ids.opencode
          )
          assert.include([home.a, home.b], own[0]?.["directory"])
          assert.lengthOf(own, 1, "a session and its subagents' are at one place")
          assert.match(now.copilot ?? "", /^id: .*\ncwd: .*(?:old project|New\.place)'?\n/)
          for (const edit of edits)
            yield* Effect.provide(
              home.providers.find(({ id }) => edit.kind.startsWith(`${id}.`))?.relocation?.revert(edit) ??
                Effect.die("no"),
              RelocationFilesNode.layer
            )
          assert.deepStrictEqual(placesIn(home), before)
        }
      }),
    isThorough ? 300_000 : testPatience
  )

  it.live("a program that writes to the same database meanwhile loses nothing, and neither does the move", () =>
    inHome(function* (home) {
      const edits = (yield* editsOf(home)).filter(({ kind }) => kind === "codex.threads")
      const database = home.at(databases.codex)
      const counted = () =>
        ask(database, "SELECT tokens_used FROM threads WHERE id = '01a1ff7e-00c3-7243-8f44-145367539198'")[0]?.[
          "tokens_used"
        ]
      assert.strictEqual(counted(), 0)
      yield* Effect.promise(async () => {
        // it reads in a long transaction too
        const reader = new DatabaseSync(database)
        reader.exec("BEGIN; SELECT * FROM threads")
        const [writer, mover] = [started("writer", database), started("mover", JSON.stringify(edits))]
        await Promise.all([writer.upTo(100), mover.upTo(100)])
        assert.deepStrictEqual(await Promise.all([mover.end(), writer.end()]), [0, 0])
        assert.strictEqual(reader.prepare("SELECT cwd FROM threads WHERE id = ?").get(ids.codex)?.["cwd"], home.a)
        reader.close()
        assert.strictEqual(counted(), writer.rounds())
      })
      assert.deepStrictEqual(ask(database, "SELECT cwd FROM threads ORDER BY id"), [
        { cwd: "/elsewhere" },
        { cwd: home.a },
        { cwd: home.a }
      ])
    })
  )
})
