// Prints leap's costs beside those of the same work without leap, both measured alternately in one run. Read the
// ratios: the absolute figures depend on the machine. Needs a fresh build (`npm run bench` makes one).
//
//   npm run bench -- monitor web     only these
import { benchDecisions, benchPolicy } from "./bench/decisions.ts"
import { benchDetection } from "./bench/detection.ts"
import { benchHeadless } from "./bench/headless.ts"
import { benchHooks } from "./bench/hooks.ts"
import { benchMonitor } from "./bench/monitor.ts"
import { benchRelocation } from "./bench/relocation.ts"
import { benchResident } from "./bench/resident.ts"
import { benchStartup } from "./bench/startup.ts"
import { type Row, table } from "./bench/table.ts"
import { benchTerminal } from "./bench/terminal.ts"
import { benchWeb } from "./bench/web.ts"
import { makeWorld, type World } from "./bench/world.ts"

type Bench = (world: World) => Promise<ReadonlyArray<Row>> | ReadonlyArray<Row>

const benches: Readonly<Record<string, Bench>> = {
  detection: () => benchDetection(),
  policy: () => benchPolicy(),
  hooks: () => benchHooks(),
  decisions: benchDecisions,
  startup: benchStartup,
  headless: () => benchHeadless(),
  terminal: benchTerminal,
  resident: benchResident,
  monitor: benchMonitor,
  web: benchWeb,
  relocation: () => benchRelocation()
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0)
  throw new Error(`no such benchmark: ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`)

const world = makeWorld()
const rows: Array<Row> = []
try {
  for (const [name, bench] of Object.entries(benches))
    if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await bench(world)))
} finally {
  world.close()
}
process.stdout.write(`${table(rows)}\n`)
