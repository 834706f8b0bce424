import { Schema } from "effect"

/** The bounds of a histogram's buckets, in milliseconds: from an echo to a screen that is slow to draw. */
export const bucketBounds: ReadonlyArray<number> = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/** A host's metrics: each metric's name (as in OpenTelemetry), unit (UCUM), description and attributes. */
export const metrics = {
  events: {
    kind: "counter",
    name: "leap.machine.events",
    unit: "{event}",
    text: "Events that the session's state machine took in",
    by: "event"
  },
  signals: {
    kind: "counter",
    name: "leap.signals",
    unit: "{signal}",
    text: "What the CLI told of itself, by where it was told: its hooks, its files",
    by: "source"
  },
  decisions: {
    kind: "counter",
    name: "leap.decisions",
    unit: "{request}",
    text: "Permission requests that were decided",
    by: "verdict"
  },
  deliveries: {
    kind: "counter",
    name: "leap.deliveries",
    unit: "{message}",
    text: "Messages of the queue, by what became of each",
    by: "outcome"
  },
  queue: {
    kind: "gauge",
    name: "leap.queue.length",
    unit: "{message}",
    text: "Messages that wait in the session's queue",
    by: null
  },
  echo: {
    kind: "histogram",
    name: "leap.echo",
    unit: "ms",
    text: "From a key of the user's to the CLI's next output, as the host passes it on",
    by: null
  },
  look: {
    kind: "histogram",
    name: "leap.screen.look",
    unit: "ms",
    text: "Drawing the screen and reading it",
    by: null
  }
} as const satisfies Readonly<Record<string, Metric>>

interface Metric {
  readonly kind: "counter" | "gauge" | "histogram"
  readonly name: string
  readonly unit: string
  readonly text: string
  readonly by: string | null
}

export type MetricName = keyof typeof metrics

/**
 * One series of a metric since the host began. `of`: which one, if a metric has several. `value`: the count, or the
 * value of a gauge. `sum`, `least` and `most` of the measurements; null for a count.
 */
export const Figure = Schema.Struct({
  name: Schema.String,
  of: Schema.NullOr(Schema.String),
  unit: Schema.String,
  value: Schema.Finite,
  sum: Schema.NullOr(Schema.Finite),
  least: Schema.NullOr(Schema.Finite),
  most: Schema.NullOr(Schema.Finite)
})
export type Figure = typeof Figure.Type
