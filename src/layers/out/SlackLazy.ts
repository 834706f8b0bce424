import { Effect, Layer } from "effect"
import { Slack, SlackError } from "../../services/Slack.ts"
import { System } from "../../services/System.ts"

const missing = new SlackError({
  kind: "missing",
  why: "its libraries are not installed: 'npm install @slack/web-api @slack/socket-mode' where leap is installed",
  code: null,
  afterMs: null
})

/** Slack's own libraries, loaded when they are used: a bridge to Slack is the only one that needs them. */
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
