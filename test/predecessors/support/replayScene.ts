import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { replay } from "../../../src/programs/replay/replay.ts"

/** What the machine has to say at a moment; fields left out are not looked at. A list of states: one of them. */
export interface Said {
  readonly state?: string | ReadonlyArray<string>
  readonly ready?: boolean
  readonly dialog?: boolean
}

/** One line of a recording, or a look at the machine's word. */
export type Beat = readonly ["o" | "i" | "r" | "m", string] | readonly ["k", Said]

/** Seconds since the start, and what happens then. */
export type Scene = ReadonlyArray<readonly [second: number, ...beats: ReadonlyArray<Beat>]>

/** Clears the screen and draws these rows, with the caret behind the last prompt glyph. */
export const show = (
  rows: ReadonlyArray<string>,
  more: { readonly title?: string; readonly cursor?: boolean } = {}
): Beat => {
  const at = rows.findLastIndex((row) => /^[❯>›]/.test(row))
  const caret = at < 0 ? "" : `\u001b[${at + 1};${rows[at]!.length + 1}H`
  const title = more.title === undefined ? "" : `\u001b]0;${more.title}\u0007`
  return ["o", `${title}\u001b[?25${more.cursor === true ? "h" : "l"}\u001b[2J\u001b[H${rows.join("\r\n")}${caret}`]
}
export const keys = (data: string): Beat => ["i", data]
/** leap is about to type a message. */
export const send: Beat = ["m", "send"]
export const signal = (state: string): Beat => ["m", `signal:${state}`]
export const hook = (event: string, payload: unknown = {}): Beat => ["m", `hook:${event} ${JSON.stringify(payload)}`]
export const exit: Beat = ["m", "exit"]
export const resize = (cols: number, rows: number): Beat => ["r", `${cols}x${rows}`]
export const is = (state: Said["state"], more: Omit<Said, "state"> = {}): Beat => [
  "k",
  state === undefined ? more : { state, ...more }
]

const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

/** Plays a scene through `leap replay` and holds its answers to each look. */
export const play = (provider: string, scene: Scene, size = { cols: 80, rows: 24 }): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const beats = scene.flatMap(([second, ...beats]) => beats.map((beat) => ({ second, beat })))
    const looks = beats.flatMap(({ beat, second }) => (beat[0] === "k" ? [{ second, said: beat[1] }] : []))
    const lines = beats.map(({ beat, second }) => JSON.stringify([second, beat[0], beat[0] === "k" ? "" : beat[1]]))
    const header = JSON.stringify({
      version: 2,
      width: size.cols,
      height: size.rows,
      timestamp: 1_795_000_000,
      leap: { provider }
    })
    const answers = yield* replay(
      { provider: Option.none(), noHooks: false },
      Stream.fromIterable([header, ...lines])
    ).pipe(
      Stream.map((line): Required<Said> & { readonly reason: string; readonly tick?: boolean } => JSON.parse(line)),
      Stream.filter(({ tick }) => tick === true),
      Stream.runCollect,
      Effect.provide(live)
    )
    assert.strictEqual(answers.length, looks.length)
    looks.forEach(({ said, second }, i) => {
      const found = answers[i]!
      const where = `${second} s: ${String(found.state)}, ${found.reason}`
      if (said.state !== undefined) assert.include([said.state].flat(), String(found.state), where)
      if (said.ready !== undefined) assert.strictEqual(found.ready, said.ready, where)
      if (said.dialog !== undefined) assert.strictEqual(found.dialog, said.dialog, where)
    })
  })
