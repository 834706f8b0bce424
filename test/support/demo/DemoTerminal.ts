import xterm from "@xterm/headless"
import { Duration, Effect, Layer } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as PtyNode from "../ptyNode.ts"
import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { Screen } from "../../../src/services/Screen.ts"

/** The file that runs the demo CLI as leap's entry does. */
export const demoCli = fileURLToPath(new URL("./demoCli.ts", import.meta.url))
const bound = Duration.seconds(30)

export interface LogLine {
  readonly at: number
  readonly event: string
  readonly text: string
}

export interface HookCall {
  readonly hook_event_name: string
  readonly [field: string]: unknown
}

/** A terminal that hosts the demo CLI: a real process on a real pseudo-terminal, its screen emulated. */
export interface DemoTerminal {
  readonly write: (keys: string) => Effect.Effect<void>
  readonly resize: (cols: number, rows: number) => Effect.Effect<void>
  readonly view: () => ScreenView
  readonly text: () => string
  /** Everything the CLI wrote, as it wrote it. */
  readonly output: () => string
  /** The program-status reports that came, without their frame. */
  readonly reports: ReadonlyArray<string>
  readonly titles: ReadonlyArray<string>
  readonly log: () => ReadonlyArray<LogLine>
  readonly hooks: () => ReadonlyArray<HookCall>
  /** Waits for a state, with a bound; fails with what the screen showed instead. */
  readonly until: (what: string, test: () => boolean) => Effect.Effect<void, Error>
  readonly exited: Effect.Effect<number | null, Error>
  readonly signal: (name: "SIGTERM" | "SIGHUP") => Effect.Effect<void>
}

export interface DemoOptions {
  readonly cols?: number
  readonly rows?: number
  readonly pace?: number
  /** The terminal knows program status. */
  readonly status?: boolean
  /** The terminal knows the kitty keyboard protocol. */
  readonly keyboard?: boolean
  /** Shell command of the PermissionRequest hook; the payload is its standard input. */
  readonly decide?: string
}

const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "Notification",
  "Stop",
  "StopFailure",
  "SessionEnd"
]

const lines = <A>(file: string): ReadonlyArray<A> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : []

/** A directory for the CLI's settings, its log and the log of its hooks. */
const makeHome = (decide: string) => {
  const home = mkdtempSync(join(tmpdir(), "leap-demo-test-"))
  const hookFile = join(home, "hooks.ndjson")
  const hook = (command: string, timeout = 10) => [{ hooks: [{ type: "command", command, timeout }] }]
  // The payload is taken whole before it is appended.
  const append = `line=$(cat); printf '%s\\n' "$line" >> '${hookFile}'`
  writeFileSync(
    join(home, "settings.json"),
    JSON.stringify({
      hooks: {
        ...Object.fromEntries(hookEvents.map((event) => [event, hook(append)])),
        PermissionRequest: hook(`${append}; ${decide}`, 600)
      }
    })
  )
  return { home, hookFile, logFile: join(home, "log.ndjson") }
}

const inherited = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
)

/** Starts the demo CLI in a directory of its own; it is killed and the directory removed with the scope. */
export const openDemo = Effect.fn("openDemo")(
  function* (options: DemoOptions) {
    const { cols = 80, decide = ":", keyboard = false, pace = 0, rows = 24, status = true } = options
    const { home, hookFile, logFile } = yield* Effect.acquireRelease(
      Effect.sync(() => makeHome(decide)),
      ({ home }) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
    )
    const screen = yield* (yield* Screen).make({ cols, rows, scrollback: 0 })
    const pty = yield* (yield* Pty).spawn({
      command: process.execPath,
      args: [demoCli, "__demo-cli"],
      cwd: home,
      size: { cols, rows },
      env: { ...inherited, LEAP_DEMO_HOME: home, LEAP_DEMO_LOG: logFile, LEAP_DEMO_PACE: String(pace) }
    })
    const write = (keys: string) => pty.write(Buffer.from(keys))
    const reply = (bytes: string) => Effect.runFork(write(bytes))
    const reports: Array<string> = []
    const titles: Array<string> = []
    const listeners = new Set<() => void>()
    const notify = () => listeners.forEach((listener) => listener())
    let output = ""
    let ended = false

    // Answers the CLI's queries; what is on the screen is for the host's own emulator to say.
    const term = yield* Effect.acquireRelease(
      Effect.sync(() => new xterm.Terminal({ cols, rows, allowProposedApi: true })),
      (term) => Effect.sync(() => term.dispose())
    )
    term.parser.registerOscHandler(7501, (data) => {
      if (data !== "?") reports.push(data)
      else if (status) reply("\x1b]7501;?\x1b\\")
      return true
    })
    term.parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
      if (keyboard) reply("\x1b[?0u")
      return true
    })
    term.onTitleChange((title) => void titles.push(title))
    term.onData(reply)
    yield* pty
      .follow((data) => {
        output += Buffer.from(data).toString()
        screen.feed(data)
        term.write(data, notify)
      })
      .pipe(
        Effect.andThen(Effect.callback<void>((resume) => term.write("", () => resume(Effect.void)))),
        Effect.andThen(
          Effect.sync(() => {
            ended = true
            notify()
          })
        ),
        Effect.forkScoped
      )

    const until = (what: string, test: () => boolean) =>
      Effect.callback<void>((resume) => {
        const look = () => {
          if (!screen.view().whole || !test()) return
          listeners.delete(look)
          clearInterval(timer)
          resume(Effect.void)
        }
        // Log and hook files change without output.
        const timer = setInterval(look, 20)
        listeners.add(look)
        look()
        return Effect.sync(() => {
          listeners.delete(look)
          clearInterval(timer)
        })
      }).pipe(
        Effect.timeoutOrElse({
          duration: bound,
          orElse: () => Effect.suspend(() => Effect.fail(new Error(`never came: ${what}\n${screen.text()}`)))
        })
      )

    const terminal: DemoTerminal = {
      write,
      reports,
      titles,
      until,
      resize: (cols, rows) => {
        term.resize(cols, rows)
        screen.resize(cols, rows)
        return pty.resize({ cols, rows })
      },
      view: screen.view,
      text: screen.text,
      output: () => output,
      log: () => lines(logFile),
      hooks: () => lines(hookFile),
      exited: Effect.andThen(
        until("the end of the process", () => ended),
        Effect.map(pty.exit, ({ code }) => code)
      ),
      signal: pty.signal
    }
    return terminal
  },
  Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer))
)
