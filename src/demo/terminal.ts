import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import { decisionEvent, decisionIn, type Hooks } from "./hooks.ts"
import { decode, type Decoded, type Key, settle } from "./keys.ts"
import { type Command, type Event, initial, type Model } from "./model.ts"
import { clearStatus, statusRecords, statusReports, title } from "./status.ts"
import { leave, update } from "./update.ts"
import { encodeRow, frame, paint } from "./view.ts"

// Alternate screen, bracketed paste, focus reports, no cursor; then who the terminal is and what it can do.
const enter = "\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?25l\x1b[>0q\x1b[?u\x1b]7501;?\x1b\\\x1b[c"
const quit = "\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l"
const pushKeyboard = "\x1b[>1u"
const popKeyboard = "\x1b[<u"

const animationPeriod = 120
const drawDelay = 8
/** How long a lone ESC may be the beginning of something. */
const escapeDelay = 40

const paceOf = (text: string | undefined): number => {
  const pace = Number(text ?? "1")
  return Number.isFinite(pace) && pace >= 0 ? pace : 1
}

/** Runs the full-screen program until the user leaves it; resolves with its exit code, the terminal as it was. */
export const runTerminal = (hooks: Hooks): Promise<number> =>
  new Promise((resolve) => {
    const pace = paceOf(process.env["LEAP_DEMO_PACE"])
    const log = process.env["LEAP_DEMO_LOG"]
    const timers = new Set<NodeJS.Timeout>()
    const utf8 = new StringDecoder("utf8")
    let model: Model = initial(size())
    let pending = ""
    let settling: NodeJS.Timeout | undefined
    let drawing: NodeJS.Timeout | undefined
    let drawn: ReadonlyArray<string> | null = null
    let told: ReadonlyMap<string, string> = new Map()
    let titled = ""
    let keyboard = false
    let finished = false

    const write = (bytes: string) => void (bytes !== "" && process.stdout.write(bytes))

    const later = (ms: number, event: () => Event) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        dispatch(event())
      }, ms * pace)
      timers.add(timer)
    }

    const dispatch = (event: Event) => {
      if (finished) return
      const { commands, model: changed } = update(model, event)
      if (changed.size !== model.size) drawn = null
      model = changed
      commands.forEach(perform)
      show()
    }

    const perform = (command: Command): void => {
      switch (command.type) {
        case "log": return record(command.event, command.text)
        case "wait": return later(command.ms, () => ({ type: "continued", token: command.token, at: Date.now() }))
        case "remind": return later(command.ms, () => ({ type: "waiting", token: command.token }))
        case "background": return later(command.ms, () => ({ type: "backgroundEnded", id: command.id, at: Date.now() }))
        case "abortHooks": return hooks.abortDecisions()
        case "exit": return finish(0)
        case "hook": {
          const { token } = command
          void hooks.run(command.event, command.fields).then(() => {
            if (token !== null) dispatch({ type: "continued", token, at: Date.now() })
          })
          return
        }
        case "decide": {
          void hooks.run(decisionEvent, command.fields).then((outputs) => {
            const decision = decisionIn(outputs)
            if (decision !== null) dispatch({ type: "decided", token: command.token, decision, at: Date.now() })
          })
          return
        }
        case "nested": {
          const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? "", "__demo-cli", "--print", command.prompt], { stdio: "ignore" })
          child.on("error", () => {})
          child.on("close", () => dispatch({ type: "continued", token: command.token, at: Date.now() }))
        }
      }
    }

    const record = (event: string, text: string) => {
      if (log !== undefined) appendFileSync(log, `${JSON.stringify({ at: Date.now(), event, text })}\n`)
    }

    /** Tells the state at once; draws a moment later, so that a burst is one frame. */
    const show = () => {
      const now = Date.now()
      const said = title(model, now)
      if (said !== titled) write(titled = said)
      if (model.reports) {
        const records = statusRecords(model)
        write(statusReports(told, records))
        told = records
      }
      drawing ??= setTimeout(draw, drawDelay)
    }

    const draw = () => {
      drawing = undefined
      const rows = frame(model, Date.now()).map(encodeRow)
      write(paint(drawn, rows))
      drawn = rows
    }

    const take = ({ keys, pending: rest }: Decoded) => {
      pending = rest
      keys.forEach(onKey)
    }

    const onKey = (key: Key) => {
      if (key.key === "reply" && key.to === "keyboard" && !keyboard) {
        keyboard = true
        write(pushKeyboard)
      }
      dispatch({ type: "key", key, at: Date.now() })
    }

    const onData = (data: Buffer) => {
      clearTimeout(settling)
      take(decode(pending, utf8.write(data)))
      if (pending !== "") settling = setTimeout(() => take(settle(pending)), escapeDelay)
    }

    const onResize = () => dispatch({ type: "resized", size: size() })
    const onEnd = (why: string) => {
      if (model.leaving) return
      const { commands, model: leaving } = leave(model, why)
      model = leaving
      commands.forEach(perform)
    }

    const animation = setInterval(() => {
      if (model.turn !== null) show()
    }, animationPeriod)

    const finish = (code: number) => {
      clearInterval(animation)
      finished = true
      for (const timer of [settling, drawing, ...timers]) clearTimeout(timer)
      write(`${model.reports ? clearStatus : ""}${keyboard ? popKeyboard : ""}\x1b]0;\x07${quit}`)
      try {
        process.stdin.setRawMode(false)
      } catch {
        // The terminal is gone: there is nothing to restore.
      }
      process.stdin.destroy()
      resolve(code)
    }

    process.stdin.setRawMode(true)
    process.stdin.on("data", onData).on("end", () => onEnd("end of input")).on("error", (cause) => onEnd(cause.message))
    process.stdout.on("resize", onResize).on("error", () => {})
    process.on("SIGHUP", onEnd).on("SIGTERM", onEnd)
    write(enter)
    void hooks.run("SessionStart", { source: "startup", model: model.engine })
    record("started", "")
    show()
  })

const size = () => ({ cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 })
