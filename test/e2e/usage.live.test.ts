import { assert, describe } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { sessionStatus } from "../support/data/sessionStatus.ts"
import { makeRoom } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

const prompts = ["first", "second\nof two lines", "third"]

describe("what a session used, said and cost", () => {
  live("the history of a session that has ended; its figures in the table and in full", function* () {
    const room = yield* makeRoom()
    const project = path.join(room.dir, "project")
    const linked = path.join(room.dir, "linked")
    fs.mkdirSync(project)
    fs.symlinkSync(project, linked)
    const put = (file: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(room.dir, file)), { recursive: true, mode: 0o700 })
      fs.writeFileSync(path.join(room.dir, file), text, { mode: 0o600 })
    }
    const line = (display: string, project: string) => `${JSON.stringify({ display, pastedContents: {}, project })}\n`
    put(".claude/history.jsonl", [...prompts.map((text) => line(text, project)), line("elsewhere", "/")].join("") + "{")
    const ended = sessionStatus({
      tag: "old",
      cli: "claude",
      baseCli: "claude",
      displayName: "Claude Code",
      state: "exited",
      pid: null,
      hostPid: null,
      cwd: linked,
      context: { usedTokens: 86_000, window: 200_000, percent: 43 },
      cost: { usd: 1.234, estimated: true },
      exit: { code: 0, signal: null }
    })
    put("leap/sessions/old/status.json", JSON.stringify({ schema: 1, session: ended }))

    const whole = yield* room.leap(["history", "old", "--json"])
    assert.deepStrictEqual(JSON.parse(whole.stdout), { schema: 1, tag: "old", prompts }, whole.stderr)
    const last = yield* room.leap(["history", "old", "--last", "2"])
    assert.strictEqual(last.stdout, "second\n  of two lines\nthird\n")
    assert.strictEqual((yield* room.leap(["history", "old", "--last", "0"])).code, 2)
    assert.strictEqual((yield* room.leap(["history", "nobody"])).code, 3)

    const table = (yield* room.leap(["status"])).stdout
    assert.match(table, /^TAG +CLI +DIRECTORY +CONTEXT +COST +STATE\nold +claude +.*linked +43% +~\$1\.23 +● exited/)
    const details = (yield* room.leap(["status", "old"])).stdout
    assert.match(details, /^context +43% \(86k of 200k tokens\)$/m)
    assert.match(details, /^cost +~\$1\.23 \(by leap's price table\)$/m)
  })

  live("prices: what counts, where it is from, and a file of the user's", function* () {
    const room = yield* makeRoom()
    const settings = path.join(room.dir, "leap", "settings.json")
    const shipped = JSON.parse((yield* room.leap(["prices", "--json"])).stdout) as {
      models: ReadonlyArray<{ model: string; source: string; input: number }>
      file: string | null
    }
    assert.isNull(shipped.file)
    assert.isAbove(shipped.models.length, 50)
    assert.isTrue(shipped.models.every(({ source }) => source === "leap"))

    const unknown = yield* room.leap(["prices", "--model", "nobody-knows"])
    assert.strictEqual(unknown.code, 3)
    assert.match(unknown.stderr, /^leap: no price of 'nobody-knows' is known/)
    // `prices` and `history` are commands, never tags
    assert.strictEqual((yield* room.leap(["attach", "prices"])).code, 2)
    assert.strictEqual((yield* room.leap(["attach", "history"])).code, 2)

    fs.mkdirSync(path.dirname(settings), { recursive: true, mode: 0o700 })
    fs.writeFileSync(settings, '{ // mine\n "prices": "prices.json" }', { mode: 0o600 })
    const missing = yield* room.leap(["prices", "--model", "lab/claude-opus-5-20260724"])
    assert.strictEqual(missing.code, 0)
    assert.match(missing.stderr, /prices\.json: cannot be read; leap's own prices count/)
    assert.match(missing.stdout, /^claude-opus-5 +5 +25 +0\.5 +6\.25 +1M +leap/m)
    fs.writeFileSync(
      path.join(path.dirname(settings), "prices.json"),
      JSON.stringify({ "claude-opus-5": { input_cost_per_token: 7e-6 } })
    )
    const mine = JSON.parse(
      (yield* room.leap(["prices", "--model", "claude-opus-5", "--json"])).stdout
    ) as typeof shipped
    assert.deepStrictEqual(
      mine.models.map(({ input, model, source }) => ({ model, source, input })),
      [{ model: "claude-opus-5", source: "file", input: 7 }]
    )
  })
})
