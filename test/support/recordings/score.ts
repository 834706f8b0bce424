import { Effect, Option, Stream } from "effect"
import { replay } from "../../../src/programs/replay/replay.ts"
import { decode, isLabel, type Truth, truthOf } from "./recordings.ts"

/** What the detector says from a moment on. */
export interface Said {
  readonly t: number
  readonly state: string
  readonly ready: boolean
}

/** One recording held against its labels. Times in seconds. */
export interface Score {
  readonly total: number
  readonly right: number
  /** Ready while a turn, a dialog or a picker is up. */
  readonly unsafe: number
  /** The same, and interrupted and churning. */
  readonly falseReady: number
  /** The turn over for more than `stuckAfter` and not yet idle. */
  readonly stuck: number
  readonly misses: number
  /** From a turn's end to readiness, where three seconds or more of rest follow without a key; Infinity for never. */
  readonly readyLatencies: ReadonlyArray<number>
  readonly idleLatencies: ReadonlyArray<number>
  readonly dialogLatencies: ReadonlyArray<number>
  /** Seconds of `truth→said` that were wrong. */
  readonly wrong: Readonly<Record<string, number>>
}

/** A label and the CLI's own screen differ by up to this much after a change and before the next. */
const grace = 0.3
const end = 0.5
const stuckAfter = 2

const dialogs = new Set(["needs_permission", "needs_input"])
/** `settling`: the endpoint has said its last word, and nobody but the CLI knows when it has taken that in. */
const unscored = new Set(["starting", "settling", "exiting"])

/** Whether what is said fits the label; null where nothing can be said. */
const fits = (truth: string, said: Said): boolean | null => {
  if (truth === "picker") return !said.ready
  if (unscored.has(truth)) return null
  return dialogs.has(truth) ? dialogs.has(said.state) : said.state === truth
}

/** A recording as the detector may see it (labels and notes taken out, a tick at its end), and its labels. */
export const split = (
  text: string
): {
  readonly seen: ReadonlyArray<string>
  readonly truth: ReadonlyArray<Truth>
  /** When keys were pressed. */
  readonly keys: ReadonlyArray<number>
  readonly end: number
  readonly cli: string
} => {
  const { first, header, lines: events } = decode(text)
  const truth = truthOf(events)
  const over = events.at(-1)?.[0] ?? 0
  const stop = truth.find(({ state }) => state === "exited")?.t ?? over
  const seen = [...events.filter((line) => !isLabel(line)), [Math.max(stop, over), "k", ""]]
  return {
    seen: [first, ...seen.map((line) => JSON.stringify(line))],
    truth,
    keys: events.flatMap(([t, code]) => (code === "i" ? [t] : [])),
    end: stop,
    cli: header.leap?.cli ?? "unknown"
  }
}

/** Holds what was said against the labels. */
export const judge = (
  truth: ReadonlyArray<Truth>,
  said: ReadonlyArray<Said>,
  stop: number,
  keys: ReadonlyArray<number> = []
): Score => {
  const before: Said = { t: 0, state: "idle", ready: true }
  const at = (t: number): Said => said.findLast((one) => one.t <= t) ?? before
  const sum = { total: 0, right: 0, unsafe: 0, falseReady: 0, stuck: 0, misses: 0 }
  const idleLatencies: Array<number> = []
  const dialogLatencies: Array<number> = []
  const readyLatencies: Array<number> = []
  const wrong: Record<string, number> = {}
  truth.forEach(({ state, t: from }, index) => {
    const next = truth[index + 1]
    const to = Math.min(next?.t ?? stop, stop)
    if (state === "exited" || to <= from) return
    const moments = [from, ...said.map(({ t }) => t).filter((t) => t > from && t < to), to]
    for (let i = 0; i + 1 < moments.length; i++) {
      const a = moments[i] ?? from
      const b = moments[i + 1] ?? to
      const one = at(a + 1e-9)
      const span = (after: number, until: number) => Math.max(0, Math.min(b, until) - Math.max(a, from + after))
      const fit = fits(state, one)
      if (fit !== null) {
        const scored = span(grace, to - end)
        sum.total += scored
        if (fit) sum.right += scored
        else wrong[`${state}→${one.state}`] = (wrong[`${state}→${one.state}`] ?? 0) + scored
      }
      if (one.ready && state !== "idle" && !unscored.has(state)) {
        const early = span(grace, next?.state === "idle" ? to - end : to)
        sum.falseReady += early
        if (state !== "interrupted" && state !== "churning") sum.unsafe += early
      }
      if (state === "idle" && one.state !== "idle") sum.stuck += span(stuckAfter, to)
    }
    const untouched = to - from >= 3 && !keys.some((t) => t > from && t < from + 3)
    if (state === "idle" && truth[index - 1]?.state === "running" && untouched) {
      readyLatencies.push((moments.slice(0, -1).find((t) => at(t + 1e-9).ready) ?? Infinity) - from)
    }
    if (unscored.has(state) || state === "picker") return
    const hit = moments.slice(0, -1).find((t) => fits(state, at(t + 1e-9)) === true)
    if (hit === undefined) sum.misses += to - from > 0.5 ? 1 : 0
    else if (state === "idle") idleLatencies.push(hit - from)
    else if (dialogs.has(state)) dialogLatencies.push(hit - from)
  })
  return { ...sum, idleLatencies, dialogLatencies, readyLatencies, wrong }
}

/** Replays a recording and scores it. */
export const score = Effect.fn("score")(function* (text: string, noHooks: boolean) {
  const { end, keys, seen, truth } = split(text)
  const said = yield* replay({ provider: Option.none(), noHooks }, Stream.fromIterable(seen)).pipe(
    Stream.map((line) => JSON.parse(line) as Said),
    Stream.runCollect
  )
  return judge(truth, said, end, keys)
})

const percentile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

/** The figures of many recordings together. */
export const total = (scores: ReadonlyArray<Score>) => {
  const sum = (of: (score: Score) => number) => scores.reduce((all, one) => all + of(one), 0)
  const idle = scores.flatMap((one) => one.idleLatencies)
  const dialog = scores.flatMap((one) => one.dialogLatencies)
  const ready = scores.flatMap((one) => one.readyLatencies)
  const all = sum((one) => one.total)
  return {
    files: scores.length,
    "right %": all === 0 ? 100 : round((100 * sum((one) => one.right)) / all, 2),
    "unsafe s": round(
      sum((one) => one.unsafe),
      2
    ),
    "false ready s": round(
      sum((one) => one.falseReady),
      2
    ),
    "stuck s": round(
      sum((one) => one.stuck),
      2
    ),
    misses: sum((one) => one.misses),
    "idle p50": round(percentile(idle, 0.5), 2),
    "idle p95": round(percentile(idle, 0.95), 2),
    "dialog p50": round(percentile(dialog, 0.5), 2),
    "dialog p95": round(percentile(dialog, 0.95), 2),
    "ready p50": round(percentile(ready, 0.5), 2)
  }
}
export type Total = ReturnType<typeof total>

/**
 * What must hold, in one place: with everything that a CLI tells, and by screen, title and input alone. Never being
 * ready would be safe as well, so readiness has a bar of its own.
 */
export const bars = {
  hooks: { "right %": 99, "false ready s": 0, "stuck s": 0, "idle p95": 0.5, "dialog p95": 1, "ready p50": 1 },
  noHooks: { "right %": 97, "false ready s": 0, "ready p50": 2 }
} as const

/** The bars that some figures do not reach, each in words. */
export const under = (figures: Total, bar: Partial<Record<keyof Total, number>>): ReadonlyArray<string> =>
  (Object.entries(bar) as ReadonlyArray<[keyof Total, number]>).flatMap(([name, limit]) => {
    const fine = name === "right %" ? figures[name] >= limit : figures[name] <= limit
    return fine ? [] : [`${name} is ${figures[name]}, the bar is ${limit}`]
  })
