import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { mostSeries, SessionMetrics } from "../../../src/programs/host/SessionMetrics.ts"
import { type Series, Telemetry } from "../../../src/services/Telemetry.ts"
import { contextOf } from "../../support/host/parts.ts"
import { effect, effectWith } from "../../support/run/effects.ts"

/** A host's figures, and what a collector is shown of them. */
const watched = () => {
  const shown = new Set<Series>()
  const show = (series: Series) => {
    shown.add(series)
    return () => void shown.delete(series)
  }
  const layer = contextOf({ tag: "one" }).pipe(Layer.provide(Layer.succeed(Telemetry, { show })))
  return { shown, layer }
}

const figure = (metrics: SessionMetrics["Service"], name: string, of: string | null = null) =>
  metrics.figures().find((one) => one.name === name && one.of === of)

describe("what a host counts", () => {
  effect("is told by name and series, and to a collector with the session, until the session ends", function* () {
    const { layer, shown } = watched()
    yield* Effect.scoped(
      Effect.gen(function* () {
        const metrics = yield* SessionMetrics
        metrics.count("deliveries", "completed")
        metrics.count("deliveries", "completed")
        metrics.count("deliveries", "failed")
        metrics.queueLength(3)
        assert.strictEqual(figure(metrics, "leap.deliveries", "completed")?.value, 2)
        assert.strictEqual(figure(metrics, "leap.deliveries", "failed")?.value, 1)
        assert.strictEqual(figure(metrics, "leap.queue.length")?.value, 3)
        assert.deepStrictEqual(
          [...shown].map(({ attributes, kind, read }) => [kind, attributes, read().value]),
          [
            ["counter", { "leap.session": "one", "leap.outcome": "completed" }, 2],
            ["counter", { "leap.session": "one", "leap.outcome": "failed" }, 1],
            ["gauge", { "leap.session": "one" }, 3]
          ]
        )
      }).pipe(Effect.provide(layer))
    )
    assert.strictEqual(shown.size, 0)
  })

  effectWith(watched().layer)("does not grow by names that come from outside", function* () {
    const metrics = yield* SessionMetrics
    for (let n = 0; n < 1_000; n++) metrics.count("signals", `hook ${n}`)
    metrics.count("signals", "hook 3")
    metrics.count("decisions", "allow")
    const signals = metrics.figures().filter(({ name }) => name === "leap.signals")
    assert.lengthOf(signals, mostSeries + 1)
    assert.strictEqual(figure(metrics, "leap.signals", "hook 3")?.value, 2)
    assert.strictEqual(figure(metrics, "leap.signals", "other")?.value, 1_000 - mostSeries)
    assert.strictEqual(figure(metrics, "leap.decisions", "allow")?.value, 1)
  })

  it.effect("measures from the last key to the next output, in buckets that add up", () => {
    const { layer, shown } = watched()
    return Effect.gen(function* () {
      const metrics = yield* SessionMetrics
      const echo = Effect.fnUntraced(function* (ms: number) {
        metrics.keyPressed()
        yield* TestClock.adjust(ms)
        metrics.outputPassed()
        // more output is not of the key
        yield* TestClock.adjust(7)
        metrics.outputPassed()
      })
      yield* echo(1)
      yield* echo(3)
      yield* echo(900)
      // what comes so late is the CLI's own
      yield* echo(1_001)
      assert.deepInclude(figure(metrics, "leap.echo"), { value: 3, sum: 904, least: 1, most: 900, unit: "ms" })
      const [series = assert.fail("nothing is shown")] = shown
      const buckets = new Map(series.read().buckets)
      assert.deepStrictEqual(
        [0.5, 1, 2, 5, 500, 1_000, Number.POSITIVE_INFINITY].map((bound) => buckets.get(bound)),
        [0, 1, 1, 2, 2, 3, 3]
      )
    }).pipe(Effect.provide(layer), Effect.scoped)
  })
})
