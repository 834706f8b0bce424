import { textOf } from "../../../src/demoCli/draft.ts"
import { decode, flushPending } from "../../../src/demoCli/keys.ts"
import { type DemoCommand, initial, type Model, type ModelEvent } from "../../../src/demoCli/model.ts"
import { statusRecords, title } from "../../../src/demoCli/terminal.ts"
import { update } from "../../../src/demoCli/update.ts"
import { frame } from "../../../src/demoCli/view.ts"
import { demoDetection } from "../../../src/domain/providers/demo/Detection.ts"
import { parseReport, type StatusReport } from "../../../src/domain/words/session/ProgramStatus.ts"
import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"
import type { SessionEvent } from "../../../src/domain/words/session/SessionEvent.ts"
import { Timeline } from "./Timeline.ts"

/** What the demo CLI did: the truth about what reached it. */
interface DemoLine {
  readonly at: number
  readonly event: string
  readonly text: string
}

/** What the demo CLI puts into its terminal. */
type Output =
  | { readonly report: StatusReport }
  | { readonly title: string }
  | { readonly lines: ReadonlyArray<string>; readonly faint: ReadonlyArray<string> }

/** How long things take between the demo CLI and its host, in milliseconds; each may be another at any time. */
export interface Lags {
  /** From a write of the CLI's to its reading by the host. */
  output: number
  /** From what changed the screen to the host's look at it. */
  look: number
  /** From a hook's call to its file, from there to its end, and from its file to its reading by the host. */
  hookStart: number
  hookEnd: number
  hookRead: number
}

export const noLags: Lags = { output: 1, look: 12, hookStart: 5, hookEnd: 5, hookRead: 5 }

const size = { cols: 80, rows: 24 }

/**
 * The bundled demo CLI, by its own model and screen, and the ways by which its host hears of it: its output in order,
 * its hooks in order, and neither bound to the other. It has one clock, which the test moves; CLI and host can be
 * stopped for a while.
 */
export class SimulatedDemo extends Timeline {
  readonly log: Array<DemoLine> = []
  readonly lags: Lags = { ...noLags }
  /** What the box held when text of the user's was taken out of it for an answer of leap's. */
  readonly lost: Array<string> = []
  private hasUserText = false
  private model: Model = { ...initial(size), terminalShowsStatus: true }
  private reported: ReadonlyMap<string, string> = new Map()
  private titled = ""
  private drawn = ""
  private willDraw = false
  /** The CLI does nothing before this; the host neither. */
  private cliUntil = 0
  private hostUntil = 0
  private hookFree = 0
  private outputRead = 0
  private hookRead = 0
  private shown: { title: string; lines: ReadonlyArray<string>; faint: ReadonlyArray<string> } = {
    title: "",
    lines: [],
    faint: []
  }
  private willLook = false
  /** What is on its way, in order: keys to the CLI, its output and its hooks to the host. */
  private readonly keys: Array<() => void> = []
  private readonly outputs: Array<() => void> = []
  private readonly calls: Array<() => void> = []
  private readonly emit: (event: SessionEvent) => void

  private readonly reports: boolean

  /** `reports`: it speaks program status. */
  constructor(now: number, emit: (event: SessionEvent) => void, reports = true) {
    super(now)
    this.emit = emit
    this.reports = reports
    this.callHook("SessionStart", { source: "startup" }, null)
    this.show()
    this.animate()
  }

  /** Until when the host is stopped. */
  get hostResumes(): number {
    return this.hostUntil
  }

  /** The text in its box, really. */
  get draft(): string {
    return textOf(this.model.draft)
  }

  get hasDialog(): boolean {
    return this.model.dialog !== null
  }

  /** How the turns of this prompt ended: `turn_ended`, `turn_failed`, `turn_interrupted`. */
  endsOf(text: string): ReadonlyArray<string> {
    return this.log.flatMap((line) =>
      line.text.includes(text) && /^turn_(?!started)/.test(line.event) ? [line.event] : []
    )
  }

  /** How its last turn ended; null where that runs still, or none has begun. */
  get lastEnd(): string | null {
    const last = this.log.findLast((line) => line.event.startsWith("turn_"))?.event ?? null
    return last === "turn_started" ? null : last
  }

  stopCli(span: number): void {
    this.cliUntil = Math.max(this.cliUntil, this.now + span)
  }

  stopHost(span: number): void {
    this.hostUntil = Math.max(this.hostUntil, this.now + span)
  }

  /** Moves the clock to a moment before which nothing is due. */
  advanceTo(to: number): void {
    this.now = Math.max(this.now, to)
  }

  /** Bytes into its terminal. `by`: who wrote them, or that leap takes an answer of its own out of the box with them. */
  write(data: string, by: "user" | "leap" | "answer" = "leap"): void {
    this.keys.push(() => {
      const before = this.draft
      if (by === "answer" && this.hasUserText) this.lost.push(before)
      const { keys, pending } = decode("", data)
      for (const key of [...keys, ...flushPending(pending).keys]) this.dispatch({ type: "key", key, at: this.now })
      // what comes into the box by an interrupt was sent before
      const grows = this.draft.length > before.length && (by === "user" || data === "\x1b")
      this.hasUserText = this.draft !== "" && (this.hasUserText || grows)
    })
    this.inCli(1, () => this.keys.shift()?.())
  }

  private inCli(after: number, run: () => void): void {
    this.at(this.now + after, () => (this.cliUntil > this.now ? this.inCliThen(run) : run()))
  }
  private inCliThen(run: () => void): void {
    this.at(this.cliUntil, () => (this.cliUntil > this.now ? this.inCliThen(run) : run()))
  }

  /** In the host, at this time or when it goes on. */
  private inHost(at: number, run: () => void): void {
    this.at(at, () => (this.hostUntil > this.now ? this.inHost(this.hostUntil, run) : run()))
  }

  private dispatch(event: ModelEvent): void {
    const { commands, model } = update(this.model, event)
    this.model = model
    for (const command of commands) this.perform(command)
    this.show()
  }

  private perform(command: DemoCommand): void {
    switch (command.type) {
      case "log":
        this.log.push({ at: this.now, event: command.event, text: command.text })
        return
      case "wait":
        return this.inCli(command.ms, () => this.dispatch({ type: "commandEnded", token: command.token, at: this.now }))
      case "flood":
        return this.inCli(0, () => this.dispatch({ type: "commandEnded", token: command.token, at: this.now }))
      case "remind":
        return this.inCli(command.ms, () => this.dispatch({ type: "waiting", token: command.token }))
      case "background":
        return this.inCli(command.ms, () => this.dispatch({ type: "backgroundEnded", id: command.id, at: this.now }))
      case "hook":
        return this.callHook(command.event, command.fields, command.token)
      case "decide":
        return this.callHook("PermissionRequest", command.fields, null)
    }
  }

  /** One hook behind the other. Its file is written by another process, which a stopped CLI does not stop. */
  private callHook(event: string, fields: object, token: number | null): void {
    const begun = Math.max(this.now, this.hookFree)
    const written = begun + this.lags.hookStart
    this.hookFree = written + this.lags.hookEnd
    this.hookRead = Math.max(this.hookRead, written + this.lags.hookRead)
    this.calls.push(() => {
      for (const signal of demoDetection.readHook(event, fields))
        this.emit({ _tag: "Signal", at: this.now, source: `hook ${event}`, signal })
    })
    this.inHost(this.hookRead, () => this.calls.shift()?.())
    if (token !== null)
      this.inCli(this.hookFree - this.now, () => this.dispatch({ type: "commandEnded", token, at: this.now }))
  }

  private print(output: Output): void {
    this.outputRead = Math.max(this.outputRead, this.now + this.lags.output)
    this.outputs.push(() => {
      if ("report" in output) return this.emit({ _tag: "Reported", at: this.now, report: output.report })
      this.shown = { ...this.shown, ...output }
      this.requestLook()
    })
    this.inHost(this.outputRead, () => this.outputs.shift()?.())
  }

  private requestLook(): void {
    if (this.willLook) return
    this.willLook = true
    this.inHost(this.now + this.lags.look, () => {
      this.willLook = false
      const { faint, lines } = this.shown
      if (lines.length === 0) return
      const view: ScreenView = {
        ...size,
        lines,
        faint: (y) => faint[y] ?? "",
        runs: () => [],
        cursor: { x: 0, y: 0, visible: false },
        alternate: true,
        title: this.shown.title,
        whole: true
      }
      this.emit({ _tag: "Output", at: this.now, screen: demoDetection.readScreen(view) })
    })
  }

  /** Reports the state at once, and draws a moment later, as the program does. */
  private show(): void {
    const named = title(this.model, this.now).replace(/^\x1b\]0;|\x07$/g, "")
    if (named !== this.titled) this.print({ title: (this.titled = named) })
    if (this.reports) {
      const records = statusRecords(this.model)
      for (const id of this.reported.keys()) if (!records.has(id)) this.report(`state=clear:id=${id}`)
      for (const [id, pairs] of records) if (this.reported.get(id) !== pairs) this.report(pairs)
      this.reported = records
    }
    if (this.willDraw) return
    this.willDraw = true
    this.inCli(8, () => {
      this.willDraw = false
      const rows = frame(this.model, this.now)
      const lines = rows.map((row) =>
        row
          .map(({ text }) => text)
          .join("")
          .trimEnd()
      )
      const faint = rows.map((row) =>
        row.map(({ style, text }) => (style === "faint" ? text : " ".repeat(text.length))).join("")
      )
      const picture = lines.join("\n")
      if (picture !== this.drawn) this.print({ lines, faint })
      this.drawn = picture
    })
  }

  private report(pairs: string): void {
    const report = parseReport(pairs)
    if (report !== null) this.print({ report })
  }

  private animate(): void {
    this.inCli(120, () => {
      if (this.model.turn !== null) this.show()
      this.animate()
    })
  }
}
