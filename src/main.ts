import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { commandLine, endOf, signalCodes } from "./commandLine.ts"
import * as CliTerminalNone from "./layers/terminal/CliTerminalNone.ts"
import * as LinePromptTerminal from "./layers/terminal/LinePromptTerminal.ts"
import * as OutputStdio from "./layers/terminal/OutputStdio.ts"
import * as UserTerminalNode from "./layers/terminal/UserTerminalNode.ts"
import { version } from "./version.ts"

/** `leap demo` gets a temporary directory, which is deleted at the end. */
const demoDirectory = (argv: ReadonlyArray<string>): string | null => {
  if (argv[0] !== "demo" || argv.includes("--help")) return null
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-demo-"))
  process.env["LEAP_HOME"] = path.join(dir, "leap")
  process.env["LEAP_DEMO_HOME"] = path.join(dir, "cli")
  return dir
}

/** Runs the `leap` command. When a signal ends it, its resources are released first. */
export const run = (argv: ReadonlyArray<string>): void => {
  const directory = demoDirectory(argv)
  const tell = (text: string): void => void process.stderr.write(text)
  const fiber = Effect.runFork(
    commandLine(argv, {
      version,
      self: [process.execPath, process.argv[1] ?? ""],
      streams: Layer.mergeAll(
        CliTerminalNone.layer,
        NodeStdio.layer,
        OutputStdio.layer,
        LinePromptTerminal.layer.pipe(Layer.provideMerge(UserTerminalNode.layer))
      ),
      tell
    })
  )
  let signalled: keyof typeof signalCodes | null = null
  for (const signal of Object.keys(signalCodes) as Array<keyof typeof signalCodes>) {
    process.on(signal, () => {
      signalled = signal
      fiber.interruptUnsafe()
    })
  }
  fiber.addObserver((exit) => {
    const { code, text } = endOf(exit, argv, signalled)
    if (text !== null) tell(text)
    if (directory === null) process.exit(code)
    // not rmSync, which leaves the rest without an error where an entry has just gone
    fs.rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }, (failure) => {
      if (failure !== null) tell(`leap: ${String(failure)}\n`)
      process.exit(code)
    })
  })
}
