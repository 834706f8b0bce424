import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import { decisionEvent, decisionIn, type Hooks } from "./hooks.ts"
import { decode, type DecodedKeys, type DemoKey, flushPending } from "./keys.ts"
import { type DemoCommand, initial, type Model, type ModelEvent } from "./model.ts"
import { leave, update } from "./update.ts"
import { encodeRow, frame, paint } from "./view.ts"
import { dirname } from "node:path"
import type { DemoDraft } from "./draft.ts"
import { clean } from "./cells.ts"

const oneLine = (text: string): string =>
  Buffer.from(clean(text.replaceAll("\n", " ")).slice(0, 200)).toString("base64")

/** The current program-status records (OSC 7501) by id; the root's id is "". */
export const statusRecords = (model: Model): ReadonlyMap<string, string> => {
  const { dialog, restStatus, turn } = model
  const root =
    dialog !== null
      ? `state=blocked:kind=${dialog.kind}:msg=` +
        oneLine(dialog.kind === "permission" ? `approve ${dialog.title}` : dialog.title)
      : turn !== null
        ? `state=working:msg=${oneLine(turn.activity)}`
        : `state=${restStatus}`
  return new Map([
    ["", `${root}:app=leap-demo`],
    ...model.background.map(({ id, title }) => [id, `state=working:id=${id}:title=${oneLine(title)}`] as const)
  ])
}

const report = (pairs: string): string => `\x1b]7501;${pairs}\x1b\\`

export const statusReports = (before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string =>
  [...before.keys()]
    .filter((id) => !now.has(id))
    .map((id) => report(`state=clear:id=${id}`))
    .join("") +
  [...now]
    .filter(([id, pairs]) => before.get(id) !== pairs)
    .map(([, pairs]) => report(pairs))
    .join("")

export const clearStatus = report("state=clear")

/** The terminal's title: the name, and a glyph that changes every second while the model works. */
export const title = (model: Model, now: number): string => {
  const glyph =
    model.turn === null || model.dialog !== null
      ? "◇"
      : Math.floor((now - model.turn.startedAt) / 1000) % 2 === 0
        ? "◈"
        : "◆"
  return `\x1b]0;${glyph} leap demo\x07`
}

/** A prompt in the history file. Folded pastes are placeholders, and their texts are stored beside it. */
export interface HistoryEntry {
  readonly prompt: string
  readonly pastes: ReadonlyArray<{ readonly shown: string; readonly text: string }>
  readonly directory: string
}

const most = 200

export const entryOf = ({ atoms }: DemoDraft, directory: string): HistoryEntry => ({
  prompt: atoms.map(({ displayed }) => displayed).join(""),
  pastes: atoms.flatMap(({ displayed, text }) => (displayed === text ? [] : [{ shown: displayed, text }])),
  directory
})

/** Adds a prompt to the history. A write error is ignored: the prompt matters more. */
const keep = (file: string, entry: HistoryEntry): void => {
  const before = (): ReadonlyArray<string> => {
    try {
      return readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    } catch {
      return []
    }
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const lines = [...before().slice(1 - most), JSON.stringify(entry)]
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  } catch {
    // the folder may belong to another user, or the disk may be full
  }
}

// Alternate screen, bracketed paste, focus reports, no cursor; then queries for the terminal's name and capabilities.
const enter = "\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?25l\x1b[>0q\x1b[?u"
const statusQuery = "\x1b]7501;?\x1b\\"
const quit = "\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l"
const pushKeyboard = "\x1b[>1u"
const popKeyboard = "\x1b[<u"

const animationPeriod = 120
const drawDelay = 8
/** Milliseconds within which a lone ESC may turn out to be the first byte of a sequence. */
const escapeDelay = 40

const paceOf = (text: string | undefined): number => {
  const pace = Number(text ?? "1")
  return Number.isFinite(pace) && pace >= 0 ? pace : 1
}

export const runTerminal = (hooks: Hooks, history: string): Promise<number> =>
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
    let reported: ReadonlyMap<string, string> = new Map()
    let titleSent = ""
    let keyboard = false
    let finished = false

    const write = (bytes: string) => void (bytes !== "" && process.stdout.write(bytes))

    const later = (ms: number, event: () => ModelEvent) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        dispatch(event())
      }, ms * pace)
      timers.add(timer)
    }

    const dispatch = (event: ModelEvent) => {
      if (finished) return
      const { commands, model: changed } = update(model, event)
      if (changed.size !== model.size) drawn = null
      model = changed
      commands.forEach(perform)
      show()
    }

    const perform = (command: DemoCommand): void => {
      switch (command.type) {
        case "log":
          return record(command.event, command.text)
        case "saveDraft":
          return keep(history, entryOf(command.draft, process.cwd()))
        case "wait":
          return later(command.ms, () => ({ type: "commandEnded", token: command.token, at: Date.now() }))
        case "remind":
          return later(command.ms, () => ({ type: "waiting", token: command.token }))
        case "background":
          return later(command.ms, () => ({ type: "backgroundEnded", id: command.id, at: Date.now() }))
        case "abortHooks":
          return hooks.abortDecisions()
        case "exit":
          return finish(0)
        case "hook": {
          const { token } = command
          void hooks.run(command.event, command.fields).then(() => {
            if (token !== null) dispatch({ type: "commandEnded", token, at: Date.now() })
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
        case "flood": {
          drawn = frame(model, Date.now()).map(encodeRow)
          const screen = paint(null, drawn)
          for (let n = 0; n < command.kilobytes * 1024; n += screen.length) write(screen)
          return later(0, () => ({ type: "commandEnded", token: command.token, at: Date.now() }))
        }
        case "nested": {
          const child = spawn(
            process.execPath,
            [...process.execArgv, process.argv[1] ?? "", "__demo-cli", "--print", command.prompt],
            { stdio: "ignore" }
          )
          child.on("error", () => {})
          child.on("close", () => dispatch({ type: "commandEnded", token: command.token, at: Date.now() }))
        }
      }
    }

    const record = (event: string, text: string) => {
      if (log !== undefined) appendFileSync(log, `${JSON.stringify({ at: Date.now(), event, text })}\n`)
    }

    /** Reports the state immediately, and draws a moment later, so that a burst of changes is one frame. */
    const show = () => {
      const now = Date.now()
      const titleBytes = title(model, now)
      if (titleBytes !== titleSent) write((titleSent = titleBytes))
      if (model.terminalShowsStatus) {
        const records = statusRecords(model)
        write(statusReports(reported, records))
        reported = records
      }
      drawing ??= setTimeout(draw, drawDelay)
    }

    const draw = () => {
      drawing = undefined
      const rows = frame(model, Date.now()).map(encodeRow)
      write(paint(drawn, rows))
      drawn = rows
    }

    const onDecoded = ({ keys, pending: rest }: DecodedKeys) => {
      pending = rest
      keys.forEach(onKey)
    }

    const onKey = (key: DemoKey) => {
      if (key.key === "reply" && key.to === "keyboard" && !keyboard) {
        keyboard = true
        write(pushKeyboard)
      }
      dispatch({ type: "key", key, at: Date.now() })
    }

    const onData = (data: Buffer) => {
      clearTimeout(settling)
      onDecoded(decode(pending, utf8.write(data)))
      if (pending !== "") settling = setTimeout(() => onDecoded(flushPending(pending)), escapeDelay)
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
      write(`${model.terminalShowsStatus ? clearStatus : ""}${keyboard ? popKeyboard : ""}\x1b]0;\x07${quit}`)
      try {
        process.stdin.setRawMode(false)
      } catch {
        // The terminal is gone, so there is nothing to restore.
      }
      process.stdin.destroy()
      resolve(code)
    }

    process.stdin.setRawMode(true)
    process.stdin
      .on("data", onData)
      .on("end", () => onEnd("end of input"))
      .on("error", (cause) => onEnd(cause.message))
    process.stdout.on("resize", onResize).on("error", () => {})
    process.on("SIGHUP", onEnd).on("SIGTERM", onEnd)
    write(`${enter}${process.env["LEAP_DEMO_REPORTS"] === "0" ? "" : statusQuery}\x1b[c`)
    void hooks.run("SessionStart", { source: "startup", model: model.modelName })
    record("started", "")
    show()
  })

const size = () => ({ cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 })
