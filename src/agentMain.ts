import { Effect, Layer } from "effect"
import * as HttpClientNode from "./layers/HttpClientNode.ts"
import * as ProcessTableNode from "./layers/ProcessTableNode.ts"
import { openaiAgent } from "./programs/agents/openaiAgent.ts"
import * as registry from "./programs/agents/registry.ts"
import { Machine } from "./services/Machine.ts"
import { UserSettings } from "./services/UserSettings.ts"

const http = Effect.gen(function*() {
  const machine = yield* Machine
  return [yield* openaiAgent(machine.env)]
})

/** The headless providers: the CLIs, as the user's settings have them, and servers that speak OpenAI's protocol. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { settings } = yield* (yield* UserSettings).read
  return registry.layerOf(http, settings)
})).pipe(Layer.provide([HttpClientNode.layer, ProcessTableNode.layer]))
