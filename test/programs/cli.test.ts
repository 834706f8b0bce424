import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { CliOutput } from "effect/cli"
import { builtIns, runCommandLine } from "../../src/programs/cli.ts"
import { presenter } from "../../src/programs/commands/helpPresenter.ts"
import { Output } from "../../src/services/Output.ts"

/** What a command line that runs no command prints, and how it ends. */
const run = Effect.fnUntraced(function* (line: string) {
  const printed: Array<string> = []
  const noted: Array<string> = []
  const output = Output.of({
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    outputClosed: Effect.never,
    colour: false,
    columns: Effect.succeed(80),
    line: (text) => Effect.sync(() => void printed.push(text)),
    raw: (text) => Effect.die(text),
    note: (text) => Effect.sync(() => void noted.push(text)),
    stdin: Effect.succeed(""),
    piped: Effect.succeed(""),
    stdinText: Stream.empty
  })
  const layers = Layer.mergeAll(
    NodeServices.layer,
    Layer.succeed(Output, output),
    CliOutput.layerPresenter(presenter(output)),
    builtIns
  )
  const ran = Effect.scoped(runCommandLine(line.split(" "), "0")) as Effect.Effect<number, never, never>
  const code = yield* Effect.provide(ran, layers)
  return { code, printed: printed.join("\n"), noted: noted.join("\n") }
})

describe("a command line", () => {
  it.effect("that asks for a command's help gets it on standard output", () =>
    Effect.gen(function* () {
      for (const line of ["queue --help", "help queue", "queue edit -h", "help queue edit"]) {
        const { code, noted, printed } = yield* run(line)
        assert.deepStrictEqual([line, code, noted], [line, 0, ""])
        assert.match(printed, /^DESCRIPTION\n {2}.*\n\nUSAGE\n {2}leap queue /)
      }
    })
  )
})
