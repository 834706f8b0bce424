// Runs the demo CLI the way leap's own entry does: `… __demo-cli ARGS`.
import { runDemoCli } from "../../../src/demoCli/main.ts"

await runDemoCli(process.argv.slice(3))
