/** Programs for the tests of the picker: takes rows (or asks for a tag) on the terminal and prints what came of it. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger } from "effect"
import * as OutputStdio from "../../../src/layers/terminal/OutputStdio.ts"
import * as UserTerminalNode from "../../../src/layers/terminal/UserTerminalNode.ts"
import { askNewTag } from "../../../src/programs/sessions/askNewTag.ts"
import { pickSession } from "../../../src/programs/sessions/sessionPicker.ts"
import { Output } from "../../../src/services/Output.ts"
import { home, manyRows } from "../data/pickRows.ts"

const program = Effect.gen(function* () {
  const output = yield* Output
  yield* output.line(`BEFORE ${process.pid}`)
  if (process.argv[2] === "tag") {
    const tag = yield* askNewTag((tag) => Effect.succeed(tag === "busy" ? "session 'busy' runs already" : null)).pipe(
      Effect.orElseSucceed(() => null)
    )
    return yield* output.line(`TAG=${tag}=`)
  }
  const picked = yield* pickSession({
    rows: manyRows(Number(process.argv[2] ?? 200), Date.now()),
    home,
    cwd: `${home}/work/leap`,
    preview: (row) =>
      Effect.succeed({
        lastUser: `What of ${row.tag}?`,
        lastAssistant: `All of ${row.sessionId} is well. ${"More and more words about it. ".repeat(30)}`
      })
  })
  yield* output.line(`PICKED=${picked?.tag ?? "none"} ${picked?.sessionId ?? ""}=`)
})

NodeRuntime.runMain(
  program.pipe(
    Effect.provide(Layer.mergeAll(UserTerminalNode.layer, OutputStdio.layer, Layer.succeed(Logger.LogToStderr, true)))
  )
)
