import { spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { placesIn } from "../../src/layers/files/leapPaths.ts"

const root = join(import.meta.dirname, "../..")
export const bundle = join(root, "dist/leap.js")
/** Another build of leap to be measured beside this one, where there is one. */
export const otherBundle = process.env["LEAP_BENCH_OTHER"] ?? null

/** How many hooks the stand-in runs for one byte. */
export const hookCalls = 20

/**
 * The stand-in for a CLI. It prints that it is up, then echoes its input, or writes a little all the time after a byte, or for each byte of input does some work and
 * prints when it is done: it writes many bytes, runs hooks that request a permission, or runs as many empty shells. The
 * hooks' output is appended to one file: emptying a file before each of them takes about a third of the hook's time on
 * some file systems.
 */
const standIn = `#!/bin/sh
[ -z "$BENCH_RUNS" ] || : > "$BENCH_RUNS"
stty raw -echo
for last; do :; done
printf 'stand-in-is-up'
case $last in
  bench-echo) exec cat ;;
  bench-stream)
    dd bs=1 count=1 > /dev/null 2>&1
    while :; do
      printf 'The quick brown fox jumps over the lazy dog, and each word comes by itself. '
      sleep 0.02
    done ;;
  bench-report)
    while key=$(dd bs=1 count=1 2> /dev/null) && [ -n "$key" ]; do
      case $key in
        w) printf '\\033]7501;state=working\\033\\\\WORKING\\r\\n' ;;
        d) printf '\\033]7501;state=done\\033\\\\DONE\\r\\n' ;;
      esac
    done ;;
  bench-flood-*)
    while [ -n "$(dd bs=1 count=1 2> /dev/null)" ]; do
      yes "$(printf 'The quick brown fox jumps over the lazy dog, and the terminal shows each line of it as it comes.\\r')" | head -c "\${last#bench-flood-}"
      printf 'end-of-flood'
    done ;;
  bench-hooks)
    payload=$HOME/permission.json
    while key=$(dd bs=1 count=1 2> /dev/null) && [ -n "$key" ]; do
      i=0
      case $key in
        e) while [ $i -lt ${hookCalls} ]; do sh -c : < "$payload" > /dev/null; i=$((i + 1)); done ;;
        h) : > "$HOME/decided"; while [ $i -lt ${hookCalls} ]; do "$LEAP_HOME/hooks/leap-hook.sh" PermissionRequest < "$payload" >> "$HOME/decided"; i=$((i + 1)); done ;;
      esac
      printf 'end-of-hooks'
    done ;;
esac
`

/** A directory of its own for the benchmark's sessions: HOME, leap's files, and a program that stands in for a CLI. */
export interface World {
  readonly env: Readonly<Record<string, string>>
  readonly standIn: string
  /** leap's program. */
  readonly program: string
  /** Where the host of a session listens. */
  readonly socketOf: (tag: string) => string
  readonly leap: (...args: ReadonlyArray<string>) => string
  readonly close: () => void
}

export const makeWorld = (leapProgram: string = bundle): World => {
  const dir = mkdtempSync(join(tmpdir(), "leap-bench-"))
  const programs = join(dir, "bin")
  const home = join(dir, "home")
  mkdirSync(programs)
  mkdirSync(home)
  // leap hosts any program with the CLI's name, so it hosts the stand-in like a real CLI.
  const program = join(programs, "claude")
  writeFileSync(program, standIn)
  chmodSync(program, 0o755)
  const env = {
    HOME: home,
    LEAP_HOME: join(dir, "leap"),
    LEAP_DEMO_HOME: join(dir, "demo"),
    PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    TERM: "xterm-256color",
    LANG: "C.UTF-8"
  }
  const leap = (...args: ReadonlyArray<string>) => {
    const ran = spawnSync(process.execPath, [leapProgram, ...args], {
      env,
      cwd: home,
      encoding: "utf8",
      timeout: 60_000
    })
    if (ran.status !== 0)
      throw new Error(`leap ${args.join(" ")} ended with ${ran.status ?? ran.signal}: ${ran.stderr}`)
    return ran.stdout
  }
  for (const cli of ["claude", "demo"]) leap("hooks", "install", "--cli", cli)
  const close = () => {
    const { sessions } = JSON.parse(leap("status", "--json")) as {
      sessions: ReadonlyArray<{ tag: string; state: string }>
    }
    for (const { state, tag } of sessions) if (state !== "exited") leap("stop", tag, "--force")
    rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  const { session } = placesIn(env)
  return { env, standIn: program, program: leapProgram, socketOf: (tag) => session(tag).socket, leap, close }
}

/** Milliseconds from the start of a process to its end. */
export const timeOf = (
  env: Readonly<Record<string, string>>,
  command: string,
  args: ReadonlyArray<string>
): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now()
    const child = spawn(command, args, { env, stdio: "ignore" })
    child.on("error", reject)
    child.on("exit", (code) =>
      code === 0
        ? resolve(performance.now() - from)
        : reject(new Error(`${command} ${args.join(" ")} ended with ${code}`))
    )
  })
