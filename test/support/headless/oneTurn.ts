// Runs one headless turn of the scene that it is told, with the grace that it is told (in milliseconds), and prints the
// answer. What becomes of it is the test's: as the first process of a process namespace it buries nobody that is not its
// child; killed, it ends nothing by itself.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stream } from "effect"
import { fileURLToPath } from "node:url"
import { geminiHeadless } from "../../../src/domain/providers/gemini/Headless.ts"
import * as AgentProviderCli from "../../../src/layers/headless/cli/AgentProviderCli.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { Prices } from "../../../src/services/Prices.ts"

const layers = Layer.mergeAll(
  NodeServices.layer,
  ProcessTableNode.layer,
  SystemNode.layerWith({ version: "0", self: [] }),
  Layer.succeed(Prices, { read: Effect.succeed({ table: new Map(), shipped: null, file: null, warning: null }) })
)
const turn = Effect.gen(function* () {
  const { execute } = yield* AgentProviderCli.make(
    { ...geminiHeadless, cutsPipes: false },
    {
      command: process.execPath,
      args: [fileURLToPath(new URL("fakeAgent.mjs", import.meta.url))],
      env: { AGENT_SCENE: process.argv[2] ?? "" },
      grace: Number(process.argv[3])
    }
  )
  return yield* Stream.runFold(
    execute("P", {}),
    () => "",
    (last, event) => (event._tag === "Result" ? event.result.text : last)
  )
})

process.stdout.write(await Effect.runPromise(Effect.provide(turn, layers)))
