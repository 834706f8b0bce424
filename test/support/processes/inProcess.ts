import { Effect, Layer, Stdio, Stream } from "effect"
import { commandLine, type CommandLineOptions, endOf } from "../../../src/commandLine.ts"
import * as CliTerminalNone from "../../../src/layers/terminal/CliTerminalNone.ts"
import { LinePrompt } from "../../../src/services/LinePrompt.ts"
import { Output } from "../../../src/services/Output.ts"
import { NoTerminalError, UserTerminal } from "../../../src/services/UserTerminal.ts"
import { version } from "../../../src/version.ts"

/** What one `leap …` printed and how it ended. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The streams of a command in a pipeline: no terminal, this input, and what is written goes there. */
const piped = (input: string, print: (text: string) => void, note: (text: string) => void) =>
  Layer.mergeAll(
    Layer.succeed(Output, {
      isTerminal: false,
      inputIsTerminal: false,
      errorIsTerminal: false,
      outputClosed: Effect.never,
      sharedWith: Effect.succeed(null),
      colour: false,
      columns: Effect.succeed(80),
      line: (text) => Effect.sync(() => print(`${text}\n`)),
      raw: (text) => Effect.sync(() => print(text)),
      note: (text) => Effect.sync(() => note(`${text}\n`)),
      stdin: Effect.succeed(input),
      piped: Effect.succeed(input),
      stdinText: Stream.make(input)
    }),
    Layer.mock(UserTerminal, {
      isTerminal: false,
      raw: new NoTerminalError({ which: "input and output" }),
      writeNow: () => false
    }),
    Layer.mock(LinePrompt, {}),
    CliTerminalNone.layer,
    Stdio.layerTest({})
  )

/**
 * Runs a command line in the test's own process, over all that it stands on; what only a process of its own has
 * (signals, terminals, pipes that close) it has not. It is interrupted where nobody waits for its end any more.
 */
export const runInProcess = (
  argv: ReadonlyArray<string>,
  where: Pick<CommandLineOptions, "cwd" | "env" | "parts" | "self">,
  input = ""
): Effect.Effect<Ran> =>
  Effect.suspend(() => {
    const written = { stdout: "", stderr: "" }
    const tell = (text: string): void => void (written.stderr += text)
    const streams = piped(input, (text) => void (written.stdout += text), tell)
    return Effect.map(Effect.exit(commandLine(argv, { ...where, version, streams, tell })), (exit) => {
      const { code, text } = endOf(exit, argv, null)
      if (text !== null) tell(text)
      return { code, ...written }
    })
  })
