import { spawnSync } from "node:child_process"
import { median, type Row } from "./table.ts"
import { Screen } from "./terminal.ts"
import { bundle, type World } from "./world.ts"

const rounds = 9
const hasTmux = spawnSync("tmux", ["-V"]).status === 0

/** Measures, alternately, how long it takes until a new session shows its CLI's first byte. */
export const benchFirstByte = async (world: World): Promise<ReadonlyArray<Row>> => {
  const took = { bare: [] as Array<number>, tmux: [] as Array<number>, leap: [] as Array<number> }
  const shown = async (command: string, args: ReadonlyArray<string>) => {
    const screen = new Screen(world, command, args)
    const ms = await screen.waitFor("stand-in-is-up")
    return { ms, close: () => screen.close() }
  }
  for (let round = -1; round < rounds; round++) {
    const tag = `bench-first-${round + 1}`
    const bare = await shown(world.standIn, ["bench-echo"])
    bare.close()
    const hosted = await shown(process.execPath, [bundle, tag, "--cli", "claude", "--", "bench-echo"])
    world.leap("stop", tag, "--force")
    hosted.close()
    if (round >= 0) {
      took.bare.push(bare.ms)
      took.leap.push(hosted.ms)
    }
    if (!hasTmux) continue
    const server = ["-L", `leap-first-${process.pid}`]
    const beside = await shown("tmux", [...server, "-f", "/dev/null", "new-session", world.standIn, "bench-echo"])
    spawnSync("tmux", [...server, "kill-server"])
    beside.close()
    if (round >= 0) took.tmux.push(beside.ms)
  }
  const base = { what: "bare PTY", value: median(took.bare) }
  return [
    { what: "a new session, from its start to its CLI's first byte", unit: "ms", leap: median(took.leap), base },
    ...(hasTmux ? [{ what: "… under tmux", unit: "ms" as const, leap: median(took.tmux), base }] : [])
  ]
}
