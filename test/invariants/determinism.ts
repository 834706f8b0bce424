import { assert } from "@effect/vitest"
import { reasonWords } from "../../src/domain/words/wording/reasonWords.ts"
import { Effect, Option, Schema, Stream } from "effect"
import { BackgroundTask, Problem, SessionState } from "../../src/domain/words/session/Session.ts"
import { NotReady } from "../../src/domain/words/session/NotReady.ts"
import { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import { latin1ToText } from "../../src/domain/words/text/Bytes.ts"
import * as Tracker from "../../src/domain/engine/tracker/Tracker.ts"
import { replay } from "../../src/programs/replay/replay.ts"
import { Providers } from "../../src/services/Providers.ts"
import { int, playScene, runsOf, Scene, tell } from "../support/recordings/scenes.ts"
import {
  eventsOf,
  Life,
  lifeOf,
  live,
  liveWith,
  Mode,
  modesOf,
  type StepName,
  steps,
  tellsOf,
  without
} from "../support/session/lives.ts"
import { everything, settle } from "../support/session/trace.ts"
import { frozen, inWorld, reread } from "../support/session/worlds.ts"
import { begin, makeWhole, type WholeSession } from "../support/WholeSession.ts"
import { law, type Law, lawOfSessions } from "./registry.ts"
import { Cli, shots } from "./shots.ts"
import { each } from "../support/data/fields.ts"

const isView = Schema.is(
  Schema.Struct({
    state: SessionState,
    ready: Schema.Boolean,
    dialog: Schema.Boolean,
    reason: Schema.Struct({ _tag: Schema.String }),
    notReady: Schema.NullOr(NotReady),
    since: Schema.Finite,
    message: Schema.NullOr(Schema.String),
    problem: Schema.NullOr(Problem),
    background: Schema.Array(BackgroundTask),
    changesAt: Schema.NullOr(Schema.Finite)
  })
)

const all = runsOf(250)
const startOf = (mode: typeof Mode.Type) => Tracker.start(begin, modesOf(mode))

export const determinism: ReadonlyArray<Law> = [
  // What comes in cannot be written to: a reducer that changed what it was given would throw here.
  law(
    ["V1"],
    "the same life in another world, frozen, gives the same memories",
    { life: Life, mode: Mode, off: int(2_000_000_000) },
    ({ life, mode, off }) => {
      const seen = (off: number) =>
        inWorld(off, () => {
          const track = Tracker.track({ capabilities: tellsOf(mode) })
          const events = eventsOf(life).map(frozen)
          return liveWith((memory, event) => frozen(track(memory, event)), events, frozen(startOf(mode))).seen
        })
      assert.deepStrictEqual(seen(off + 1), seen(-40_000 * off))
    },
    runsOf(100)
  ),

  // A host that starts again goes on from what it wrote down: nothing may be known beside that.
  law(
    ["V1"],
    "a life in pieces, gone on with from memories that were written and read again, gives the same memories",
    { life: Life, mode: Mode, every: Schema.Literals([1, 2, 5, 13]) },
    ({ every, life, mode }) => {
      const whole = live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen
      let n = 0
      const pieces = liveWith(
        (memory, event) =>
          Tracker.track({ capabilities: { ...tellsOf(mode) } })(++n % every === 0 ? reread(memory) : memory, event),
        eventsOf(life).map(reread),
        startOf(mode)
      ).seen
      assert.deepStrictEqual(pieces, whole)
    },
    runsOf(100)
  ),

  law(
    ["V1", "V41"],
    "lives that one machine leads by turns give what each gives alone",
    { one: Life, other: Life, mode: Mode },
    ({ mode, one, other }) => {
      const track = Tracker.track({ capabilities: tellsOf(mode) })
      let beside = startOf(mode)
      const events = eventsOf(other)
      let n = 0
      const together = liveWith(
        (memory, event) => {
          const next = events[n++ % events.length]
          if (next !== undefined) beside = track(beside, next)
          return track(memory, event)
        },
        eventsOf(one),
        startOf(mode)
      ).seen
      assert.deepStrictEqual(together, live(eventsOf(one), modesOf(mode), tellsOf(mode)).seen)
    },
    runsOf(100)
  ),

  // A tick says nothing but the time: one more at a moment that was reached already adds nothing.
  law(
    ["V1"],
    "ticks that come twice, or after an event of the same moment, change no view",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const plain = live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen
      const track = Tracker.track({ capabilities: tellsOf(mode) })
      const ticked = liveWith(
        (memory, event) => {
          const next = track(memory, event)
          return track(next, { _tag: "Tick", at: next.facts.at })
        },
        eventsOf(life),
        startOf(mode)
      ).seen
      assert.deepStrictEqual(
        each(ticked, "view"),
        plain.map(({ view }) => view)
      )
    },
    runsOf(100)
  ),

  // Leap's form: eight states, and none of them is only a view: what is stored is what is said.
  law(
    ["V2"],
    "every view is whole and of a known state",
    { events: Schema.Array(SessionEvent) },
    ({ events }) => {
      const track = Tracker.track({ capabilities: everything })
      let memory = Tracker.start(0, { autoSend: "pause", churn: "wait" })
      for (const event of events) {
        memory = track(memory, event)
        assert.isTrue(isView(memory.view), JSON.stringify(memory.view))
        assert.isTrue(memory.view.changesAt === null || memory.view.changesAt > memory.facts.at)
      }
    },
    all
  ),

  // Leap's form: churning is a state, and needs background work that something told or showed.
  law(
    ["V3"],
    "nothing churns without background work",
    { life: lifeOf(without("background", "ownShell", "endedChurning", "toldChild")), mode: Mode },
    ({ life, mode }) => {
      for (const { view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen)
        assert.notStrictEqual(view.state, "churning", view.reason._tag)
    },
    all
  ),
  law(
    ["V3"],
    "a session at rest with background work churns, while it lives",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const events = (
        ["clear", "boxRest", "toldChild", "toldWork", "toldDone", "boxRest"] as ReadonlyArray<StepName>
      ).map((name, i) => ({ ...steps[name], at: last.facts.at + 61_000 * (i + 1) }))
      const { last: end } = live(events, modesOf(mode), tellsOf(mode), last)
      const { memory } = settle(track, end, end.facts.at + 61_000)
      assert.strictEqual(memory.view.state, "churning", memory.view.reason._tag)
      assert.isTrue(mode.churn === "send" || !memory.view.ready, "ready although the mode is to wait")
      assert.strictEqual(
        track(memory, { _tag: "Exited", at: memory.facts.at, exit: { code: 0, signal: null } }).view.state,
        "exited"
      )
    },
    all
  ),

  // Leap's form: an ended process is `exited`, not idle.
  law(
    ["V4"],
    "nothing follows the end",
    { life: Life, after: Life, mode: Mode },
    ({ after, life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const gone = track(last, { _tag: "Exited", at: last.facts.at, exit: { code: null, signal: "SIGKILL" } })
      assert.deepStrictEqual(
        [gone.view.state, gone.view.ready, gone.view.dialog, gone.view.changesAt],
        ["exited", false, false, null]
      )
      assert.strictEqual(eventsOf(after, gone.facts.at).reduce(track, gone), gone)
    },
    runsOf(100)
  ),

  law(
    ["V5"],
    "the reducer takes any events at all, at any times",
    {
      events: Schema.Array(SessionEvent),
      tells: Schema.Struct({
        programStatus: Schema.Boolean,
        ownStatus: Schema.Boolean,
        turnHooks: Schema.Boolean,
        firstTurn: Schema.optionalKey(int(60_000)),
        idleCommands: Schema.optionalKey(Schema.Boolean)
      })
    },
    ({ events, tells }) => {
      const memory = events.reduce(
        Tracker.track({ capabilities: tells }),
        Tracker.start(0, { autoSend: "always", churn: "send" })
      )
      assert.isString(memory.view.reason._tag)
    },
    all
  ),

  // Leap's form: a resize changes no state, and readiness only by having to settle again.
  law(
    ["V6"],
    "a resize alone changes no state, and readiness for a second at most",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      if (last.facts.torn !== null) return
      const resized = track(last, { _tag: "Resize", at: last.facts.at, cols: 80, rows: 24 })
      assert.deepStrictEqual(
        { ...resized.facts, resizedAt: null },
        { ...track(last, { _tag: "Tick", at: last.facts.at }).facts, resizedAt: null }
      )
      assert.strictEqual(resized.view.state, last.view.state)
      const [plain, after] = [last, resized].map((memory) => settle(track, memory, last.facts.at + 1_000).memory.view)
      assert.deepStrictEqual([after?.state, after?.ready, after?.dialog], [plain?.state, plain?.ready, plain?.dialog])
    },
    all
  ),

  // Leap's form: focus, mouse and reports are nobody's keys. An arrow is one: it keeps messages away for a moment, and
  // nothing else.
  law(
    ["V7"],
    "an arrow changes nothing but the time of the last key",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const pressed = track(last, { ...steps.navigate, at: last.facts.at })
      const { facts } = track(last, { _tag: "Tick", at: last.facts.at })
      assert.deepStrictEqual(
        { ...pressed.facts, userKeyAt: null, beforeKey: null },
        { ...facts, userKeyAt: null, beforeKey: null }
      )
      assert.strictEqual(pressed.view.state, last.view.state)
      if (pressed.view.ready) assert.isTrue(last.view.ready)
    },
    all
  ),
  lawOfSessions(
    ["V1", "V5"],
    "the same scene in another world gives the same memories, and nothing in it throws",
    { cli: Cli, scene: Scene, off: int(2_000_000_000) },
    ({ cli, off, scene }) =>
      Effect.gen(function* () {
        const footage = yield* shots[cli]
        const provider = yield* (yield* Providers).get(cli)
        const played = Effect.fnUntraced(function* (off: number) {
          const log: Array<unknown> = []
          const session = yield* makeWhole({
            provider,
            size: { cols: 120, rows: 40 },
            heard: (memory) => void log.push(frozen(memory)),
            wrote: (command) => void log.push(command)
          })
          inWorld(off, () => playScene(session, footage, { still: null, touched: false }, scene))
          return log
        })
        assert.deepStrictEqual(yield* played(off + 1), yield* played(-40_000 * off), tell(footage, scene))
      }),
    runsOf(40)
  ),

  lawOfSessions(
    ["V1"],
    "the host and `leap replay` say the same of the same trace",
    { cli: Cli, scene: Scene },
    ({ cli, scene }) =>
      Effect.gen(function* () {
        const footage = yield* shots[cli]
        const lines: Array<readonly [number, string, string]> = []
        const views: Array<unknown> = []
        const session = yield* makeWhole({
          provider: yield* (yield* Providers).get(cli),
          size: { cols: 120, rows: 40 }
        })
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
            const view = session.view()
            views.push({ state: view.state, ready: view.ready, dialog: view.dialog, reason: reasonWords(view) })
          }
        }
        // A recording is text: its chunks never end within a character.
        playScene(
          recorded,
          footage,
          { still: null, touched: false },
          scene.map((act) => ({ ...act, how: act.how === "cut" ? "at once" : act.how, cuts: [] }))
        )
        const header = JSON.stringify({ version: 2, width: 120, height: 40, timestamp: begin / 1000, leap: { cli } })
        const answers = yield* replay(
          { provider: Option.none(), noHooks: false },
          Stream.fromIterable([header, ...lines.map((one) => JSON.stringify(one))])
        ).pipe(Stream.runCollect)
        const ticks = answers.map((text) => JSON.parse(text)).filter((answer) => answer.tick === true)
        assert.deepStrictEqual(
          ticks.map(({ dialog, ready, reason, state }) => ({ state, ready, dialog, reason })),
          views,
          tell(footage, scene)
        )
      }).pipe(Effect.scoped),
    runsOf(25)
  )
]
