import { assert, describe } from "@effect/vitest"
import { appendFileSync, writeFileSync } from "node:fs"
import { makePlace } from "../support/processes/pastSessions.ts"
import { eventually, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"
import { longTestPatience } from "../support/run/patience.ts"

describe("leap hand", () => {
  live(
    "goes on in another CLI with what a transcript tells, in the same directory, and both logs say so",
    function* () {
      const { at, done, leap, past, room, transcript, until } = yield* makePlace()
      yield* past("one", "a", "aaaa-1", "--", "--model", "haiku")
      const said = (type: string, content: unknown) => {
        const message = { role: type, content }
        return `${JSON.stringify({ type, uuid: type, timestamp: "2026-11-21T08:00:00.000Z", message })}\n`
      }
      appendFileSync(
        transcript("a", "aaaa-1"),
        said("user", "see @notes.md") +
          said("assistant", [{ type: "text", text: "It speaks of rhubarb; password=hunter2hunter2." }])
      )

      const handed = yield* done("hand", "one", "and now?", "--to", "demo", "--detach")
      assert.strictEqual(handed.stdout, "one-demo\n")
      const [first, second] = handed.stderr.split("\n")
      assert.strictEqual(
        first,
        "leap: 'one' goes on as 'one-demo' in leap demo, which is told its last 2 turns; 'one' stays as it is"
      )
      assert.strictEqual(
        second,
        "leap: not carried over: its modes, rules for it alone, what was allowed in it, what its tools gave back; " +
          "its arguments of before are not given again: --model haiku"
      )
      const { cwd } = yield* until("one-demo", ({ queue, ready }) => ready && queue.length === 0, "it was told")
      assert.strictEqual(cwd, at("a"))
      yield* eventually(() => room.log().some(({ event }) => event === "turn_started"), "it was typed")
      const told = room.log().find(({ event }) => event === "turn_started")?.text ?? ""
      assert.match(told, /^\[leap\] This conversation began in Claude Code, in session 'one', and goes on here\./)
      assert.match(told, /User:\n> see ＠notes\.md\n\nAssistant:\n> It speaks of rhubarb; password=\*\*\*/)
      assert.isTrue(told.endsWith("Your user says now:\n\nand now?"), told)

      // ---- each names the other
      const log = (tag: string) => done("log", tag)
      assert.match((yield* log("one")).stdout, /  one  its conversation goes on in 'one-demo'\n/)
      assert.match((yield* log("one-demo")).stdout, /  one-demo  goes on with what was said in 'one'\n/)
      const { entries } = JSON.parse((yield* done("log", "--json")).stdout) as {
        readonly entries: ReadonlyArray<{ readonly kind: string; readonly tag: string; readonly text: string }>
      }
      const both = entries.filter(({ kind }) => kind.startsWith("continue"))
      assert.sameDeepMembers(
        both.map(({ kind, tag, text }) => [tag, kind, text]),
        [
          ["one", "continued", "one-demo"],
          ["one-demo", "continues", "one"]
        ]
      )

      // ---- what cannot be
      writeFileSync(at("bin/gemini"), "#!/bin/sh\n", { mode: 0o755 })
      const refused = [
        [["hand", "two", "--to", "demo"], 3, "there is no session 'two'"],
        [["hand", "one", "--detach"], 2, "--to names the CLI in which it goes on: gemini"],
        [["hand", "one", "--to", "claude", "--detach"], 2, "is a session of Claude Code already"],
        [["hand", "one", "--to", "nothing", "--detach"], 2, "nothing"],
        [["hand", "one", "--to", "codex", "--detach"], 7, "Codex is not installed"],
        [["hand", "one", "--to", "demo", "--as", "one", "--detach"], 2, "the new session needs another name"],
        [["hand", "one", "--to", "demo", "--as", "one-demo", "--detach"], 5, "session 'one-demo' runs already"]
      ] as const
      for (const [words, code, why] of refused) {
        const ran = yield* leap(...words)
        assert.deepStrictEqual([ran.code, ran.stdout], [code, ""], ran.stderr)
        assert.match(ran.stderr, /^leap: [^\n]+\n$/)
        assert.include(ran.stderr, why)
      }
      assert.isFalse(room.log().some(({ text }) => text.includes("hunter2")))
      yield* done("stop", "one-demo", "--force")
    },
    longTestPatience
  )

  live(
    "goes on with what the record tells of a session that runs, whose CLI keeps no transcript",
    function* () {
      const room = yield* makeRoom()
      const done = (...args: ReadonlyArray<string>) => room.leap(args)
      yield* done("clis", "add", "twin", "--base", "demo")
      yield* startDemo(room, "one")
      const none = yield* room.leap(["hand", "one", "--to", "twin", "--detach"])
      assert.deepStrictEqual([none.code, none.stdout], [5, ""])
      assert.strictEqual(
        none.stderr,
        "leap: nothing was said in 'one' yet that leap can read, so there is nothing to go on with\n"
      )
      for (const text of ["say rhubarb", "say gooseberry"])
        assert.strictEqual((yield* room.leap(["send", "one", text, "--wait"])).code, 0)
      const handed = yield* room.leap(["hand", "one", "--to", "twin", "--as", "two", "--detach", "--json"])
      assert.strictEqual(handed.code, 0, handed.stderr)
      assert.deepInclude(JSON.parse(handed.stdout).sessions[0], { tag: "two", cli: "twin" })
      assert.include(handed.stderr, "'one' stays as it is, and runs in the same directory")
      yield* eventually(
        () => room.log().some(({ event, text }) => event === "turn_started" && text.startsWith("[leap]")),
        "it was told"
      )
      const told = room.log().find(({ text }) => text.startsWith("[leap]"))?.text ?? ""
      assert.match(told, /User:\n> say rhubarb\n\nAssistant:\n>.*\n\nUser:\n> say gooseberry\n\nAssistant:\n>/s)
      assert.strictEqual((yield* room.leap(["status", "one", "--json"])).code, 0)
      assert.notStrictEqual((yield* room.until("one", () => true, "it runs")).state, "exited")
    },
    longTestPatience
  )
})
