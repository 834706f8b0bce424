import { median, type Row } from "./table.ts"
import { bundle, timeOf, type World } from "./world.ts"

const rounds = 15

/** Measures commands from start to end and a Node that does nothing, alternately. */
export const benchStartup = async (world: World): Promise<ReadonlyArray<Row>> => {
  const commands = {
    empty: ["-e", "0"],
    version: [bundle, "--version"],
    status: [bundle, "status"],
    statusJson: [bundle, "status", "--json"],
    complete: [bundle, "__complete", "zsh", "stop", ""]
  }
  const samples: Record<string, Array<number>> = {}
  for (let round = -2; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const took = await timeOf(world.env, process.execPath, args)
      // The first rounds fill caches.
      if (round >= 0) (samples[name] ??= []).push(took)
    }
  }
  const base = { what: "node -e 0", value: median(samples["empty"] ?? []) }
  const row = (what: string, name: string): Row => ({ what, unit: "ms", leap: median(samples[name] ?? []), base })
  return [
    row("start to end: leap --version", "version"),
    row("start to end: leap status", "status"),
    row("start to end: leap status --json", "statusJson"),
    row("a Tab in a shell: what it completes", "complete")
  ]
}
