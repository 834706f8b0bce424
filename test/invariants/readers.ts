import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { fromLatin1 } from "../../src/domain/words/text/Bytes.ts"
import { ScreenFacts } from "../../src/domain/words/session/Screen.ts"
import { Signal } from "../../src/domain/words/session/Signal.ts"
import { Providers } from "../../src/services/Providers.ts"
import { Screen } from "../../src/services/Screen.ts"
import { join, Stream as Bytes } from "../support/data/streams.ts"
import { int, runsOf } from "../support/recordings/scenes.ts"
import { type Law, lawOfSessions } from "./registry.ts"
import { Cli, shots } from "./shots.ts"

/** Values that no CLI sends, and that some program will. */
const Odd = Schema.Literals([
  "null",
  "[]",
  "{}",
  '""',
  "0",
  "-1",
  "1e308",
  "true",
  "[null]",
  "[[]]",
  '{"state":[]}',
  '"\\u0000\\ud800"',
  '[{"id":null}]',
  '{"__proto__":1}'
])
const withOdd = (value: unknown, path: ReadonlyArray<number>, odd: unknown): unknown => {
  const [first, ...rest] = path
  if (first === undefined || value === null || typeof value !== "object") return odd
  const keys = Object.keys(value)
  if (keys.length === 0) return odd
  const key = keys[first % keys.length]!
  const inner = (value as Record<string, unknown>)[key]
  return Array.isArray(value)
    ? value.with(Number(key), withOdd(inner, rest, odd))
    : { ...value, [key]: withOdd(inner, rest, odd) }
}

export const readers: ReadonlyArray<Law> = [
  lawOfSessions(
    ["V5"],
    "no reader throws or says what is no signal, whatever a hook, file or transcript holds",
    {
      cli: Cli,
      n: int(9_999),
      path: Schema.Array(int(30)).check(Schema.isMaxLength(4)),
      odd: Odd
    },
    ({ cli, n, odd, path }) =>
      Effect.gen(function* () {
        const { hooks, statuses } = yield* shots[cli]
        const hook = hooks[n % hooks.length]
        const value: unknown = JSON.parse(odd)
        for (const { detection } of yield* (yield* Providers).load(() => true)) {
          const said = [
            ...detection.readHook(hook?.event ?? "", withOdd(hook?.payload ?? null, path, value)),
            ...detection.readOwnStatus(withOdd(statuses[n % Math.max(1, statuses.length)] ?? null, path, value)),
            ...detection.readTranscript(withOdd(hook?.payload ?? null, path, value)),
            ...detection.readTranscript({
              type: "user",
              message: withOdd({ content: [{ type: "text", text: "x" }] }, path, value),
              timestamp: value,
              payload: value
            })
          ]
          for (const signal of said) assert.isTrue(Schema.is(Signal)(signal), JSON.stringify(signal))
        }
      }),
    runsOf(400)
  ),

  lawOfSessions(
    ["V5"],
    "no reader throws or reads what is no screen, whatever bytes drew it, at any size",
    {
      bytes: Bytes,
      cli: Cli,
      n: int(9_999),
      cols: int(60),
      rows: int(30)
    },
    ({ bytes, cli, cols, n, rows }) =>
      Effect.gen(function* () {
        const { stills } = yield* shots[cli]
        const screen = yield* (yield* Screen).make({ cols: cols + 1, rows: rows + 1, scrollback: 0 })
        for (const part of [stills[n % stills.length]!.paint, join(bytes)]) {
          screen.feed(fromLatin1(part))
          for (const { detection } of yield* (yield* Providers).load(() => true))
            assert.isTrue(Schema.is(ScreenFacts)(detection.readScreen(screen.view())))
        }
      }).pipe(Effect.scoped),
    runsOf(60)
  )
]
