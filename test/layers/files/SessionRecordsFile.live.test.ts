import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { readBook } from "../../../src/domain/places/sessions/recordFile.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import type { LaunchOptions } from "../../../src/services/CLIProvider.ts"
import { SessionRecords } from "../../../src/services/SessionRecords.ts"
import { makeRecordsHome, recordOf, recordsIn, tag } from "../../support/data/sessionRecords.ts"
import { childProgram } from "../../support/children/childProgram.ts"
import { patience } from "../../support/run/patience.ts"

const script = childProgram("recordsLoop")

/** Lets processes record sessions at the same moment, and gives back what each printed. */
const race = (processes: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.gen(function* () {
    const children = yield* Effect.forEach(
      processes,
      (args) =>
        Effect.callback<{ readonly go: () => void; readonly done: Promise<string> }>((resume) => {
          const child = spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "pipe"] })
          let said = ""
          const done = new Promise<string>((ended) =>
            child.once("close", (code) => ended(`${said.replace("ready\n", "")}${code}`))
          )
          const hear = (data: string) => {
            said += data
            if (said.includes("ready")) resume(Effect.succeed({ go: () => child.stdin.end("\n"), done }))
          }
          child.stdout.setEncoding("utf8").on("data", hear)
          child.stderr.setEncoding("utf8").on("data", hear)
          return Effect.sync(() => child.kill("SIGKILL"))
        }),
      { concurrency: "unbounded" }
    )
    for (const child of children) child.go()
    return yield* Effect.promise(() => Promise.all(children.map(({ done }) => done)))
  }).pipe(Effect.timeout(patience))

const idsIn = (file: string) => readBook(fs.readFileSync(file)).book.map(({ record }) => record.sessionId)

describe("records of sessions", () => {
  it.live(
    "nothing is lost when two processes record at the same moment, and a third one moves a session meanwhile",
    () =>
      Effect.gen(function* () {
        const { file, home } = yield* makeRecordsHome
        const moving = Effect.gen(function* () {
          const records = yield* SessionRecords
          yield* records.record(tag("both"), {
            cli: "codex",
            base: "codex",
            sessionId: "moved",
            transcriptPath: null,
            cwd: "/old"
          })
          const raced = yield* Effect.forkChild(
            race([
              [home, "one", "24", "both", "one"],
              [home, "two", "24", "both"]
            ])
          )
          for (let i = 0; i < 20; i++) {
            assert.strictEqual(
              yield* records.relocate({ cli: "codex", sessionId: "moved", cwd: `/new/${i}`, transcriptPath: null }),
              1
            )
          }
          return yield* Fiber.join(raced)
        })
        assert.deepStrictEqual(yield* Effect.provide(moving, recordsIn(home)), ["48 records\n0", "24 records\n0"])
        const all = ["one", "two"].flatMap((cli) => Array.from({ length: 24 }, (_, i) => `${cli}-${i}`))
        assert.deepStrictEqual(idsIn(file("both")).sort(), [...all, "moved"].sort())
        assert.deepStrictEqual(idsIn(file("one")).length, 24)
        assert.strictEqual(
          readBook(fs.readFileSync(file("both"))).book.find(({ record }) => record.sessionId === "moved")?.record.cwd,
          "/new/19"
        )
        assert.strictEqual(fs.statSync(file("both")).mode & 0o777, 0o600)
        assert.strictEqual(fs.statSync(path.dirname(file("both"))).mode & 0o777, 0o700)
      }).pipe(Effect.scoped)
  )

  it.live("a damaged file's sessions count; all of it is kept aside once, before the file is written", () =>
    Effect.gen(function* () {
      const { file, home, kept, write } = yield* makeRecordsHome
      const sound = JSON.stringify({
        schema: 1,
        sessions: [recordOf({ sessionId: "first" }), recordOf({ sessionId: "second" })]
      })
      const damaged = sound.slice(0, sound.indexOf("second"))
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        write("leap/records/t.json", damaged)
        for (const id of ["third", "fourth"]) yield* records.record(tag("t"), recordOf({ sessionId: id }))
        assert.deepStrictEqual(idsIn(file("t")), ["first", "third", "fourth"])
        const aside = kept().filter((name) => name.endsWith(".damaged"))
        assert.strictEqual(aside.length, 1)
        assert.strictEqual(fs.readFileSync(path.join(home, "leap/records", aside[0] ?? ""), "utf8"), damaged)
        assert.deepStrictEqual(
          (yield* records.all).map(({ tag }) => tag),
          ["t"],
          "what is kept aside is no tag's"
        )
        // a move that finds nothing to change in it leaves it alone
        write("leap/records/u.json", damaged)
        yield* Effect.flip(records.relocate({ cli: "claude", sessionId: "unknown", cwd: "/new", transcriptPath: null }))
        assert.strictEqual(fs.readFileSync(file("u"), "utf8"), damaged)
      }).pipe(Effect.provide(recordsIn(home)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "a session is not gone while the place for all of them is not there: its disk may not be mounted, its home be another",
    () =>
      Effect.gen(function* () {
        const { file, home, transcript, write } = yield* makeRecordsHome
        write(
          "leap/records/t.json",
          JSON.stringify({
            schema: 1,
            sessions: [recordOf({ transcriptPath: path.join(home, ".claude/projects/-work/s1.jsonl") })]
          })
        )
        yield* Effect.gen(function* () {
          const records = yield* SessionRecords
          assert.deepStrictEqual([yield* records.prune, yield* records.rows], [0, []])
          transcript("other")
          assert.deepStrictEqual([yield* records.prune, idsIn(file("t"))], [1, []])
        }).pipe(Effect.provide(recordsIn(home)))
      }).pipe(Effect.scoped)
  )

  it.live("Claude: a session whose recorded path was never right is found by its id", () =>
    Effect.gen(function* () {
      const { home, transcript, write } = yield* makeRecordsHome
      transcript("s1", "{}\n", "-elsewhere")
      write(
        "leap/records/t.json",
        JSON.stringify({
          schema: 1,
          sessions: [recordOf({ transcriptPath: path.join(home, ".claude/projects/-work/s1.jsonl") })]
        })
      )
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        assert.deepStrictEqual(
          (yield* records.rows).map(({ record }) => record.sessionId),
          ["s1"]
        )
        assert.strictEqual(yield* records.prune, 0)
      }).pipe(Effect.provide(recordsIn(home)))
    }).pipe(Effect.scoped)
  )

  it.live("a variant's sessions are looked for where its environment leads", () =>
    Effect.gen(function* () {
      const { file, home, write } = yield* makeRecordsHome
      write("work/projects/-work/there.jsonl", "{}\n")
      const work = {
        ...claude,
        id: "work",
        launch: (options: LaunchOptions) => ({
          ...claude.launch(options),
          env: { CLAUDE_CONFIG_DIR: path.join(home, "work") }
        })
      }
      const of = (sessionId: string) => recordOf({ cli: "work", base: "claude", sessionId })
      write("leap/records/t.json", JSON.stringify({ schema: 1, sessions: [of("there"), of("gone")] }))
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        assert.deepStrictEqual(
          (yield* records.rows).map(({ record }) => record.sessionId),
          ["there"]
        )
        assert.deepStrictEqual([yield* records.prune, idsIn(file("t"))], [1, ["there"]])
      }).pipe(Effect.provide(recordsIn(home, [claude, work])))
    }).pipe(Effect.scoped)
  )

  it.live("Codex: an archived session is not gone", () =>
    Effect.gen(function* () {
      const { file, home, write } = yield* makeRecordsHome
      const rollout = (name: string) => path.join(home, `.codex/sessions/2026/11/21/rollout-${name}.jsonl`)
      write(".codex/sessions/other", "")
      write(".codex/archived_sessions/rollout-archived.jsonl", "{}\n")
      const of = (sessionId: string) => recordOf({ cli: "codex", sessionId, transcriptPath: rollout(sessionId) })
      write("leap/records/t.json", JSON.stringify({ schema: 1, sessions: [of("archived"), of("gone")] }))
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        assert.deepStrictEqual([yield* records.prune, idsIn(file("t"))], [1, ["archived"]])
      }).pipe(Effect.provide(recordsIn(home)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "of a CLI that leap knows no more, and of one whose sessions cannot be told apart, nothing is forgotten",
    () =>
      Effect.gen(function* () {
        const { file, home, write } = yield* makeRecordsHome
        write(".local/share/opencode/opencode.db", "")
        write(
          "leap/records/t.json",
          JSON.stringify({
            schema: 1,
            sessions: [
              recordOf({ cli: "never" }),
              recordOf({ cli: "demo" }),
              recordOf({ cli: "opencode", sessionId: "ses_1" })
            ]
          })
        )
        yield* Effect.gen(function* () {
          const records = yield* SessionRecords
          assert.strictEqual(yield* records.prune, 0)
          assert.strictEqual((yield* records.rows).length, 3)
          assert.strictEqual(idsIn(file("t")).length, 3)
        }).pipe(Effect.provide(recordsIn(home)))
      }).pipe(Effect.scoped)
  )

  it.live("are not written for what is no path, and say so", () =>
    Effect.gen(function* () {
      const { home, kept } = yield* makeRecordsHome
      yield* Effect.gen(function* () {
        const records = yield* SessionRecords
        for (const own of [{ cwd: "here" }, { cwd: "/a\0b" }, { transcriptPath: "t.jsonl" }]) {
          assert.match(
            (yield* Effect.flip(records.record(tag("t"), recordOf(own)))).message,
            /session "s1" of 't' was not recorded: it is no absolute path/
          )
        }
      }).pipe(Effect.provide(recordsIn(home)))
      assert.deepStrictEqual(kept(), [])
    }).pipe(Effect.scoped)
  )
})
