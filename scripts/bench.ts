// npm run bench [-- SECTION …] [--json] [--check] [--help]: prints leap's costs beside those of the same work without leap, both
// measured alternately in one run. Read the ratios: the absolute figures depend on the machine. Needs a fresh build
// (`npm run bench` makes one). Beside leap stand Node, the shell, tmux, and session managers from npm, installed into the
// cache of the real CLIs when they are first wanted. --json: the rows as JSON. --check: only what bench/budgets.json
// bounds, and exit 1 where a ratio is beyond its bound, twice.
import { budgets, overBudget } from "./bench/budget.ts"
import { benchCalls } from "./bench/calls.ts"
import { benchDecisions, benchPolicy } from "./bench/decisions.ts"
import { benchDetection } from "./bench/detection.ts"
import { benchFirstByte } from "./bench/firstByte.ts"
import { benchFleet } from "./bench/fleet.ts"
import { benchHeadless } from "./bench/headless.ts"
import { benchHooks } from "./bench/hooks.ts"
import { type Managers, managers } from "./bench/managers.ts"
import { benchMonitor } from "./bench/monitor.ts"
import { benchRelocation } from "./bench/relocation.ts"
import { benchResident } from "./bench/resident.ts"
import { benchReview } from "./bench/review.ts"
import { benchStartup } from "./bench/startup.ts"
import { type Row, table } from "./bench/table.ts"
import { benchTerminal } from "./bench/terminal.ts"
import { benchWeb } from "./bench/web.ts"
import { makeWorld, type World } from "./bench/world.ts"

type Section = (
  world: World,
  managers: Managers,
  onlyBounded: boolean
) => Promise<ReadonlyArray<Row>> | ReadonlyArray<Row>

const sections: Readonly<Record<string, Section>> = {
  detection: benchDetection,
  policy: benchPolicy,
  hooks: benchHooks,
  decisions: benchDecisions,
  startup: benchStartup,
  first: benchFirstByte,
  calls: benchCalls,
  headless: () => benchHeadless(),
  terminal: benchTerminal,
  resident: benchResident,
  fleet: benchFleet,
  monitor: benchMonitor,
  web: benchWeb,
  review: benchReview,
  relocation: () => benchRelocation()
}

const args = process.argv.slice(2)
const usage = [
  "npm run bench [-- SECTION …] [--json] [--check]",
  "",
  `sections: ${Object.keys(sections).join(" ")}`,
  "--json    the rows as JSON, when all have ended",
  "--check   only what scripts/bench/budgets.json bounds; exit 1 where a ratio is beyond its bound, twice"
].join("\n")
if (args.includes("--help")) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
const checks = args.includes("--check")
const isJson = args.includes("--json")
const named = args.filter((arg) => !arg.startsWith("--"))
const unknown = args.filter((arg) => !(arg in sections) && arg !== "--check" && arg !== "--json")
if (unknown.length > 0) {
  process.stderr.write(`bench: no ${unknown.join(", no ")}\n${usage}\n`)
  process.exit(2)
}
const chosen = named.length > 0 ? named : checks ? Object.keys(budgets) : Object.keys(sections)

const world = makeWorld()
// what is bounded is leap beside Node and the shell
const besides: Managers = checks ? () => [] : managers
const measured = async (name: string) => [...((await sections[name]?.(world, besides, checks)) ?? [])]
const rows: Array<Row> = []
const over: Array<string> = []
try {
  for (const name of chosen) {
    let its = await measured(name)
    if (checks && overBudget(name, its).length > 0) {
      // another program may have had the machine for a moment
      its = await measured(name)
      over.push(...overBudget(name, its))
    }
    rows.push(...its)
    // one that runs for an hour shows what it knows
    if (!isJson) process.stdout.write(`${table(its)}\n\n`)
  }
} finally {
  world.close()
}
if (isJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
for (const line of over) process.stderr.write(`bench: ${line}\n`)
process.exit(over.length > 0 ? 1 : 0)
