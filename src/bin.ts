import * as module from "node:module"

// Loads only what the command needs: what scripts call all day is done here, where nothing large is loaded.
const argv = process.argv.slice(2)
const [first] = argv

/** The parts that are loaded for all other commands, from V8's own cache where that is. */
const whole = async (args: ReadonlyArray<string>): Promise<void> => {
  module.enableCompileCache?.()
  if (first === "__demo-cli") {
    const { runDemoCli } = await import("./demo/main.ts")
    await runDemoCli(argv.slice(1))
  } else if (first === "__host") {
    const { runHostProcess } = await import("./hostMain.ts")
    runHostProcess()
  } else {
    const { run } = await import("./main.ts")
    run(args)
  }
}

if (first === "--version" || first === "version") {
  const [{ version }, { line }] = await Promise.all([import("./version.ts"), import("./thin/print.ts")])
  line(`leap ${version}`)
} else if (first === "__complete") {
  const { complete } = await import("./thin/complete.ts")
  process.exit(complete(argv.slice(1)))
} else if (first === "__record-upkeep") {
  const { runRecordUpkeep } = await import("./thin/recordUpkeep.ts")
  runRecordUpkeep(argv.slice(1))
} else {
  const { runThin } = await import("./thin/thin.ts")
  const done = await runThin(argv)
  if (typeof done === "number") process.exit(done)
  await whole(done)
}
