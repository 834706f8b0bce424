import { Effect } from "effect"
import { CliError, CliOutput, Command } from "effect/cli"
import { Output } from "../services/Output.ts"
import { parseCommandLine } from "../domain/CommandLine.ts"
import { audit } from "./commands/audit.ts"
import { clis } from "./commands/clis.ts"
import { demo } from "./commands/demo.ts"
import { doctor } from "./commands/doctor.ts"
import { chat, exec } from "./commands/exec.ts"
import { queue, queueVerbs, send } from "./commands/messages.ts"
import { mode } from "./commands/mode.ts"
import { move } from "./commands/move.ts"
import { policy } from "./commands/policy.ts"
import { record } from "./commands/record.ts"
import { resume } from "./commands/resume.ts"
import { history, prices } from "./commands/usage.ts"
import { why } from "./commands/why.ts"
import { answer, forget, interrupt, last, screen, status, stop, wait } from "./commands/sessions.ts"
import { attachCommand, start } from "./commands/start.ts"
import { hooks, replay } from "./commands/tools.ts"
import { describe, exitCode } from "./exit.ts"

const tree = (rest: ReadonlyArray<string>) =>
  Command.make("leap").pipe(
    Command.withDescription(
      "Hosts AI coding CLIs: knows what each is doing, queues messages and types them when it is safe.\n" +
        "'leap <tag>' starts a session or joins one that runs; what follows a lone -- goes to its CLI."
    ),
    Command.withSubcommands([
      start(rest), attachCommand, resume(rest), move(rest), send, queue, status, why, wait, answer, interrupt, stop, forget, mode, screen, last, history, prices, record, replay, hooks, clis,
      policy, audit, exec(rest), chat(rest), demo, doctor
    ])
  )

const firstLine = (text: string): string => text.split("\n")[0] ?? ""

/** Parse errors in one line, with where to read on; suggestions of the parser are kept. */
const usageLine = (error: CliError.ShowHelp): string => {
  const path = error.commandPath.join(" ")
  const [first] = error.errors
  const suggestion = first?.message.match(/Did you mean this\?\s+(\S.*)/)?.[1]
  const what = first?._tag === "InvalidValue"
    ? `${first.kind === "flag" ? "--" : ""}${first.option}: '${first.value}' will not do: ${firstLine(first.expected).replace(/^(Expected:?|Schema validation failed:|Failed to parse [^:]*:)\s*/gi, "").replace(/^Expected:?\s*/i, "")}`
    : firstLine(first?.message ?? "wrong usage")
  return `${what}${suggestion === undefined ? "" : ` (did you mean ${suggestion.trim()}?)`}; see '${path} --help'`
}

/** Runs one command line; the result is the exit code. A failure is one line on standard error. */
export const runCommandLine = Effect.fn("runCommandLine")(function*(argv: ReadonlyArray<string>, version: string) {
  const output = yield* Output
  const { rest, words } = parseCommandLine(argv, queueVerbs)
  const complain = (message: string, code: number) =>
    Effect.as(message === "" ? Effect.void : output.note(`leap: ${message}`), code)
  return yield* Command.runWith(tree(rest), { version })(words).pipe(
    Effect.as<number>(exitCode.done),
    Effect.catch((error) => {
      if (!CliError.isCliError(error)) {
        const { exitCode, message } = describe(error)
        return complain(message, exitCode)
      }
      if (error._tag === "ShowHelp") {
        return error.errors.length === 0 ? Effect.succeed(exitCode.usage) : complain(usageLine(error), exitCode.usage)
      }
      return complain(firstLine(error.message), exitCode.usage)
    })
  )
})

/** Help goes to standard output when it was asked for; a wrong command line gets its one line and no more. */
export const presenter: CliOutput.Presenter = {
  present: (event) => event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event)
}
