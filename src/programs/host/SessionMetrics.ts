import { Clock, Context, Effect, Layer } from "effect"
import { bucketBounds, type Figure, type MetricName, metrics } from "../../domain/words/session/metrics.ts"
import { type SeriesValue, Telemetry } from "../../services/Telemetry.ts"
import { SessionContext } from "./SessionContext.ts"

/** The host's metrics, for `leap doctor --json` and a collector. Counting sends, wakes and writes nothing. */
export class SessionMetrics extends Context.Service<
  SessionMetrics,
  {
    /** Counts one more; `of` names the series. Beyond {@link mostSeries} series of a metric, the rest is `other`. */
    readonly count: (name: "decisions" | "deliveries" | "events" | "signals", of: string) => void
    readonly queueLength: (length: number) => void
    /** The user's key goes to the CLI now; the next output counts as its echo. */
    readonly keyPressed: () => void
    /** The CLI's output has reached the viewers. */
    readonly outputPassed: () => void
    readonly look: <A>(run: () => A) => A
    readonly figures: () => ReadonlyArray<Figure>
  }
>()("leap/programs/host/SessionMetrics") {}

/** A bound, because names may come from the CLI (its hooks), and a host lives long. */
export const mostSeries = 64

/** Output after this time, in milliseconds, is no echo. */
const longestEcho = 1_000

interface Kept {
  readonly name: MetricName
  readonly of: string | null
  value: number
  sum: number
  least: number
  most: number
  readonly buckets: Array<number>
}

const keyOf = (name: MetricName, of: string | null): string => (of === null ? name : `${name} ${of}`)

const valueOf = ({ buckets, least, most, sum, value }: Kept): SeriesValue => {
  let upTo = 0
  const bounds = [...bucketBounds, Number.POSITIVE_INFINITY]
  return {
    value,
    sum,
    least: value === 0 ? 0 : least,
    most,
    buckets: bounds.map((bound, i) => [bound, (upTo += buckets[i] ?? 0)] as const)
  }
}

const make = Effect.gen(function* () {
  const { tag } = yield* SessionContext
  const { show } = yield* Telemetry
  const clock = yield* Clock.Clock
  const series = new Map<string, Kept>()
  const shown: Array<() => void> = []
  yield* Effect.addFinalizer(() => Effect.sync(() => shown.forEach((hide) => hide())))

  const namedOf = (name: MetricName): number => [...series.values()].filter((one) => one.name === name).length
  const seriesOf = (name: MetricName, of: string | null = null): Kept => {
    const key = keyOf(name, of)
    const there = series.get(key)
    if (there !== undefined) return there
    const made: Kept = {
      name,
      of,
      value: 0,
      sum: 0,
      least: Number.POSITIVE_INFINITY,
      most: 0,
      buckets: [...bucketBounds, 0].map(() => 0)
    }
    series.set(key, made)
    const { by, ...metric } = metrics[name]
    const attributes = { "leap.session": tag, ...(by === null || of === null ? {} : { [`leap.${by}`]: of }) }
    shown.push(show({ ...metric, attributes, read: () => valueOf(made) }))
    return made
  }
  const observe = (name: "echo" | "look", ms: number): void => {
    const at = seriesOf(name)
    const bucket = bucketBounds.findIndex((bound) => ms <= bound)
    at.value += 1
    at.sum += ms
    at.least = Math.min(at.least, ms)
    at.most = Math.max(at.most, ms)
    const into = bucket < 0 ? bucketBounds.length : bucket
    at.buckets[into] = (at.buckets[into] ?? 0) + 1
  }
  const now = (): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  let pressed: number | null = null

  return SessionMetrics.of({
    count: (name, of) => {
      const isRoom = series.has(keyOf(name, of)) || namedOf(name) < mostSeries
      seriesOf(name, isRoom ? of : "other").value += 1
    },
    queueLength: (length) => void (seriesOf("queue").value = length),
    keyPressed: () => void (pressed = now()),
    outputPassed: () => {
      if (pressed === null) return
      const took = now() - pressed
      pressed = null
      if (took <= longestEcho) observe("echo", took)
    },
    look: (run) => {
      const begun = now()
      const found = run()
      observe("look", now() - begun)
      return found
    },
    figures: () =>
      [...series.values()].map((one): Figure => {
        const { kind, name, unit } = metrics[one.name]
        const round = (ms: number): number => Math.round(ms * 1_000) / 1_000
        const { least, most, sum, value } = valueOf(one)
        const isMeasured = kind === "histogram"
        return {
          name,
          of: one.of,
          unit,
          value,
          sum: isMeasured ? round(sum) : null,
          least: isMeasured ? round(least) : null,
          most: isMeasured ? round(most) : null
        }
      })
  })
})

export const layer = Layer.effect(SessionMetrics, make)
