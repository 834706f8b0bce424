import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { slugOf } from "../../../src/domain/providers/claude/Relocation.ts"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { type Home, id, inHome } from "../../support/relocation/moverHome.ts"
import { childProgram } from "../../support/children/childProgram.ts"

const script = childProgram("moverChild")
const lives = 24
/** About as long as a journal is there. */
const span = 80

/** A process that moves the session to and fro, and is killed so many milliseconds after a journal of its was seen. */
const killed = (home: Home, record: SessionRecord, after: number) =>
  Effect.callback<string | null>((resume) => {
    const child: ChildProcess = spawn(process.execPath, [script, home.root, JSON.stringify(record), "1000"], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let said = ""
    const journals = home.at("leap/relocations")
    const watch = setInterval(() => {
      if (!fs.readdirSync(journals).some((name) => name.endsWith(".journal"))) return
      clearInterval(watch)
      setTimeout(() => child.kill("SIGKILL"), after)
    }, 1)
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    child.once("close", (_code, signal) => {
      clearInterval(watch)
      resume(Effect.succeed(signal === "SIGKILL" ? said : null))
    })
    return Effect.sync(() => {
      clearInterval(watch)
      child.kill("SIGKILL")
    })
  }).pipe(Effect.timeout("60 seconds"))

it.live(
  "a mover of a Gemini session that is killed from outside at any instant leaves it complete in one place, and the books agree",
  () =>
    inHome(function* (home) {
      let record = home.gemini({ twin: false })
      home.record("one", record)
      // once to and fro: then both directories are known to Gemini
      record = (yield* home.move((yield* home.move(record)).session, home.a)).session
      const atA = home.shoot()
      const { session } = yield* home.move(record)
      const atB = home.shoot()
      record = session
      const ends = { a: 0, b: 0, moves: 0, settled: 0 }
      for (let life = 0; life < lives; life++) {
        // spread over the span, and shifted a little from run to run
        const said = yield* killed(home, record, ((life + Math.random()) / lives) * span)
        assert.isNotNull(said, "it was not killed")
        assert.notInclude(said, "Error", said ?? "")
        ends.moves += (said?.match(/moved to/g) ?? []).length
        const recovered = yield* home.recover()
        ends.settled += recovered.length
        for (const { outcome, why } of recovered) assert.notStrictEqual(outcome, "refused", why)
        const isAtA = fs.existsSync(home.geminiChat("old-project"))
        ends[isAtA ? "a" : "b"]++
        home.verifySame(isAtA ? atA : atB, `life ${life}`)
        const [[, cwd, transcriptPath] = ["", "", null]] = home.said()
        record = { ...record, cwd, transcriptPath }
      }
      console.log(
        `${lives} movers killed by SIGKILL from outside, which had done ${ends.moves} moves: ${ends.settled} journals settled, ended ${ends.a} times in one directory, ${ends.b} in the other`
      )
      assert.strictEqual(ends.a + ends.b, lives)
    }),
  300_000
)

it.live(
  "a full disk and one that cannot be written to refuse the move of a session, by name, and it is where it was",
  ({ skip }) =>
    Effect.gen(function* () {
      if (spawnSync("unshare", ["-rm", "true"]).status !== 0) return skip("no user namespaces here")
      const disks = [
        [
          "size=256k",
          /^failed: .*the disk is full; free some space and try again \(ENOSPC\)\. It is where it was, complete/m
        ],
        ["size=4m,ro", /^not-writable: .*its permissions or its disk forbid it\. It is where it was, complete/m]
      ] as const
      // the second is among the engine's own tests
      for (const [mount, said] of disks) {
        yield* inHome(function* (home) {
          yield* Effect.sync(() => {
            const record = home.claude()
            home.write(`.claude/projects/${slugOf(home.a)}/${id}/big`, "x".repeat(1 << 20))
            home.record("one", record)
            const there = home.directory(`.claude/projects/${slugOf(home.b)}`)
            const before = home.shoot()
            const ran = spawnSync(
              "unshare",
              [
                "-rm",
                "sh",
                "-ec",
                `mount -t tmpfs -o ${mount} none "$1"; shift; exec "$@"`,
                "sh",
                there,
                process.execPath,
                script,
                home.root,
                JSON.stringify(record),
                "1"
              ],
              { encoding: "utf8" }
            )
            assert.match(ran.stdout, said, ran.stderr)
            home.verifySame(before, mount)
          })
        })
      }
    })
)
