import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { median, type Row } from "./table.ts"

const packaged = join(import.meta.dirname, "../../hooks/leap-hook.sh")
const rounds = 15
const calls = 20

/** Runs the command `calls` times from one shell, so that the figure does not include starting a process from Node. */
const timeOf = (command: ReadonlyArray<string>, input: string, env: Readonly<Record<string, string>>): number => {
  const loop = `i=0; while [ $i -lt ${calls} ]; do "$@" <"$INPUT" >/dev/null; i=$((i + 1)); done`
  const begun = performance.now()
  const { status } = spawnSync("sh", ["-c", loop, "bench", ...command], {
    env: { PATH: process.env["PATH"] ?? "", INPUT: input, ...env }
  })
  if (status !== 0) throw new Error(`${command.join(" ")} failed`)
  return (performance.now() - begun) / calls
}

/** Measures how long a CLI waits at each lifecycle event, and a shell that does nothing, alternately. */
export const benchHooks = async (): Promise<ReadonlyArray<Row>> => {
  const dir = mkdtempSync(join(tmpdir(), "leap-bench-hooks-"))
  try {
    const spool = join(dir, "spool")
    const input = join(dir, "payload.json")
    const large = join(dir, "large.json")
    const payload = {
      session_id: "0f1e",
      hook_event_name: "PostToolUse",
      cwd: dir,
      tool_name: "Write",
      tool_input: { content: "" }
    }
    writeFileSync(input, JSON.stringify({ ...payload, tool_input: { content: "x".repeat(300) } }))
    writeFileSync(large, JSON.stringify({ ...payload, tool_input: { content: "x".repeat(1 << 20) } }))
    const leap = { LEAP_TAG: "bench", LEAP_SIGNAL_DIR: spool }
    /** The script where leap installs it: alone, and beside a session that is not an ancestor of the caller. */
    const installed = (name: string, session: boolean) => {
      mkdirSync(join(dir, name, "hooks"), { recursive: true })
      mkdirSync(join(dir, name, "pids"))
      const copy = join(dir, name, "hooks/leap-hook.sh")
      copyFileSync(packaged, copy)
      if (session) writeFileSync(join(dir, name, "pids/4194305"), `leap-pid 1 1 ${spool}\n`)
      return copy
    }
    const script = installed("alone", false)
    const beside = installed("beside", true)
    const measured: ReadonlyArray<
      readonly [name: string, command: ReadonlyArray<string>, input: string, env: Readonly<Record<string, string>>]
    > = [
      ["empty", ["sh", "-c", ":"], input, {}],
      ["delivered", [script, "PostToolUse"], input, leap],
      ["large", [script, "PostToolUse"], large, leap],
      ["outside", [script, "PostToolUse"], input, {}],
      ["beside", [beside, "PostToolUse"], input, {}]
    ]
    const samples: Record<string, Array<number>> = {}
    for (let round = -1; round < rounds; round++) {
      for (const [name, command, from, env] of measured) {
        rmSync(spool, { recursive: true, force: true })
        mkdirSync(spool)
        // The state in which a host leaves it.
        if (process.platform === "linux") writeFileSync(join(spool, "bell"), "")
        const took = timeOf(command, from, env)
        // The first round fills caches.
        if (round >= 0) (samples[name] ??= []).push(took)
      }
    }
    const base = { what: "sh -c :", value: median(samples["empty"] ?? []) }
    const row = (what: string, name: string): Row => ({ what, unit: "ms", leap: median(samples[name] ?? []), base })
    return [
      row("one hook: delivered", "delivered"),
      row("one hook: delivered, 1 MB payload", "large"),
      row("one hook: CLI not under leap", "outside"),
      row("one hook: CLI not under leap, another is", "beside")
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
