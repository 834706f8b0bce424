import { Effect, Layer } from "effect"
import * as HttpClientNode from "./layers/HttpClientNode.ts"
import { openaiAgent } from "./programs/agents/openaiAgent.ts"
import * as registry from "./programs/agents/registry.ts"
import { Machine } from "./services/Machine.ts"

const http = Effect.gen(function*() {
  const machine = yield* Machine
  return [yield* openaiAgent(machine.env)]
})

/** The headless providers: the CLIs, and servers that speak OpenAI's protocol. */
export const layer = registry.layerOf(http).pipe(Layer.provide(HttpClientNode.layer))
