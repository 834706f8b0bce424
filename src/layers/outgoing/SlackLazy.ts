import { Effect, Layer } from "effect"
import { Slack, SlackError } from "../../services/Slack.ts"
import { System } from "../../services/System.ts"

const missing = new SlackError({
  kind: "missing",
  why: "its libraries are not installed: 'npm install @slack/web-api @slack/socket-mode' where leap is installed",
  code: null,
  afterMs: null
})

/** Slack's own libraries, loaded on demand: only a bridge to Slack needs them. */
export const layer: Layer.Layer<Slack, never, System> = Layer.effect(
  Slack,
  Effect.map(System, ({ env }) =>
    Slack.of({
      open: (settings) =>
        Effect.flatMap(Effect.tryPromise({ try: () => import("./SlackSdk.ts"), catch: () => missing }), ({ open }) =>
          open(settings, env)
        )
    })
  )
)
