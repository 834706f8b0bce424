import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

export const script = path.resolve(import.meta.dirname, "../../../hooks/leap-hook.sh")

const works = (command: ReadonlyArray<string>): boolean =>
  spawnSync(command[0] ?? "", [...command.slice(1), "-c", "exit 7"], { stdio: "ignore" }).status === 7

/** Where `sh` is dash, as on Debian, it tells of both. */
export const isShDash = fs.existsSync("/bin/dash") && fs.realpathSync("/bin/sh") === fs.realpathSync("/bin/dash")

/** The shells of this machine that the script must run in; `sh` is always one. */
export const shells: ReadonlyArray<ReadonlyArray<string>> = [
  ["sh"],
  ...(isShDash ? [] : [["dash"]]),
  ["bash"],
  ["bash", "--posix"],
  ["busybox", "sh"],
  ["mksh"],
  ["ksh93"],
  ["zsh", "--emulate", "sh"]
].filter(works)

export interface HookCall {
  readonly shell?: ReadonlyArray<string>
  /** Another copy of the script. */
  readonly script?: string
  readonly spool?: string | null
  readonly event?: string
  readonly args?: ReadonlyArray<string>
  /** null: standard input is closed, not empty. */
  readonly payload?: string | Uint8Array | null
  /** What comes before the shell: programs that run it. */
  readonly through?: ReadonlyArray<string>
  readonly detached?: boolean
}

export interface HookEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What happened to the CLI's end of the pipe. */
  readonly inputError: string | null
}

export const startHook = (call: HookCall): ChildProcess => {
  const {
    args = [],
    detached = false,
    event = "Stop",
    payload,
    script: file = script,
    shell = ["sh"],
    spool = null,
    through = []
  } = call
  // `<&-` closes what Node cannot leave closed.
  const command =
    payload === null
      ? [...through, "sh", "-c", 'exec "$@" <&-', "hook", ...shell, file, event, ...args]
      : [...through, ...shell, file, event, ...args]
  const child = spawn(command[0] ?? "", command.slice(1), {
    detached,
    env: {
      PATH: process.env["PATH"],
      ...(spool === null ? {} : { LEAP_TAG: "t", LEAP_SIGNAL_DIR: spool, LEAP_CLI_PROVIDER: "test" })
    },
    stdio: ["pipe", "pipe", "pipe"]
  })
  child.stdin?.on("error", () => {})
  return child
}

/** Calls the hook script as a CLI does, and waits for its end. */
export const callHook = (call: HookCall): Promise<HookEnd> =>
  new Promise((resolve, reject) => {
    const child = startHook(call)
    const out: Array<string> = []
    const err: Array<string> = []
    let inputError: string | null = null
    // An input that was asked to be closed is.
    child.stdin?.on("error", (cause) => {
      inputError = call.payload === null ? null : cause.message
    })
    child.stdout?.setEncoding("utf8").on("data", (text: string) => out.push(text))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => err.push(text))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout: out.join(""), stderr: err.join(""), inputError }))
    child.stdin?.end(call.payload ?? "")
  })
