import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { readBook } from "../../src/domain/store/conversations/RecordBook.ts"
import { hostSession, layer } from "../../src/host.ts"
import { eventually, makeRoom } from "../support/processes/Room.ts"
import { testPatience } from "../support/run/patience.ts"
import { each, rowsOf } from "../support/data/fields.ts"
import { live } from "../support/run/effects.ts"

/** Tells of a session, and of another one when it is asked to, with the hook script that leap has installed. */
const program = `#!/bin/sh
[ "$1" = --version ] && { echo "2.1.329 (Claude Code)"; exit 0; }
tell() {
  mkdir -p "$HOME/.claude/projects/-x"
  echo '{}' >"$HOME/.claude/projects/-x/$1.jsonl"
  printf '{"hook_event_name":"SessionStart","source":"clear","session_id":"%s","transcript_path":"%s","cwd":"%s"}' "$1" "$HOME/.claude/projects/-x/$1.jsonl" "$PWD" |
    "$LEAP_HOME/hooks/leap-hook.sh" SessionStart
}
tell first
echo up
until [ -f "$HOME/next-$LEAP_TAG" ]; do sleep 0.05; done
tell second
exec cat
`

/** A room whose `claude` is that program: its environment, and what is recorded of a tag there. */
const withProgram = Effect.gen(function* () {
  const room = yield* makeRoom()
  const bin = path.join(room.dir, "bin")
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, "claude"), program, { mode: 0o755 })
  const records = (tag: string) => {
    const file = path.join(room.dir, `leap/records/${tag}.json`)
    return fs.existsSync(file) ? readBook(fs.readFileSync(file)).book.map(({ record }) => record) : []
  }
  const goOn = (tag: string) => fs.writeFileSync(path.join(room.dir, `next-${tag}`), "")
  return { room, records, goOn, extra: { PATH: `${bin}:${room.env["PATH"] ?? ""}` } }
})

describe("records of a tag's sessions", () => {
  live(
    "two sessions that one process hosts are each recorded as their own hooks tell, new conversations too",
    function* () {
      const { extra, goOn, records, room } = yield* withProgram
      const started = { cli: "claude", hooks: "install", cwd: room.dir } as const
      const ids = (tag: string) => each(records(tag), "sessionId")
      yield* Effect.gen(function* () {
        yield* hostSession({ ...started, tag: "one" })
        yield* hostSession({ ...started, tag: "two" })
        yield* eventually(() => ids("one").length + ids("two").length === 2, "both first sessions are recorded")
        goOn("two")
        yield* eventually(() => ids("two").length === 2, "the second host's new conversation is recorded")
        assert.deepStrictEqual([ids("one"), ids("two")], [["first"], ["first", "second"]])
        goOn("one")
        yield* eventually(() => ids("one").length === 2, "and the first host's")
      }).pipe(Effect.scoped, Effect.provide(layer({ env: { ...room.env, ...extra }, self: room.command })))
      assert.deepStrictEqual(
        [ids("one"), ids("two")],
        [
          ["first", "second"],
          ["first", "second"]
        ]
      )
    },
    testPatience
  )

  live(
    "every session of the CLI is recorded by its host as its hooks tell of it, and survives the tag's session",
    function* () {
      const { extra, goOn, records: recordsOf, room } = yield* withProgram
      const leap = (...args: ReadonlyArray<string>) =>
        Effect.flatMap(room.leap(args, "", extra), (ran) =>
          ran.code === 0 ? Effect.succeed(ran.stdout) : Effect.die(new Error(`${args.join(" ")}: ${ran.stderr}`))
        )
      const records = () => recordsOf("one")
      yield* leap("hooks", "install", "--cli", "claude")
      yield* leap("one", "--cli", "claude", "--detach")
      yield* eventually(() => records().length === 1, "the first session is recorded")
      const [first] = records()
      assert.deepInclude(first, {
        cli: "claude",
        base: "claude",
        sessionId: "first",
        cwd: fs.realpathSync(room.dir),
        transcriptPath: path.join(room.dir, ".claude/projects/-x/first.jsonl")
      })
      goOn("one")
      yield* eventually(() => records().length === 2, "the second session is recorded")
      const [, second] = records()
      yield* leap("stop", "one", "--force")
      yield* eventually(() => (records()[1]?.lastSeen ?? 0) > (second?.lastSeen ?? 0), "its end is recorded")
      assert.deepStrictEqual(rowsOf(records(), "sessionId", "firstSeen"), [
        ["first", first?.firstSeen],
        ["second", second?.firstSeen]
      ])
      yield* leap("forget", "one")
      assert.deepStrictEqual(each(records(), "sessionId"), ["first", "second"])
      assert.notInclude(fs.readdirSync(path.join(room.dir, "leap/sessions")), "one")
    },
    testPatience
  )
})
