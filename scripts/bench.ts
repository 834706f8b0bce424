// Prints leap's costs beside those of the same work without leap, both measured alternately in one run. Read the
// ratios: the absolute figures depend on the machine. Needs a fresh build (`npm run bench` makes one).
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
import { makeWorld } from "./bench/world.ts"

const world = makeWorld()
const rows: Array<Row> = []
try {
  rows.push(...(await benchDetection()))
  rows.push(...benchPolicy())
  rows.push(...(await benchHooks()))
  rows.push(...(await benchDecisions(world)))
  rows.push(...(await benchStartup(world)))
  rows.push(...(await benchHeadless()))
  rows.push(...(await benchTerminal(world)))
  rows.push(...(await benchResident(world)))
  rows.push(...(await benchMonitor(world)))
  rows.push(...(await benchRelocation()))
} finally {
  world.close()
}
process.stdout.write(`${table(rows)}\n`)
