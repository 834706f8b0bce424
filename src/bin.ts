import * as module from "node:module"

// Loads only what the command needs: `leap --version` and hosted helpers do not pay for the rest.
module.enableCompileCache?.()
const [first] = process.argv.slice(2)
if (first === "--version" || first === "version") {
  const { version } = await import("./version.ts")
  process.stdout.write(`leap ${version}\n`)
} else if (first === "__demo-cli") {
  const { runDemoCli } = await import("./demo/main.ts")
  await runDemoCli(process.argv.slice(3))
} else if (first === "__host") {
  const { runHostProcess } = await import("./hostMain.ts")
  runHostProcess()
} else {
  const { run } = await import("./main.ts")
  run(process.argv.slice(2))
}
