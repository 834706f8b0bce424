import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { utf8ToLatin1 } from "../../src/domain/words/text/Bytes.ts"
import { Providers } from "../../src/services/Providers.ts"
import { cut, Cuts, merge } from "../support/data/streams.ts"
import type { RecordedCli } from "../support/recordings/recordings.ts"
import { int, keystrokes, runsOf } from "../support/recordings/scenes.ts"
import { makeWhole, type WholeSession } from "../support/WholeSession.ts"
import { type Law, lawOfSessions } from "./registry.ts"
import { Cli, shots } from "./shots.ts"

const Typed = Arbitrary.array(Arbitrary.schema(Schema.Literals(keystrokes)), { minLength: 1, maxLength: 4 })
const shows = ["rest", "work", "dialog", "draft"] as const
const stageOf = Effect.fnUntraced(function* (cli: RecordedCli, show: string, n: number) {
  const { hooks, stills } = yield* shots[cli]
  const kinds = stills.filter((still) => still.shows === show)
  const still = kinds[n % Math.max(1, kinds.length)] ?? stills[0]!
  const session = yield* makeWhole({ provider: yield* (yield* Providers).get(cli), size: still })
  session.output(still.paint)
  for (const { event, payload } of hooks.slice(n % hooks.length).slice(0, n % 3)) session.hook(event, payload)
  session.wait(5_010)
  return session
})
const known = (session: WholeSession) => {
  const { dialogEnter, stop, submitted } = session.memory().tracker.facts
  return {
    stop: stop === null ? null : stop.during,
    submitted: submitted === null ? null : { ...submitted, at: 0 },
    entered: dialogEnter?.dialog ?? null
  }
}

// Leap's form: an Escape that ends a chunk is one at once, and taken back when it proves to be the beginning of a
// sequence. With a letter behind it in another chunk it stays one, as it does for the CLIs, which read it so as well;
// two before a sequence may be Alt with it.
const keysCut = (bytes: string, cuts: ReadonlyArray<number>) =>
  merge(
    cut(bytes, cuts).map((data) => ({ data })),
    (a, b) =>
      /\u001b\u001b(?:\[[0-9;]*|O)?$/.test(a.data) || (a.data.endsWith("\u001b") && !/^[[O\]P_]/.test(b.data))
        ? { data: a.data + b.data }
        : null
  ).map(({ data }) => data)

export const cuts: ReadonlyArray<Law> = [
  // A look at a frame that is half drawn may show something else for its moment, and that it did is remembered.
  lawOfSessions(
    ["V8"],
    "what the screen shows in the end does not depend on where output is cut",
    { cli: Cli, ns: Schema.Array(int(9_999)).check(Schema.isMinLength(1), Schema.isMaxLength(3)), cuts: Cuts },
    ({ cli, cuts, ns }) =>
      Effect.gen(function* () {
        const { clips, reports } = yield* shots[cli]
        const provider = yield* (yield* Providers).get(cli)
        const after = Effect.fnUntraced(function* (cuts: ReadonlyArray<number>) {
          const clip = clips[ns[0]! % clips.length]!
          const session = yield* makeWhole({ provider, size: clip.from })
          for (const bytes of [
            clip.from.paint,
            ...clip.chunks.map((chunk) => chunk.bytes),
            ...ns.map((n) => reports[n % Math.max(1, reports.length)] ?? "")
          ]) {
            for (const piece of cut(bytes, cuts)) session.output(piece)
          }
          session.wait(70_000)
          const { facts, view } = session.memory().tracker
          return { text: session.text(), screen: facts.screen, records: facts.records, ready: view.ready }
        })
        assert.deepStrictEqual(yield* after(cuts), yield* after([]))
      }).pipe(Effect.scoped),
    runsOf(60)
  ),

  lawOfSessions(
    ["V8"],
    "a frame within a synchronized update is one event, wherever it is cut",
    { cli: Cli, n: int(9_999), m: int(9_999), cuts: Cuts },
    ({ cli, cuts, m, n }) =>
      Effect.gen(function* () {
        const { stills } = yield* shots[cli]
        const [from, to] = [stills[n % stills.length]!, stills[m % stills.length]!]
        const provider = yield* (yield* Providers).get(cli)
        const after = Effect.fnUntraced(function* (cuts: ReadonlyArray<number>) {
          const session = yield* makeWhole({ provider, size: to })
          session.output(from.paint)
          session.wait(61_000)
          // The first and the last of it are sequences of their own, so that each cut lies within the update.
          session.output(`${session.undo()}\u001b[?2026h`)
          for (const piece of cut(to.paint, cuts)) session.output(piece)
          session.output("\u001b[?2026l")
          const { facts } = session.memory().tracker
          return [facts, session.view()]
        })
        assert.deepStrictEqual(yield* after(cuts), yield* after([]))
      }).pipe(Effect.scoped),
    runsOf(60)
  ),

  lawOfSessions(
    ["V7"],
    "focus, mouse and reports of the terminal are no event at all",
    {
      cli: Cli,
      show: Schema.Literals(shows),
      n: int(9_999),
      typed: Schema.Array(
        Schema.Literals([
          "\u001b[I",
          "\u001b[O",
          "\u001b[<0;10;5M",
          "\u001b[<65;1;1m",
          "\u001b[5;7R",
          "\u001b[?62;1c",
          "\u001b]11;rgb:0000/0000/0000\u0007",
          "\u001b[?2026;2$y"
        ])
      ),
      cuts: Cuts
    },
    ({ cli, cuts, n, show, typed }) =>
      Effect.gen(function* () {
        const session = yield* stageOf(cli, show, n)
        const before = session.memory()
        // A half sequence may be a key by itself when it begins with its Escape alone, so the first two bytes stay
        // together.
        for (const whole of typed)
          for (const piece of [whole.slice(0, 3), ...cut(whole.slice(3), cuts)]) session.press(piece)
        assert.strictEqual(session.memory(), before)
      }).pipe(Effect.scoped),
    runsOf(60)
  ),

  lawOfSessions(
    ["V8"],
    "where keys are cut does not matter: what was stopped, sent and answered is the same",
    { cli: Cli, show: Schema.Literals(shows), n: int(9_999), typed: Typed, cuts: Cuts },
    ({ cli, cuts, n, show, typed }) =>
      Effect.gen(function* () {
        const bytes = utf8ToLatin1(typed.join(""))
        const after = Effect.fnUntraced(function* (cuts: ReadonlyArray<number>) {
          const session = yield* stageOf(cli, show, n)
          for (const piece of keysCut(bytes, cuts)) session.press(piece)
          session.wait(1)
          const { state } = session.view()
          return { state, ...known(session) }
        })
        assert.deepStrictEqual(yield* after(cuts), yield* after([]))
      }).pipe(Effect.scoped),
    runsOf(120)
  ),

  lawOfSessions(
    ["V9"],
    "an Enter within a paste sends and answers nothing",
    {
      cli: Cli,
      show: Schema.Literals(shows),
      n: int(9_999),
      text: Schema.Array(Schema.Literals(["a", "\r", "\n", "é", "\u001b", "\u0003", "/x", "\u001b[A", " "])),
      cuts: Cuts
    },
    ({ cli, cuts, n, show, text }) =>
      Effect.gen(function* () {
        const session = yield* stageOf(cli, show, n)
        const before = { state: session.view().state, ...known(session) }
        for (const piece of cut(
          utf8ToLatin1(`\u001b[200~${text.join("")}\r\u001b[201~`),
          cuts.map((part) => Math.max(part, (1000 * 3) / (text.length + 14)))
        ))
          session.press(piece)
        assert.deepStrictEqual({ state: session.view().state, ...known(session) }, before)
      }).pipe(Effect.scoped),
    runsOf(60)
  ),

  lawOfSessions(
    ["V14"],
    "Alt with a key stops nothing",
    {
      cli: Cli,
      show: Schema.Literals(shows),
      n: int(9_999),
      key: Schema.Literals(Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)))
    },
    ({ cli, key, n, show }) =>
      Effect.gen(function* () {
        const session = yield* stageOf(cli, show, n)
        const before = session.memory().tracker.facts.stop
        session.press(`\u001b${key}`)
        assert.strictEqual(session.memory().tracker.facts.stop, before)
      }).pipe(Effect.scoped),
    runsOf(60)
  )
]
