import { type Duration, Effect, Option } from "effect"
import { spawn } from "node:child_process"
import type { Writable } from "node:stream"
import { gitComplaint } from "../../domain/store/worktrees/GitComplaint.ts"
import { withoutSessionOnlyVariables } from "../../domain/words/environment/sessionOnlyVariables.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import { oneLine } from "../../domain/words/text/printable.ts"

/** How a program ended, and what it printed. */
export interface Answer {
  /** Null where it was killed, took too long or could not be started. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Run {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
  /** The bytes of output after which it is killed; the output up to then is kept. */
  readonly most?: number
  readonly timeout: Duration.Input
  /** Gets the output as it arrives; only errors are kept then. What a program in order leaves running may go on. */
  readonly onOutput?: (text: string) => void
}

/** More than a list of a large repository's files. */
const outputMost = 256 << 20
const outputKept = 64 << 10
/** Milliseconds for which processes left running may hold the output open after the program's end. */
const lingering = { told: 1_000, read: 10_000 } as const

const signal = (pid: number | undefined, name: NodeJS.Signals): boolean =>
  tryOr(() => pid !== undefined && process.kill(-pid, name), false)

/** The program's process, or why Node has none: too long a command line, or no file is left for pipes. */
const started = ({ args, cwd, env, program }: Run) => {
  try {
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: ["pipe", "pipe", "pipe"] })
    child.on("error", () => {})
    const pipe: Writable | undefined = child.stdin
    return pipe === undefined ? "no file is left for its pipes" : child
  } catch (cause) {
    return errorTextOf(cause)
  }
}

/**
 * Runs a program in its own process group. If it is interrupted or takes too long, it is asked to end, so that it can
 * clean up, and killed if it does not.
 */
export const runProgram = (run: Run) => {
  const { input, most = outputMost, onOutput, timeout } = run
  return Effect.callback<Answer>((resume) => {
    const child = started(run)
    if (typeof child === "string") {
      resume(Effect.succeed({ code: null, out: "", err: child }))
      return Effect.void
    }
    const out: Array<Buffer> = []
    let size = 0
    let err = ""
    let exited: number | null | undefined
    let timer: NodeJS.Timeout | undefined
    const done = (code: number | null): void => {
      clearTimeout(timer)
      resume(Effect.succeed({ code, out: Buffer.concat(out).toString("utf8"), err }))
    }
    const close = (): void => {
      child.stdout.destroy()
      child.stderr.destroy()
    }
    child.stdout.on("data", (data: Buffer) => {
      if (onOutput !== undefined) return onOutput(data.toString("utf8"))
      size += data.length
      if (size <= most) out.push(data)
      else signal(child.pid, "SIGKILL")
    })
    child.stderr.on("data", (data: Buffer) => {
      onOutput?.(data.toString("utf8"))
      err = (err + data.toString("utf8")).slice(-outputKept)
    })
    child.stdin.on("error", () => {})
    child.stdin.end(input ?? "")
    child.once("error", (error) => {
      err = error.message
      exited = null
      done(null)
    })
    child.once("close", (code) => done(size > most ? null : code))
    child.once("exit", (code) => {
      exited = code
      // processes of a failed setup have no directory to continue in
      if (onOutput !== undefined && code !== 0) signal(child.pid, "SIGKILL")
      // half of an answer is useless
      timer = setTimeout(
        () => {
          done(onOutput === undefined ? null : code)
          close()
        },
        onOutput === undefined ? lingering.read : lingering.told
      )
    })
    return Effect.gen(function* () {
      if (exited === undefined) {
        signal(child.pid, "SIGTERM")
        yield* Effect.callback<void>((over) => void child.once("exit", () => over(Effect.void))).pipe(
          Effect.timeoutOption("3 seconds")
        )
      }
      signal(child.pid, "SIGKILL")
      clearTimeout(timer)
      close()
    })
  }).pipe(
    Effect.timeoutOption(timeout),
    Effect.map(Option.getOrElse((): Answer => ({ code: null, out: "", err: "it took too long" })))
  )
}

/**
 * The environment in which git, and the setup of a worktree, see only the repository of its directory: without the
 * variables of leap's own start.
 */
export const gitEnvironment = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  withoutSessionOnlyVariables(env)

/** A large repository may be checked out over a network, file by file. */
const changeTimeout = "30 minutes"
const readTimeout = "2 minutes"

/** git in a directory. `read`: takes no lock that another git could wait for. */
export interface Git {
  readonly run: (cwd: string, args: ReadonlyArray<string>, input?: string) => Effect.Effect<Answer>
  readonly read: (cwd: string, args: ReadonlyArray<string>, input?: string, most?: number) => Effect.Effect<Answer>
}

/** `own`: git variables that leap sets, whatever the environment has. */
export const gitAt = (
  program: string,
  given: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {}
): Git => {
  // in the language that leap can read
  const env = { ...gitEnvironment(given), GIT_TERMINAL_PROMPT: "0", LANGUAGE: "en", ...own }
  const run =
    (timeout: Duration.Input, extra: Readonly<Record<string, string>>): Git["read"] =>
    (cwd, args, input = "", most = outputMost) =>
      runProgram({ program, args, cwd, timeout, env: { ...env, ...extra }, input, most })
  return { run: run(changeTimeout, {}), read: run(readTimeout, { GIT_OPTIONAL_LOCKS: "0" }) }
}

/** What is read in git's output; null if it fails. */
export const readBy = <A>(
  git: Git,
  cwd: string,
  args: ReadonlyArray<string>,
  read: (out: string) => A,
  input?: string
): Effect.Effect<A | null> => Effect.map(git.read(cwd, args, input), ({ code, out }) => (code === 0 ? read(out) : null))

/** The names in output with zero bytes behind them. */
export const namesIn = (out: string): ReadonlyArray<string> => out.split("\0").filter((name) => name !== "")

/** The number that is all of the output; null for anything else. */
export const numberIn = (out: string): number | null => (/^\d+\n$/.test(out) ? Number(out) : null)

/** A program's message about its failure, in one line. */
export const failureLine = (answer: Answer): string => {
  const text = oneLine(gitComplaint(answer), 300)
  return text === "" ? "it was killed" : text
}
