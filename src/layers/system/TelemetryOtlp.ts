import { Config, Effect, Layer, Metric, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { type Series, Telemetry } from "../../services/Telemetry.ts"

/** The interval of sending metrics, in milliseconds. */
const interval = 10_000
/** The wait of an ending process for a collector that does not answer. */
const timeout = "1 second"

const metricOf = ({ attributes, kind, name, text, unit }: Series): Metric.Metric<never, unknown> => {
  const options = { description: text, attributes: { ...attributes, unit } }
  if (kind === "counter") return Metric.counter(name, { ...options, incremental: true })
  return kind === "gauge" ? Metric.gauge(name, options) : Metric.histogram(name, { ...options, boundaries: [] })
}

const stateOf = ({ kind, read }: Series): unknown => {
  const { buckets, least, most, sum, value } = read()
  if (kind === "counter") return { count: value, incremental: true }
  return kind === "gauge" ? { value } : { buckets, count: value, min: least, max: most, sum }
}

const shown = Effect.map(Effect.context<never>(), (context) => ({
  show: (series: Series) => {
    const nothing = () => {}
    const hooks = { get: () => stateOf(series), update: nothing, modify: nothing }
    const { remove } = Metric.registerUnsafe(metricOf(series), context, hooks)
    // The series stays until its last value has been sent, or the process ends, which sends it too.
    return () => void setTimeout(remove, 1.5 * interval).unref()
  }
}))

/** Headers for the collector, in OpenTelemetry's form: `name=value,name=value`. */
const headersName = "OTEL_EXPORTER_OTLP_HEADERS"
const headers = Config.Record(Schema.String, Schema.StringFromUriComponent, headersName).pipe(
  Config.withDefault(undefined)
)

/**
 * Sends spans and metrics to a collector by OTLP over HTTP (`/v1/traces`, `/v1/metrics` below `url`). Requests to
 * secret addresses make no span (`TracerDisabledWhen` at their source).
 */
export const layerOf = (url: string, version: string, client: Layer.Layer<HttpClient.HttpClient>): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(headers, (headers) => {
      const base = url.replace(/\/+$/, "")
      const resource = { serviceName: "leap", serviceVersion: version, attributes: { "process.pid": process.pid } }
      const common = { resource, headers, exportInterval: interval, shutdownTimeout: timeout } as const
      return Layer.mergeAll(
        OtlpTracer.layer({ ...common, url: `${base}/v1/traces` }),
        OtlpMetrics.layer({ ...common, url: `${base}/v1/metrics` }),
        Layer.effect(Telemetry, shown)
      ).pipe(Layer.provide([OtlpSerialization.layerJson, client]))
    })
  ).pipe(
    // A session matters more than its telemetry.
    Layer.catch(() =>
      Layer.effectDiscard(Effect.logWarning(`${headersName} cannot be read: nothing is sent to ${url}`))
    )
  )
