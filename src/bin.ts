// Loads only what the command needs: what scripts call all day is done here, where nothing large is loaded.
import { withKeptCode } from "./quick/codeCache.ts"
import { line, note } from "./quick/print.ts"
import { version } from "./version.ts"

const argv = process.argv.slice(2)
const [first] = argv

/** What loads the parts of the built program; there is none in the sources, whose parts Node imports. */
declare let require: NodeJS.Require | undefined

/** From now on the parts come from what V8 made of them before. */
const loadKept = (): void => {
  if (typeof require !== "function") return
  const { keepCode, load } = withKeptCode(require, import.meta.dirname, Date.now, first)
  process.on("exit", keepCode)
  require = load as NodeJS.Require
}

/** The parts that are loaded for all other commands. */
const whole = async (args: ReadonlyArray<string>): Promise<void> => {
  if (first === "__demo-cli") {
    const { runDemoCli } = await import("./demo/main.ts")
    await runDemoCli(argv.slice(1))
  } else if (first === "__host") {
    const { runHostProcess } = await import("./hostMain.ts")
    await runHostProcess()
  } else {
    const { run } = await import("./main.ts")
    run(args)
  }
}

/**
 * An argument is no text in UTF-8. Node has put U+FFFD in the place of its bytes by then; only where the system keeps
 * them can be told whether it was meant.
 */
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
 * Without a home that says where it is, files would be kept wherever leap is called: the account's own is meant. False
 * where the system knows no such account, as in a container that was given another user.
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
    // what lives long is not to hold what answers commands
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
