import { spawnSync } from "node:child_process"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { terminal } from "./screen.ts"
import { median, type Row } from "./table.ts"
import { makeWorld, otherBundle, type World } from "./world.ts"

const rounds = 9
const hasTmux = spawnSync("tmux", ["-V"]).status === 0

/** Milliseconds from the start of a command: until the CLI's process runs, and until its first byte is shown. */
interface Took {
  readonly runs: Array<number>
  readonly shows: Array<number>
}
const took = (): Took => ({ runs: [], shows: [] })

/**
 * Measures, alternately, how long it takes until a new session's CLI runs, and until its first byte is shown. With
 * `LEAP_BENCH_OTHER` another build of leap in the same rounds.
 */
export const benchFirstByte = async (world: World): Promise<ReadonlyArray<Row>> => {
  const other = otherBundle === null ? null : makeWorld(otherBundle)
  const times = { bare: took(), tmux: took(), leap: took(), other: took() }
  const measure = async (place: World, into: Took | null, command: string, args: ReadonlyArray<string>) => {
    const mark = join(place.env["HOME"] ?? "/", "runs")
    rmSync(mark, { force: true })
    const began = Date.now()
    const screen = terminal({ ...place, env: { ...place.env, BENCH_RUNS: mark } }, command, args)
    const shows = await screen.waitFor("stand-in-is-up")
    into?.shows.push(shows)
    into?.runs.push(Math.max(0, statSync(mark).mtimeMs - began))
    return screen
  }
  const hosted = async (place: World, into: Took | null, tag: string) => {
    const screen = await measure(place, into, process.execPath, [
      place.program,
      tag,
      "--cli",
      "claude",
      "--",
      "bench-echo"
    ])
    place.leap("stop", tag, "--force")
    screen.close()
  }
  const server = ["-L", `leap-first-${process.pid}`]
  for (let round = -1; round < rounds; round++) {
    const tag = `bench-first-${round + 1}`
    const of = (lane: Took) => (round < 0 ? null : lane)
    ;(await measure(world, of(times.bare), world.standIn, ["bench-echo"])).close()
    await hosted(world, of(times.leap), tag)
    if (other !== null) await hosted(other, of(times.other), tag)
    if (!hasTmux) continue
    const start = [...server, "-f", "/dev/null", "new-session", world.standIn, "bench-echo"]
    const screen = await measure(world, of(times.tmux), "tmux", start)
    spawnSync("tmux", [...server, "kill-server"])
    screen.close()
  }
  other?.close()
  const rows = (what: string, lane: Took): ReadonlyArray<Row> => [
    { what, unit: "ms", leap: median(lane.shows), base: { what: "bare PTY", value: median(times.bare.shows) } },
    { what: "… until its CLI runs", unit: "ms", leap: median(lane.runs), base: null }
  ]
  return [
    ...rows("a new session, from its start to its CLI's first byte", times.leap),
    ...(other === null ? [] : rows("… of the other build", times.other)),
    ...(hasTmux ? rows("… under tmux", times.tmux).slice(0, 1) : [])
  ]
}
