import { randomUUID } from "node:crypto"
import { homedir } from "node:os"
import { join } from "node:path"
import { makeHooks, readSettings } from "./hooks.ts"
import { answer } from "./script.ts"
import { runTerminal } from "./terminal.ts"

const version = "1.0.0"
const usage = "usage: leap __demo-cli [--print PROMPT | --version]"

const fail = (message: string, code: number): number => {
  process.stderr.write(`leap demo CLI: ${message}\n`)
  return code
}

/**
 * Runs the demo CLI in the process's terminal, environment and directory, and sets the exit code. LEAP_DEMO_HOME: the
 * folder of its settings.json and history.jsonl (default ~/.leap-demo). LEAP_DEMO_PACE: a factor on all its pauses.
 * LEAP_DEMO_LOG: a file to which every event of a prompt or dialog is appended, as NDJSON. LEAP_DEMO_REPORTS=0: no
 * program status.
 */
export const runDemoCli = async (argv: ReadonlyArray<string>): Promise<void> => {
  process.exitCode = await run(argv)
}

const run = async (argv: ReadonlyArray<string>): Promise<number> => {
  const [option, prompt] = argv
  if (option === "--version") {
    process.stdout.write(`leap demo CLI ${version}\n`)
    return 0
  }
  if (argv.length > 0 && (option !== "--print" || argv.length !== 2)) return fail(usage, 2)
  if (prompt === undefined && !(process.stdin.isTTY && process.stdout.isTTY)) {
    return fail("it needs a terminal; for a pipe there is --print PROMPT", 2)
  }
  const home = process.env["LEAP_DEMO_HOME"] ?? join(homedir(), ".leap-demo")
  const file = join(home, "settings.json")
  let hooks
  try {
    hooks = makeHooks(readSettings(file), { session_id: randomUUID(), cwd: process.cwd(), permission_mode: "default" })
  } catch (cause) {
    return fail(`${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, 1)
  }
  if (prompt === undefined) return runTerminal(hooks, join(home, "history.jsonl"))
  const response = answer(prompt)
  await hooks.run("SessionStart", { source: "startup" })
  await hooks.run("UserPromptSubmit", { prompt })
  process.stdout.write(`${response}\n`)
  await hooks.run("Stop", { stop_hook_active: false, last_assistant_message: response, background_tasks: [] })
  await hooks.run("SessionEnd", { reason: "other" })
  return 0
}
