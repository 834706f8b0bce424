// Loads only what the command needs. Commands that scripts call often run here, without the large modules.
import { withKeptCode } from "./quick/codeCache.ts"
import { line, note } from "./quick/print.ts"
import { version } from "./version.ts"

const argv = process.argv.slice(2)
const [first] = argv

/** Loads the chunks of the built program; undefined when run from the sources, whose modules Node imports. */
declare let require: NodeJS.Require | undefined

/** Loads all further chunks with V8's code cache. */
const loadKept = (): void => {
  if (typeof require !== "function") return
  const { keepCode, load } = withKeptCode(require, import.meta.dirname, Date.now, first)
  process.on("exit", keepCode)
  require = load as NodeJS.Require
}

/** Runs all other commands. */
const whole = async (args: ReadonlyArray<string>): Promise<void> => {
  if (first === "__demo-cli") {
    const { runDemoCli } = await import("./demoCli/main.ts")
    await runDemoCli(argv.slice(1))
  } else if (first === "__host") {
    const { runHostProcess } = await import("./hostMain.ts")
    await runHostProcess()
  } else {
    const { run } = await import("./main.ts")
    run(args)
  }
}

/** Whether an argument is not UTF-8: only /proc/self/cmdline tells a typed U+FFFD from one that Node put in. */
const hasLostText = (): boolean => {
  if (!argv.some((word) => word.includes("\uFFFD"))) return false
  try {
    const given = process.getBuiltinModule("node:fs").readFileSync("/proc/self/cmdline")
    return !process.getBuiltinModule("node:buffer").isUtf8(given)
  } catch {
    return false
  }
}

/**
 * Sets a missing or relative HOME to the account's home, so that files do not land in the current directory. False if
 * the system has no account for this user, as in a container with another user id.
 */
const findHome = (): boolean => {
  if (process.env["HOME"]?.startsWith("/") === true) return true
  try {
    process.env["HOME"] = process.getBuiltinModule("node:os").userInfo().homedir
    return true
  } catch {
    return false
  }
}

const start = async (): Promise<void> => {
  const hasHome = findHome()
  if (hasLostText()) {
    note("leap: an argument is no text in UTF-8; nothing of it was used ('iconv -f … -t utf-8' converts it)")
    process.exit(2)
  }
  if (first === "--version" || first === "-v" || first === "version") {
    line(`leap ${version}`)
    return
  }
  if (!hasHome) {
    note(`leap: there is no home directory: HOME names none, and user ${process.getuid?.()} has no account; set HOME`)
    process.exit(2)
  }
  loadKept()
  if (first === "__complete") {
    const { complete } = await import("./quick/complete.ts")
    process.exit(complete(argv.slice(1)))
  } else if (first === "__record-upkeep") {
    const { runRecordUpkeep } = await import("./quick/recordUpkeep.ts")
    runRecordUpkeep(argv.slice(1), Date.now())
  } else if (first === "__host" || first === "__demo-cli") {
    // long-lived processes skip the quick commands to save memory
    await whole(argv)
  } else {
    const { runQuick } = await import("./quick/quick.ts")
    const done = await runQuick(argv, Date.now())
    if (typeof done === "number") process.exit(done)
    const { beginHost } = await import("./quick/beginHost.ts")
    beginHost(argv)
    await whole(done)
  }
}

void start()
