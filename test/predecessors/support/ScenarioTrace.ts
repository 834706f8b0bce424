/**
 * Plays traces in the notation of the predecessor's state scenarios through `leap replay`.
 *
 *     holds("ST-070", "claude", "send ⇒RUN; @1; out[c+ clr: FOOT]; sig=PERM; poll→PERM; @12; in ⏎; out[c- clr: txt]; poll→RUN")
 *
 * is a row for `scenarios` (scenarioTable.ts). Statements, separated by `;` (`⇒X` may follow any that can change the
 * state):
 *
 *     @12.05  +6s  t0=100     the clock: seconds of the trace
 *     send                    leap is about to type
 *     in ⏎  in Esc  in "hi⏎"  one chunk of keys: ⏎ ␊ ␛ ^C ␀ ↑ ↓ ⌫ Esc Tab, also inside quotes; `… one byte at a time`
 *     out[c+ clr: txt×2 / ❯1. / opt / EscCan]   a frame: cursor shown or hidden, cleared first, rows from the top
 *     out["● Any row" / …]    rows as they stand, `❯"text"` a prompt row with unsent text; `out[clr: –]` a blank screen
 *     paint +70s              the CLI repaints its frame every second, as it does while its indicator moves
 *     sig=PERM  sig:=raw      the predecessor's signal file; `hook Stop {…}`, `session {…}`, `transcript …` are today's sources
 *     resize 30x100           rows and columns
 *     poll→X  =X  poll→X|Y    the state now; `poll(composing)→X` with unsent text in the box; `poll(dead)→EXIT` after the exit
 *     ready?→T  arrows→CLI    readiness; whose the arrow keys are
 *     (a; b) ×10  [#2]        again and again; a second session
 *
 * Rows that are no more than tokens are drawn by a `Stage` on the CLI's real structure (support/stages): prose in the
 * conversation with the input box below, a dialog in place of the box, a spinner where the cursor is hidden (the
 * predecessor's sign of work).
 *
 * Allowances, the same for every row: the trace begins ten seconds after the prompt came up (`cold`: with the process);
 * statements are 20 ms apart; a state may take half a second to be told (`allowance`), and the clock of what follows is
 * that much later; only `⇒RUN` is looked at without delay. Readiness may take as long as its longest settling.
 *
 * Held for every row beside what it says: never `ready` while the screen shows a dialog, a picker, work or unsent text;
 * a row that ends at rest becomes ready, one that ends otherwise does not, whatever the time. Each row is played once
 * more with its bare rows, as the predecessor's tests fed them: what cannot be read as the CLI's prompt is never ready.
 */
import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { settling } from "../../../src/domain/engine/tracker/rules/limits.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { replay } from "../../../src/programs/replay/replay.ts"
import { stages, transcripts } from "./stages/stages.ts"
import { parseTrace, type StateWord, states, type Step, type Token } from "./ScenarioNotation.ts"
import { bare, type Frame, given } from "./ScenarioStage.ts"
import type { ScenarioRow } from "./scenarioTable.ts"

/** Seconds. */
const gap = 0.02
const allowance = 0.5
const upFor = 10
const readyWithin =
  Math.max(...Object.entries(settling).flatMap(([name, ms]) => (name === "overloaded" ? [] : [ms]))) / 1000 + allowance
const size = { cols: 100, rows: 40 }
const epoch = 1_795_000_000

/** How a row is to be played. */
export interface Playing {
  /** The trace begins with the process: nothing is drawn yet. */
  readonly cold?: boolean
}

/** What leap must say at a moment. */
interface Expected {
  readonly state?: ReadonlyArray<StateWord>
  readonly ready?: boolean
  readonly dialog?: boolean
}

interface Look extends Expected {
  readonly second: number
  readonly step: string
  readonly shows: Frame["shows"]
}

interface Session {
  readonly lines: ReadonlyArray<string>
  readonly looks: ReadonlyArray<Look>
}

/** Turns a trace into the lines of recordings (one a session) and what leap has to answer to their ticks. */
const compile = (
  provider: string,
  bareRows: boolean,
  steps: ReadonlyArray<Step>,
  cold: boolean
): ReadonlyArray<Session> => {
  const real = stages(provider)
  const sessions: Array<Session> = []
  let lines: Array<string> = []
  let looks: Array<Look> = []
  let now = 0
  // what the clock of the trace reads, and how much later than that it really is
  let late = 0
  let frame: Frame = { rows: [], shows: "nothing", caret: null }
  let drawn: { tokens: ReadonlyArray<Token>; cursor: boolean } | null = null
  let draft = ""
  let beat = 0
  let cols = size.cols
  let last: StateWord | null = null
  let index = 0
  let stage = real

  const look = (step: string, expected: Expected) => {
    lines.push(JSON.stringify([now, "k", ""]))
    looks.push({ ...expected, second: now, step, shows: frame.shows })
    if (expected.state?.[0] !== undefined) last = expected.state[0]
    if (expected.ready === true) last = "IDLE"
  }
  /** A new prompt is under the interrupt line then: it is history. */
  const submit = () => {
    if (frame.shows === "stopped") frame = { ...frame, shows: "rest" }
  }
  /** Every line is followed by a look, so that each answer has the frame that it was given for. */
  const line = (code: string, data: string) => {
    lines.push(JSON.stringify([now, code, data]))
    look(code === "o" ? "a frame" : `${code} ${JSON.stringify(data)}`, {})
  }
  const wait = (seconds: number) => {
    now += seconds
    late += seconds
  }
  const asks = (): "permission" | "question" => {
    for (const { does } of steps.slice(index)) {
      if (does._tag === "Fresh") break
      if (does._tag === "Marker" && does.asks !== null) return does.asks
    }
    return "permission"
  }
  const draw = (tokens: ReadonlyArray<Token>, cursor: boolean) => {
    drawn = { tokens, cursor }
    frame = given(tokens) ?? stage(tokens, { cols, cursor, asks: asks(), draft, beat })
    const caret = frame.caret === null ? "" : `\u001b[${frame.caret[0]};${frame.caret[1]}H`
    const title = frame.title === undefined ? "" : `\u001b]0;${frame.title}\u0007`
    line(
      "o",
      `${title}\u001b[?25${(frame.cursor ?? cursor) ? "h" : "l"}\u001b[2J\u001b[H${frame.rows.join("\r\n")}${caret}`
    )
  }
  const redraw = () => {
    if (drawn !== null) draw(drawn.tokens, drawn.cursor)
  }
  const compose = () => {
    draft = "something unsent"
    line("i", draft)
    redraw()
  }
  const begin = () => {
    lines = [JSON.stringify({ version: 2, width: size.cols, height: size.rows, timestamp: epoch, leap: { provider } })]
    looks = []
    frame = { rows: [], shows: "nothing", caret: null }
    drawn = null
    draft = ""
    cols = size.cols
    stage = real
    late = 0
    now = 0
    last = cold ? null : "IDLE"
    if (cold) {
      if (bareRows) stage = bare
      return
    }
    now = 0.5
    draw(
      [
        { parts: ["txt"], long: false, dotted: false, text: null },
        { parts: [">"], long: false, dotted: false, text: null }
      ],
      true
    )
    now = late = upFor
    if (bareRows) stage = bare
  }
  const end = () => {
    const rests = frame.shows === "rest"
    const never = !rests || last === "INTR" || last === "CHURN" || last === "EXIT"
    // at rest on screen while something else tells of work: leap's bounds decide, not the row
    if (never || last === "IDLE") {
      wait(readyWithin)
      look("the end", { ready: !never })
    }
    if (never) {
      wait(120)
      look("two minutes later", { ready: false })
    }
    return sessions.push({ lines, looks })
  }

  begin()
  steps.forEach(({ does, text }, i) => {
    index = i
    switch (does._tag) {
      case "At":
        now = Math.max(now, does.second + late)
        return
      case "After":
        now += does.seconds
        return
      case "Fresh":
        if (i > 0) end()
        begin()
        return
      case "Paint":
        for (let left = does.seconds; left > 0; left--) {
          now += 1
          beat++
          redraw()
        }
        return
      case "Look":
        if (does.composing) compose()
        wait(allowance)
        look(text, { state: does.state })
        return
      case "Ready":
        if (does.composing) compose()
        if (does.ready || does.composing) wait(does.ready ? readyWithin : allowance)
        look(text, { ready: does.ready })
        return
      case "Arrows":
        wait(allowance)
        look(text, { dialog: does.toCli })
        return
      default:
    }
    wait(gap)
    switch (does._tag) {
      case "Send":
        submit()
        line("m", "send")
        break
      case "Keys":
        does.chunks.forEach((chunk, at) => {
          if (at > 0) wait(gap)
          if (chunk.includes("\r")) submit()
          line("i", chunk)
        })
        break
      case "Draw": {
        const partly = !does.clear && frame.shows === "asks" && does.rows.every(({ parts }) => parts[0] === "txt")
        if (does.rows.length === 0 && !does.clear)
          line("o", does.cursor === null ? "" : `\u001b[?25${does.cursor ? "h" : "l"}`)
        else if (partly) line("o", `\u001b7\u001b[H${"Some words".padEnd(12)}\u001b8`)
        else draw(does.rows, does.cursor ?? true)
        break
      }
      case "Marker":
        line("m", does.data)
        break
      case "Transcript":
        line(
          "m",
          `transcript:${JSON.stringify(transcripts(provider, does.entry, new Date((epoch + (does.second === null ? now : does.second + upFor)) * 1000)))}`
        )
        break
      case "Resize":
        cols = does.cols
        line("r", `${does.cols}x${does.rows}`)
        redraw()
        break
    }
    if (does.into === "RUN") look(text, { state: ["RUN"] })
    else if (does.into !== null) {
      wait(allowance)
      look(text, { state: [does.into] })
    }
  })
  end()
  return sessions
}

interface Answer {
  readonly t: number
  readonly state: string
  readonly ready: boolean
  readonly dialog: boolean
  readonly reason: string
  readonly tick?: boolean
}

const live = Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer)

/**
 * What a row asked for and did not get, with all that leap said; [] where it holds. `only: "safety"`: what holds for
 * every row, on bare rows.
 */
export const play = Effect.fn("play")(function* (
  provider: string,
  trace: string,
  playing: Playing = {},
  only?: "safety"
) {
  const failures: Array<string> = []
  for (const { lines, looks } of compile(provider, only === "safety", parseTrace(trace), playing.cold === true)) {
    const answers = yield* replay({ provider: Option.none(), noHooks: false }, Stream.fromIterable(lines)).pipe(
      Stream.map((answer): Answer => JSON.parse(answer)),
      Stream.runCollect,
      Effect.provide(live)
    )
    let at = 0
    let failed = false
    const story = answers.map((answer) => {
      const next = looks[at]
      // an answer between two looks comes of a timer: the frame is still the last one
      const shows = (answer.tick === true || answer.t >= (next?.second ?? 0) ? next : looks[at - 1])?.shows ?? "nothing"
      const expected = answer.tick === true && only !== "safety" ? next : undefined
      const ill =
        (answer.ready && shows !== "rest") ||
        (expected?.state !== undefined && !expected.state.some((word) => states[word] === answer.state)) ||
        (expected?.ready !== undefined && expected.ready !== answer.ready) ||
        (expected?.dialog !== undefined && expected.dialog !== answer.dialog)
      if (ill) failed = true
      if (answer.tick === true) at++
      const why = `${answer.state}${answer.ready ? " ready" : ""}${answer.dialog ? " dialog" : ""} (${answer.reason}; on screen: ${shows})`
      return `${ill ? "✗" : " "} ${answer.t.toFixed(2)} ${answer.tick === true ? (next?.step ?? "") : "…"} → ${why}`
    })
    if (at !== looks.length) failures.push(`${looks.length} looks, ${at} answers`)
    if (failed) failures.push(story.join("\n"))
  }
  return failures
})

/** A row that holds: its id, what it is about, the CLI and the trace. */
export const holds = (
  id: string,
  says: string,
  provider: string,
  trace: string,
  playing: Playing = {}
): ScenarioRow => ({
  id,
  says,
  check: () =>
    Effect.gen(function* () {
      const failures = yield* play(provider, trace, playing)
      assert.lengthOf(failures, 0, failures.join("\n"))
      const unsafe = yield* play(provider, trace, playing, "safety")
      assert.lengthOf(unsafe, 0, unsafe.join("\n"))
    })
})

/** A row of which a part holds: what today's design answers otherwise, and why. The trace is what holds. */
export const partly = (
  id: string,
  says: string,
  provider: string,
  trace: string,
  differs: string,
  playing: Playing = {}
): ScenarioRow => ({
  ...holds(id, says, provider, trace, playing),
  differs
})
