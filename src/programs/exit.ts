import { Schema } from "effect"
import { hostTrouble } from "../domain/words/wording/hostTrouble.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"
import { errorTextOf } from "../domain/words/reading/Fields.ts"

export { exitCode }

/** Ends a command with this line on stderr and this exit code. An empty message prints nothing. */
export class CommandError extends Schema.TaggedError<CommandError>()("CommandError", {
  message: Schema.String,
  exitCode: Schema.Int
}) {}

export const fail = (code: keyof typeof exitCode, message: string): CommandError =>
  new CommandError({ message, exitCode: exitCode[code] })

/** Runs this command line instead, which the user meant. */
export class OtherCommand extends Schema.TaggedError<OtherCommand>()("OtherCommand", {
  words: Schema.Array(Schema.String)
}) {}

/** Exit codes of errors without their own, by tag; the exit code of any other error is 1. */
const codes: Readonly<Record<string, number>> = {
  InputNotTextError: exitCode.usage,
  UnknownProviderError: exitCode.usage,
  NoSessionError: exitCode.notFound,
  NoHostError: exitCode.notFound
}

/** Errors of a call whose host hangs or dies. */
const unresponsive: ReadonlySet<string> = new Set(["RpcClientError", "SocketError", "TimeoutError"])

export const describe = (error: unknown): { readonly message: string; readonly exitCode: number } => {
  const message = errorTextOf(error)
  if (typeof error !== "object" || error === null) return { message, exitCode: exitCode.failed }
  if ("exitCode" in error && typeof error.exitCode === "number") return { message, exitCode: error.exitCode }
  const tag = "_tag" in error ? String(error._tag) : ""
  if (unresponsive.has(tag)) {
    return { message: hostTrouble, exitCode: exitCode.failed }
  }
  return { message, exitCode: codes[tag] ?? exitCode.failed }
}
