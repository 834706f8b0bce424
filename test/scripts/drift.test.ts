import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { problems, row } from "../../scripts/driftMatrix.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { label } from "../real/drift/labels.ts"
import type { Exchange } from "../real/model/FakeModel.ts"
import { decode, truthOf } from "../support/recordings/recordings.ts"
import { judge, total } from "../support/recordings/score.ts"
import { effect } from "../support/run/effects.ts"

const base = 1_000_000
const at = (seconds: number) => base + seconds * 1000
const exchange = (arrived: number, ended: number, more: Partial<Exchange> = {}): Exchange => ({
  number: 1,
  kind: "main",
  arrivedAt: at(arrived),
  startedAt: at(arrived),
  endedAt: at(ended),
  aborted: false,
  toolResults: [],
  conversation: [],
  images: 0,
  bill: { fresh: 200, read: 0, written: 0, output: 20 },
  ...more
})
const cast = (...events: ReadonlyArray<readonly [number, string, string]>) =>
  [
    JSON.stringify({ version: 2, width: 60, height: 10, timestamp: base / 1000, leap: { cli: "claude" } }),
    ...events.map((event) => JSON.stringify(event))
  ].join("\n")

describe("the truth of a driven session", () => {
  effect("is by the keys and by what the endpoint saw: turns, a dialog, an interrupt", function* () {
    const asking = exchange(8, 9)
    const text = cast(
      [2, "i", "hello"],
      [3, "i", "\r"],
      ...[5.2, 5.5, 5.8, 6.1, 6.4].map((t) => [t, "o", "a slow CLI"] as const),
      [8, "i", "\r"],
      [8.5, "o", "it quotes mkdir -p out"],
      [10, "o", "\x1b[2J\x1b[Hmkdir -p out\r\n❯ 1. Yes"],
      [14, "i", "1"],
      [20, "i", "\r"],
      [22, "i", "\x1b"]
    )
    const labelled = yield* label(
      text,
      // the endpoint's clock is a little late in the first turn: a request comes after its Enter
      [
        exchange(2.9, 5),
        exchange(3, 4, { kind: "side" }),
        asking,
        exchange(15, 16, { toolResults: ["done"] }),
        exchange(20.1, 22.2, { aborted: true })
      ],
      {
        upAt: at(1),
        endAt: at(30),
        interruptedAt: at(21.9),
        asks: /mkdir -p out/,
        calls: (one) => one === asking
      }
    ).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer))
    const said = truthOf(decode(labelled).lines).map(({ state, t }) => `${Math.round(t * 10) / 10} ${state}`)
    assert.strictEqual(
      said.join(", "),
      "0 starting, 1 idle, 3 running, 5.1 settling, 6.4 idle, 8 running, 10 needs_permission, " +
        "14 running, 16.1 settling, 17.1 idle, 20 running, 22 settling, 23 interrupted, 30 exited"
    )
  })
})

describe("the matrix of versions", () => {
  const judged = (unsafe: number) => {
    const scored = total([{ ...judge([], [], 0), unsafe }])
    return { told: scored, untold: scored }
  }
  const fine = { delivered: 4, dialog: true, interrupted: true, why: null, judged: judged(0) }

  it("says of each version what it did, and marks what must not be", () => {
    const rules = { interactive: true, headless: true, why: null }
    const told = { ...fine, rules }
    assert.strictEqual(
      row("claude", "2.0.77", { told, untold: { skipped: "no switch", judged: null } }),
      "| claude | 2.0.77 | 4 of 4 | no switch | 100 %, 0 s, 0 s | 100 %, 0 s, 0 s | obeyed, -p too |\n"
    )
    assert.include(row("x", "1", { told: { ...fine, intoDialog: true }, untold: null }), "TYPED INTO THE DIALOG")
    assert.include(
      row("x", "1", { told: { ...told, rules: { ...rules, headless: false } }, untold: null }),
      "-p BROKEN"
    )
    assert.deepStrictEqual(problems(told), [])
  })

  it("names a failed run, an unsafe second, a rule that was not obeyed", () => {
    const rules = { interactive: true, headless: false, why: null }
    assert.lengthOf(problems({ ...fine, intoDialog: true, why: "it never came up", judged: judged(1), rules }), 5)
  })
})
