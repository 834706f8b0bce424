import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Schema, Stream, Option } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { fromLatin1, latin1ToText, utf8ToLatin1 } from "../../src/domain/Bytes.ts"
import { ScreenFacts } from "../../src/domain/Screen.ts"
import { View } from "../../src/domain/Session.ts"
import { SessionEvent } from "../../src/domain/SessionEvent.ts"
import { Signal } from "../../src/domain/Signal.ts"
import * as Tracker from "../../src/domain/Tracker.ts"
import * as ProvidersBuiltin from "../../src/layers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../src/layers/ScreenXterm.ts"
import { replay } from "../../src/programs/replay.ts"
import { Providers } from "../../src/services/Providers.ts"
import { Screen } from "../../src/services/Screen.ts"
import { footageOf } from "../support/footage.ts"
import { eventsOf, Life, lifeOf, live, Mode, modesOf, type StepName, steps, tellsOf, without } from "../support/lives.ts"
import { chosenRecordings, int, keystrokes, playScene, runsOf, Scene, tell } from "../support/scenes.ts"
import { cut, Cuts, join, merge, Stream as Bytes } from "../support/streams.ts"
import { everything, settle } from "../support/trace.ts"
import { begin, makeWhole, type WholeSession } from "../support/WholeSession.ts"

const all = runsOf(250)
const builtin = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)
const clis = ["claude", "codex", "gemini", "copilot", "opencode"] as const
/** A few recordings of each CLI, cut once. */
const shots = Object.fromEntries(clis.map((cli) => [cli, Effect.runSync(Effect.cached(footageOf(cli, chosenRecordings(cli).filter((_, i) => i % 4 === 0))))]))
const Cli = Schema.Literals(clis)

describe("determinism and totality", () => {
  it.prop("V1 the same life gives the same views", { life: Life, mode: Mode }, ({ life, mode }) => {
    const seen = () => live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen
    assert.deepStrictEqual(seen(), seen())
  }, runsOf(100))

  // Leap's form: eight states, and none of them is only a view: what is stored is what is said.
  it.prop("V2 every view is whole and of a known state", { events: Schema.Array(SessionEvent) }, ({ events }) => {
    const track = Tracker.track({ tells: everything })
    let memory = Tracker.start(0, { autoSend: "pause", churn: "wait" })
    for (const event of events) {
      memory = track(memory, event)
      assert.isTrue(Schema.is(View)(memory.view), JSON.stringify(memory.view))
      assert.isTrue(memory.view.changesAt === null || memory.view.changesAt > memory.facts.at)
    }
  }, all)

  // Leap's form: churning is a state, and needs background work that something told or showed.
  it.prop("V3 nothing churns without background work", { life: lifeOf(without("background", "ownShell", "endedChurning", "toldChild")), mode: Mode }, ({ life, mode }) => {
    for (const { view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) assert.notStrictEqual(view.state, "churning", view.reason)
  }, all)
  it.prop("V3 a session at rest with background work churns, while it lives", { life: Life, mode: Mode }, ({ life, mode }) => {
    const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
    const events = (["clear", "boxRest", "toldChild", "toldWork", "toldDone", "boxRest"] as ReadonlyArray<StepName>).map((name, i) => ({ ...steps[name], at: last.facts.at + 61_000 * (i + 1) }))
    const { last: end } = live(events, modesOf(mode), tellsOf(mode), last)
    const { memory } = settle(track, end, end.facts.at + 61_000)
    assert.strictEqual(memory.view.state, "churning", memory.view.reason)
    assert.isTrue(mode.churn === "send" || !memory.view.ready, "ready although the mode is to wait")
    assert.strictEqual(track(memory, { _tag: "Exited", at: memory.facts.at, exit: { code: 0, signal: null } }).view.state, "exited")
  }, all)

  // Leap's form: an ended process is `exited`, not idle.
  it.prop("V4 nothing follows the end", { life: Life, after: Life, mode: Mode }, ({ after, life, mode }) => {
    const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
    const gone = track(last, { _tag: "Exited", at: last.facts.at, exit: { code: null, signal: "SIGKILL" } })
    assert.deepStrictEqual([gone.view.state, gone.view.ready, gone.view.dialog, gone.view.changesAt], ["exited", false, false, null])
    assert.strictEqual(eventsOf(after, gone.facts.at).reduce(track, gone), gone)
  }, runsOf(100))

  it.prop("V5 the reducer takes any events at all, at any times", { events: Schema.Array(SessionEvent), tells: Schema.Struct({ programStatus: Schema.Boolean, ownStatus: Schema.Boolean, turnHooks: Schema.Boolean, firstTurn: Schema.optionalKey(int(60_000)), idleCommands: Schema.optionalKey(Schema.Boolean) }) }, ({ events, tells }) => {
    const memory = events.reduce(Tracker.track({ tells }), Tracker.start(0, { autoSend: "always", churn: "send" }))
    assert.isString(memory.view.reason)
  }, all)

  // Leap's form: a resize changes no state, and readiness only by having to settle again.
  it.prop("V6 a resize alone changes no state, and readiness for a second at most", { life: Life, mode: Mode }, ({ life, mode }) => {
    const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
    if (last.facts.torn !== null) return
    const resized = track(last, { _tag: "Resize", at: last.facts.at, cols: 80, rows: 24 })
    assert.deepStrictEqual({ ...resized.facts, resizedAt: null }, { ...track(last, { _tag: "Tick", at: last.facts.at }).facts, resizedAt: null })
    assert.strictEqual(resized.view.state, last.view.state)
    const [plain, after] = [last, resized].map((memory) => settle(track, memory, last.facts.at + 1_000).memory.view)
    assert.deepStrictEqual([after?.state, after?.ready, after?.dialog], [plain?.state, plain?.ready, plain?.dialog])
  }, all)

  // Leap's form: focus, mouse and reports are nobody's keys. An arrow is one: it keeps messages away for a moment, and nothing else.
  it.prop("V7 an arrow changes nothing but the time of the last key", { life: Life, mode: Mode }, ({ life, mode }) => {
    const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
    const pressed = track(last, { ...steps.navigate, at: last.facts.at })
    const { facts } = track(last, { _tag: "Tick", at: last.facts.at })
    assert.deepStrictEqual({ ...pressed.facts, userKeyAt: null, beforeKey: null }, { ...facts, userKeyAt: null, beforeKey: null })
    assert.strictEqual(pressed.view.state, last.view.state)
    if (pressed.view.ready) assert.isTrue(last.view.ready)
  }, all)
})

/** Values that no CLI sends, and that some program will. */
const Odd = Schema.Literals(["null", "[]", "{}", "\"\"", "0", "-1", "1e308", "true", "[null]", "[[]]", "{\"state\":[]}", "\"\\u0000\\ud800\"", "[{\"id\":null}]", "{\"__proto__\":1}"])
const withOdd = (value: unknown, path: ReadonlyArray<number>, odd: unknown): unknown => {
  const [first, ...rest] = path
  if (first === undefined || value === null || typeof value !== "object") return odd
  const keys = Object.keys(value)
  if (keys.length === 0) return odd
  const key = keys[first % keys.length]!
  const inner = (value as Record<string, unknown>)[key]
  return Array.isArray(value) ? value.with(Number(key), withOdd(inner, rest, odd)) : { ...value, [key]: withOdd(inner, rest, odd) }
}

layer(builtin)("over all providers", (it) => {
  it.effect.prop("V5 no reader throws or says what is no signal, whatever a hook, file or transcript holds", {
    cli: Cli, n: int(9_999), path: Schema.Array(int(30)).check(Schema.isMaxLength(4)), odd: Odd
  }, ({ cli, n, odd, path }) =>
    Effect.gen(function*() {
      const { hooks, statuses } = yield* shots[cli]!
      const hook = hooks[n % hooks.length]
      const value: unknown = JSON.parse(odd)
      for (const { detection } of (yield* Providers).all) {
        const said = [
          ...detection.readHook(hook?.event ?? "", withOdd(hook?.payload ?? null, path, value)),
          ...detection.readOwnStatus(withOdd(statuses[n % Math.max(1, statuses.length)] ?? null, path, value)),
          ...detection.readTranscript(withOdd(hook?.payload ?? null, path, value)),
          ...detection.readTranscript({ type: "user", message: withOdd({ content: [{ type: "text", text: "x" }] }, path, value), timestamp: value, payload: value })
        ]
        for (const signal of said) assert.isTrue(Schema.is(Signal)(signal), JSON.stringify(signal))
      }
    }), runsOf(400))

  it.effect.prop("V5 no reader throws or reads what is no screen, whatever bytes drew it, at any size", {
    bytes: Bytes, cli: Cli, n: int(9_999), cols: int(60), rows: int(30)
  }, ({ bytes, cli, cols, n, rows }) =>
    Effect.gen(function*() {
      const { stills } = yield* shots[cli]!
      const screen = yield* (yield* Screen).make({ cols: cols + 1, rows: rows + 1, scrollback: 0 })
      for (const part of [stills[n % stills.length]!.paint, join(bytes)]) {
        screen.feed(fromLatin1(part))
        for (const { detection } of (yield* Providers).all) assert.isTrue(Schema.is(ScreenFacts)(detection.readScreen(screen.view())))
      }
    }).pipe(Effect.scoped), runsOf(60))

  it.effect.prop("V1 V5 the same scene gives the same views, and nothing in it throws", { cli: Cli, scene: Scene }, ({ cli, scene }) =>
    Effect.gen(function*() {
      const footage = yield* shots[cli]!
      const provider = yield* (yield* Providers).get(cli)
      const once = Effect.gen(function*() {
        const log: Array<unknown> = []
        const session = yield* makeWhole({ provider, size: { cols: 120, rows: 40 }, heard: ({ tracker: { view } }) => void log.push(view) })
        playScene(session, footage, { still: null, touched: false }, scene)
        return log
      })
      assert.deepStrictEqual(yield* once, yield* once)
    }).pipe(Effect.scoped), runsOf(40))

  it.effect.prop("V1 the host and `leap replay` say the same of the same trace", { cli: Cli, scene: Scene }, ({ cli, scene }) =>
    Effect.gen(function*() {
      const footage = yield* shots[cli]!
      const lines: Array<readonly [number, string, string]> = []
      const views: Array<unknown> = []
      const session = yield* makeWhole({ provider: yield* (yield* Providers).get(cli), size: { cols: 120, rows: 40 } })
      const line = (code: string, data: string) => void lines.push([(session.now() - begin) / 1000, code, data])
      const recorded: WholeSession = {
        ...session,
        output: (bytes) => {
          line("o", latin1ToText(bytes))
          session.output(bytes)
        },
        press: (bytes) => {
          line("i", latin1ToText(bytes))
          session.press(bytes)
        },
        resize: (cols, rows) => {
          line("r", `${cols}x${rows}`)
          session.resize(cols, rows)
          // The host looks at the screen after a resize, a recording at the next output.
          line("o", "")
        },
        hook: (event, payload) => {
          line("m", `hook:${event} ${JSON.stringify(payload)}`)
          session.hook(event, payload)
        },
        status: (content) => {
          line("m", `session:${JSON.stringify(content)}`)
          session.status(content)
        },
        queue: () => {},
        wait: (span) => {
          session.wait(span)
          line("k", "")
          const { dialog, ready, reason, state } = session.view()
          views.push({ state, ready, dialog, reason })
        }
      }
      // A recording is text: its chunks never end within a character.
      playScene(recorded, footage, { still: null, touched: false }, scene.map((act) => ({ ...act, how: act.how === "cut" ? "at once" : act.how, cuts: [] })))
      const header = JSON.stringify({ version: 2, width: 120, height: 40, timestamp: begin / 1000, leap: { cli } })
      const answers = yield* replay({ provider: Option.none(), noHooks: false }, Stream.fromIterable([header, ...lines.map((one) => JSON.stringify(one))])).pipe(Stream.runCollect)
      const ticks = answers.map((text) => JSON.parse(text)).filter((answer) => answer.tick === true)
      assert.deepStrictEqual(ticks.map(({ dialog, ready, reason, state }) => ({ state, ready, dialog, reason })), views, tell(footage, scene))
    }).pipe(Effect.scoped), runsOf(25))

  // A look at a frame that is half drawn may show something else for its moment, and that it did is remembered.
  it.effect.prop("V8 what the screen shows in the end does not depend on where output is cut", { cli: Cli, ns: Schema.Array(int(9_999)).check(Schema.isMinLength(1), Schema.isMaxLength(3)), cuts: Cuts }, ({ cli, cuts, ns }) =>
    Effect.gen(function*() {
      const { clips, reports } = yield* shots[cli]!
      const provider = yield* (yield* Providers).get(cli)
      const after = (cuts: ReadonlyArray<number>) =>
        Effect.gen(function*() {
          const clip = clips[ns[0]! % clips.length]!
          const session = yield* makeWhole({ provider, size: clip.from })
          for (const bytes of [clip.from.paint, ...clip.chunks.map((chunk) => chunk.bytes), ...ns.map((n) => reports[n % Math.max(1, reports.length)] ?? "")]) {
            for (const piece of cut(bytes, cuts)) session.output(piece)
          }
          session.wait(70_000)
          const { facts, view } = session.memory().tracker
          return { text: session.text(), screen: facts.screen, records: facts.records, ready: view.ready }
        })
      assert.deepStrictEqual(yield* after(cuts), yield* after([]))
    }).pipe(Effect.scoped), runsOf(60))

  it.effect.prop("V8 a frame within a synchronized update is one event, wherever it is cut", { cli: Cli, n: int(9_999), m: int(9_999), cuts: Cuts }, ({ cli, cuts, m, n }) =>
    Effect.gen(function*() {
      const { stills } = yield* shots[cli]!
      const [from, to] = [stills[n % stills.length]!, stills[m % stills.length]!]
      const provider = yield* (yield* Providers).get(cli)
      const after = (cuts: ReadonlyArray<number>) =>
        Effect.gen(function*() {
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
    }).pipe(Effect.scoped), runsOf(60))

  const Typed = Arbitrary.array(Arbitrary.schema(Schema.Literals(keystrokes)), { minLength: 1, maxLength: 4 })
  const shows = ["rest", "work", "dialog", "draft"] as const
  const stageOf = (cli: string, show: string, n: number) =>
    Effect.gen(function*() {
      const { hooks, stills } = yield* shots[cli]!
      const kinds = stills.filter((still) => still.shows === show)
      const still = kinds[n % Math.max(1, kinds.length)] ?? stills[0]!
      const session = yield* makeWhole({ provider: yield* (yield* Providers).get(cli), size: still })
      session.output(still.paint)
      for (const { event, payload } of hooks.slice(n % hooks.length).slice(0, n % 3)) session.hook(event, payload)
      session.wait(5_010)
      return session
    })
  const known = (session: WholeSession) => {
    const { entered, stop, submitted } = session.memory().tracker.facts
    return { stop: stop === null ? null : stop.during, submitted: submitted === null ? null : { ...submitted, at: 0 }, entered: entered?.dialog ?? null }
  }

  it.effect.prop("V7 focus, mouse and reports of the terminal are no event at all", { cli: Cli, show: Schema.Literals(shows), n: int(9_999), typed: Schema.Array(Schema.Literals(["\u001b[I", "\u001b[O", "\u001b[<0;10;5M", "\u001b[<65;1;1m", "\u001b[5;7R", "\u001b[?62;1c", "\u001b]11;rgb:0000/0000/0000\u0007", "\u001b[?2026;2$y"])), cuts: Cuts }, ({ cli, cuts, n, show, typed }) =>
    Effect.gen(function*() {
      const session = yield* stageOf(cli, show, n)
      const before = session.memory()
      // A half sequence may be a key by itself when it begins with its Escape alone, so the first two bytes stay together.
      for (const whole of typed) for (const piece of [whole.slice(0, 3), ...cut(whole.slice(3), cuts)]) session.press(piece)
      assert.strictEqual(session.memory(), before)
    }).pipe(Effect.scoped), runsOf(60))

  // Leap's form: an Escape that ends a chunk is one at once, and taken back when it proves to be the beginning of a sequence. With a letter
  // behind it in another chunk it stays one, as it does for the CLIs, which read it so as well; two before a sequence may be Alt with it.
  const keysCut = (bytes: string, cuts: ReadonlyArray<number>) =>
    merge(cut(bytes, cuts).map((data) => ({ data })), (a, b) => /\u001b\u001b(?:\[[0-9;]*|O)?$/.test(a.data) || a.data.endsWith("\u001b") && !/^[[O\]P_]/.test(b.data) ? { data: a.data + b.data } : null).map(({ data }) => data)

  it.effect.prop("V8 where keys are cut does not matter: what was stopped, sent and answered is the same", { cli: Cli, show: Schema.Literals(shows), n: int(9_999), typed: Typed, cuts: Cuts }, ({ cli, cuts, n, show, typed }) =>
    Effect.gen(function*() {
      const bytes = utf8ToLatin1(typed.join(""))
      const after = (cuts: ReadonlyArray<number>) =>
        Effect.gen(function*() {
          const session = yield* stageOf(cli, show, n)
          for (const piece of keysCut(bytes, cuts)) session.press(piece)
          session.wait(1)
          const { state } = session.view()
          return { state, ...known(session) }
        })
      assert.deepStrictEqual(yield* after(cuts), yield* after([]))
    }).pipe(Effect.scoped), runsOf(120))

  it.effect.prop("V9 an Enter within a paste sends and answers nothing", { cli: Cli, show: Schema.Literals(shows), n: int(9_999), text: Schema.Array(Schema.Literals(["a", "\r", "\n", "é", "\u001b", "\u0003", "/x", "\u001b[A", " "])), cuts: Cuts }, ({ cli, cuts, n, show, text }) =>
    Effect.gen(function*() {
      const session = yield* stageOf(cli, show, n)
      const before = { state: session.view().state, ...known(session) }
      for (const piece of cut(utf8ToLatin1(`\u001b[200~${text.join("")}\r\u001b[201~`), cuts.map((part) => Math.max(part, 1000 * 3 / (text.length + 14))))) session.press(piece)
      assert.deepStrictEqual({ state: session.view().state, ...known(session) }, before)
    }).pipe(Effect.scoped), runsOf(60))

  it.effect.prop("V14 Alt with a key stops nothing", { cli: Cli, show: Schema.Literals(shows), n: int(9_999), key: Schema.Literals(Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))) }, ({ cli, key, n, show }) =>
    Effect.gen(function*() {
      const session = yield* stageOf(cli, show, n)
      const before = session.memory().tracker.facts.stop
      session.press(`\u001b${key}`)
      assert.strictEqual(session.memory().tracker.facts.stop, before)
    }).pipe(Effect.scoped), runsOf(60))
})

