import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema, Stream } from "effect"
import type { Recorded } from "../../../src/domain/terminal/recording/Recording.ts"
import { makeRecorder, type Recorder } from "../../../src/programs/host/Recorder.ts"
import { effect } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** A recorder over a "screen" that is simply all output so far. */
const make = (limits: { readonly memoryLimit?: number; readonly frameDistance?: number } = {}) => {
  let now = 0
  let shown = ""
  const recorder = makeRecorder({
    now: () => now,
    size: () => ({ cols: 80, rows: 24 }),
    keyFrame: () => ({ data: `<${shown}>`, scrolls: false }),
    ...limits
  })
  return {
    recorder,
    at: (time: number) => (now = time),
    write: (text: string) => {
      recorder.output(bytes(text))
      shown += text
    }
  }
}

const all = (recorder: Recorder["Service"], options: { readonly past: boolean; readonly follow: boolean }) =>
  Effect.map(Stream.runCollect(recorder.record(options).batches), (batches): ReadonlyArray<Recorded> => batches.flat())

const told = (lines: ReadonlyArray<Recorded>) => lines.map(({ at, code, data }) => `${at} ${code} ${data}`)

describe("the flight recorder", () => {
  effect("remembers what went in and out, in order, from a screen to begin with", function* () {
    const { at, recorder, write } = make()
    write("hello ")
    at(5)
    recorder.input("hi", "user")
    recorder.input("\x1b[200~text", "leap")
    recorder.resize({ cols: 100, rows: 30 })
    recorder.marker("hook:Stop {}")
    at(9)
    write("world")
    assert.deepStrictEqual(told(yield* all(recorder, { past: true, follow: false })), [
      "0 o <>",
      "0 o hello ",
      "5 i hi",
      "5 m by:leap",
      "5 i \x1b[200~text",
      "5 r 100x30",
      "5 m hook:Stop {}",
      "9 o world"
    ])
  })

  effect("leaves the past out when only what comes is wanted, and draws the screen as it is", function* () {
    const { recorder, write } = make()
    write("before")
    const fiber = yield* Effect.forkChild(all(recorder, { past: false, follow: true }), { startImmediately: true })
    yield* Effect.yieldNow
    write(" after")
    recorder.end()
    assert.deepStrictEqual(told(yield* Fiber.join(fiber)), ["0 o <before>", "0 o  after"])
  })

  effect("keeps characters whole that come in two chunks", function* () {
    const { recorder } = make({ frameDistance: 0 })
    const [a, b] = [bytes("é€𝄞").subarray(0, 6), bytes("é€𝄞").subarray(6)]
    recorder.output(a)
    recorder.output(b)
    const lines = yield* all(recorder, { past: true, follow: false })
    assert.deepStrictEqual(each(lines, "data"), ["<>", "é€", "𝄞"])
  })

  effect("forgets the oldest, begins at a key frame then, and keeps what the CLI said of itself", function* () {
    const { at, recorder, write } = make({ memoryLimit: 2_000, frameDistance: 300 })
    recorder.marker("hook:UserPromptSubmit {}")
    for (let i = 0; i < 60; i++) {
      at(i)
      write(`${String(i).padStart(2, "0")}${"x".repeat(48)}`)
    }
    const lines = yield* all(recorder, { past: true, follow: false })
    assert.deepStrictEqual(told(lines.slice(0, 1)), ["0 m hook:UserPromptSubmit {}"])
    const frame = lines[1]!
    assert.match(frame.data, /^<00x.*>$/)
    // what the key frame shows and what follows it are the whole output
    const output =
      frame.data.slice(1, -1) +
      lines
        .slice(2)
        .map(({ data }) => data)
        .join("")
    assert.strictEqual(output.length, 60 * 50)
    assert.isBelow(lines.length, 60)
  })

  effect("begins with the states that hold then: of now, or of before the past that is remembered", function* () {
    const { at, recorder, write } = make({ memoryLimit: 2_000, frameDistance: 300 })
    recorder.marker("modes:pause", "modes")
    recorder.marker("policy:none", "policy")
    at(1)
    recorder.marker("modes:always", "modes")
    const fresh = yield* all(recorder, { past: false, follow: false })
    assert.deepStrictEqual(told(fresh), ["1 m modes:always", "1 m policy:none", "1 o <>"])
    // so much passes that the markers are not in the past any more, and neither are 200 others in the context
    for (let n = 0; n < 300; n++) {
      at(2 + n)
      write("x".repeat(40))
      recorder.marker(`hook:${n}`)
    }
    const markers = (lines: ReadonlyArray<Recorded>) =>
      lines.flatMap(({ code, data }) => (code === "m" && !data.startsWith("hook:") ? [data] : []))
    assert.deepStrictEqual(markers(yield* all(recorder, { past: true, follow: false })), [
      "modes:always",
      "policy:none"
    ])
    at(400)
    recorder.marker("modes:pause", "modes")
    // the past begins with what held then, and has the change in its place
    const past = markers(yield* all(recorder, { past: true, follow: false }))
    assert.deepStrictEqual(past, ["modes:always", "policy:none", "modes:pause"])
    const now = markers(yield* all(recorder, { past: false, follow: false }))
    assert.deepStrictEqual(now, ["modes:pause", "policy:none"])
  })

  effect("ends with the session, also for those who come later", function* () {
    const { recorder, write } = make()
    write("a")
    recorder.end()
    assert.deepStrictEqual(told(yield* all(recorder, { past: true, follow: true })), ["0 o <>", "0 o a"])
  })

  const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

  it.effect.prop(
    "whatever is remembered draws the same screen as all of it",
    {
      chunks: Schema.Array(Schema.String),
      memoryLimit: int(200, 3_000),
      frameDistance: int(1, 200)
    },
    ({ chunks, frameDistance, memoryLimit }) =>
      Effect.gen(function* () {
        const { recorder, write } = make({ memoryLimit, frameDistance })
        const written = chunks.map((chunk) => new TextDecoder().decode(bytes(chunk)))
        for (const chunk of written) write(chunk)
        const lines = yield* all(recorder, { past: true, follow: false })
        const shown =
          lines.length === 0
            ? ""
            : lines[0]!.data.slice(1, -1) +
              lines
                .slice(1)
                .map(({ data }) => data)
                .join("")
        assert.strictEqual(shown, written.join(""))
      })
  )
})
