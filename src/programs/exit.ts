import { Schema } from "effect"

/** Exit codes of leap, as interface.md names them. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  timedOut: 4,
  refused: 5,
  notWired: 6,
  notInstalled: 7,
  cancelled: 130
} as const

/** A command ends with this line on stderr and this exit code. An empty message prints nothing. */
export class CommandError extends Schema.TaggedError<CommandError>()("CommandError", {
  message: Schema.String,
  exitCode: Schema.Int
}) {}

export const fail = (code: keyof typeof exitCode, message: string): CommandError =>
  new CommandError({ message, exitCode: exitCode[code] })

/** Exit codes of errors that carry none of their own, by tag; any other error is 1. */
const codes: Readonly<Record<string, number>> = {
  UnknownProviderError: exitCode.usage,
  NoSessionError: exitCode.notFound,
  NoHostError: exitCode.notFound,
  SessionBusyError: exitCode.refused,
  NotMovableError: exitCode.refused,
  RelocationRefusedError: exitCode.refused,
  RelocationBusyError: exitCode.refused,
  RelocationUnsettledError: exitCode.refused,
  UnsafeDirectoryError: exitCode.refused
}

/** What becomes of a call whose host hangs or dies. */
const silent: ReadonlySet<string> = new Set(["RpcClientError", "SocketError", "TimeoutError"])

/** The line and the exit code that an error means to a user. */
export const describe = (error: unknown): { readonly message: string; readonly exitCode: number } => {
  const message = error instanceof Error ? error.message : String(error)
  if (typeof error !== "object" || error === null) return { message, exitCode: exitCode.failed }
  if ("exitCode" in error && typeof error.exitCode === "number") return { message, exitCode: error.exitCode }
  const tag = "_tag" in error ? String(error._tag) : ""
  if (silent.has(tag)) {
    return { message: "the session's host does not answer, or ended while it was asked: 'leap status' tells, 'leap stop <tag> --force' ends it", exitCode: exitCode.failed }
  }
  return { message, exitCode: codes[tag] ?? exitCode.failed }
}
