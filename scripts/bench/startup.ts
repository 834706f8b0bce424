import { hostedBy, leftOut, type Managers } from "./managers.ts"
import { median, type Row } from "./table.ts"
import { bundle, timeOf, type World } from "./world.ts"

const rounds = 15
const tag = "bench-start"
/** Its stand-in never asks for input, so that what is sent stays in the queue. */
const busy = "bench-echo"

/** Measures commands from start to end, a Node that does nothing, and commands of other programs, alternately. */
export const benchStartup = async (world: World, managers: Managers): Promise<ReadonlyArray<Row>> => {
  const commands: Record<string, ReadonlyArray<string>> = {
    empty: ["-e", "0"],
    version: [bundle, "--version"],
    status: [bundle, "status"],
    statusJson: [bundle, "status", "--json"],
    complete: [bundle, "__complete", "zsh", "stop", ""],
    send: [bundle, "send", busy, "then run the tests"],
    queue: [bundle, "queue", tag],
    wait: [bundle, "wait", tag, "--until", "idle"],
    log: [bundle, "log"],
    report: [bundle, "report"],
    audit: [bundle, "audit", tag],
    why: [bundle, "why", tag],
    hold: [bundle, "queue", "hold", tag],
    mute: [bundle, "mute", tag],
    prices: [bundle, "prices"],
    help: [bundle, "--help"]
  }
  world.leap(tag, "--cli", "demo", "--detach")
  world.leap(busy, "--cli", "claude", "--detach", "--", "bench-echo")
  world.leap("wait", tag, "--until", "idle", "--timeout", "30")
  const others = managers().flatMap(({ least, list, name }) => [
    { beside: "leap --version", own: "version", name, command: least },
    ...(list === null ? [] : [{ beside: "leap status", own: "status", name, command: list }])
  ])
  // a list has a session in it
  const sessions = await hostedBy(
    managers().filter(({ list }) => list !== null),
    world,
    busy
  )
  const failed = new Set<string>()
  const samples: Record<string, Array<number>> = {}
  for (let round = -2; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const took = await timeOf(world.env, process.execPath, args)
      // The first rounds fill caches.
      if (round >= 0) (samples[name] ??= []).push(took)
    }
    for (const { command, name } of others) {
      if (failed.has(command.says)) continue
      try {
        const took = await timeOf(world.env, command.program, command.args)
        if (round >= 0) (samples[command.says] ??= []).push(took)
      } catch (error) {
        failed.add(command.says)
        leftOut(name, error)
      }
    }
  }
  for (const { close } of sessions) close()
  world.leap("stop", tag, "--force")
  world.leap("stop", busy, "--force")
  const base = { what: "node -e 0", value: median(samples["empty"] ?? []) }
  const row = (what: string, name: string): Row => ({ what, unit: "ms", leap: median(samples[name] ?? []), base })
  return [
    row("start to end: leap --version", "version"),
    row("start to end: leap status", "status"),
    row("start to end: leap status --json", "statusJson"),
    row("a Tab in a shell: what it completes", "complete"),
    row("start to end: leap send", "send"),
    row("start to end: leap queue", "queue"),
    row("start to end: leap wait, for what is the case", "wait"),
    row("start to end: leap log", "log"),
    row("start to end: leap report", "report"),
    row("start to end: leap audit", "audit"),
    row("start to end: leap why", "why"),
    row("start to end: leap queue hold", "hold"),
    row("start to end: leap mute", "mute"),
    row("start to end: leap prices, as any other command", "prices"),
    row("start to end: leap --help", "help"),
    ...others
      .filter(({ command }) => !failed.has(command.says))
      .map(({ beside, command, name, own }): Row => ({
        what: `start to end: ${beside}, beside ${name}`,
        unit: "ms",
        leap: median(samples[own] ?? []),
        base: { what: command.says, value: median(samples[command.says] ?? []) }
      }))
  ]
}
