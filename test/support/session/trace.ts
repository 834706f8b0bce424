import { blankFacts, type Dialog, type ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import { defaultModes, type Modes } from "../../../src/domain/words/session/Session.ts"
import type { KeyKind, SessionEvent } from "../../../src/domain/words/session/SessionEvent.ts"
import type { Signal } from "../../../src/domain/words/session/Signal.ts"
import * as Tracker from "../../../src/domain/engine/tracker/Tracker.ts"

/** An event without its time. */
export type Step = SessionEvent extends infer E ? (E extends SessionEvent ? Omit<E, "at"> : never) : never

/** What a session is told, at seconds since its start. */
export type Trace = ReadonlyArray<readonly [second: number, step: Step]>
/** A step of a trace, so many seconds after its start. */
export const t = (second: number, step: Step) => [second, step] as const

/** Every CLI tells something; these say which. */
export const everything = { programStatus: true, ownStatus: true, turnHooks: true } as const
export const nothing = { programStatus: false, ownStatus: false, turnHooks: false } as const

export const begin = 1_795_000_000_000

export const permission: Dialog = {
  kind: "permission",
  title: "Do you want to proceed?",
  options: [
    { number: 1, label: "Yes", selected: true },
    { number: 2, label: "No", selected: false }
  ]
}

/** A frame with an input box, and what is said of it. */
export const frame = (more: Partial<ScreenFacts> = {}): Step => ({
  _tag: "Output",
  screen: { ...blankFacts, blank: false, box: { draft: "" }, background: 0, ...more }
})
export const draft = (text: string): Step => frame({ box: { draft: text } })
export const working = (more: Partial<ScreenFacts> = {}): Step =>
  frame({ working: true, activity: "Thinking…", ...more })
export const dialog = (more: Partial<Dialog> = {}): Step =>
  frame({ box: null, background: null, dialog: { ...permission, ...more } })
export const picker: Step = frame({ box: null, background: null, picker: true })
export const keys = (...pressed: ReadonlyArray<KeyKind>): Step => ({ _tag: "Input", keys: pressed, by: "user" })
export const signal = (signal: Signal, source = "hook"): Step => ({ _tag: "Signal", source, signal })
export const started = (prompt = "go", own = false): Step =>
  signal({ _tag: "TurnStarted", prompt, own }, "hook TurnStarted")
export const ended = (background: ReadonlyArray<string> = []): Step =>
  signal(
    {
      _tag: "TurnEnded",
      response: "done",
      background: background.map((id) => ({ id, kind: "shell", title: id, state: "running" }))
    },
    "hook TurnEnded"
  )
export const own = (
  phase: "work" | "rest" | "wait",
  more: { readonly waitingFor?: "permission" | "question" | "dialog"; readonly background?: boolean } = {}
): Step =>
  signal(
    {
      _tag: "OwnStatus",
      phase,
      waitingFor: more.waitingFor ?? null,
      background: more.background ?? false,
      word: phase,
      sessionId: null
    },
    "session file"
  )
export const report = (
  state: "idle" | "working" | "blocked" | "done" | "error" | "clear",
  more: { readonly id?: string; readonly kind?: "permission" | "question" | "auth"; readonly message?: string } = {}
): Step => ({
  _tag: "Reported",
  report: {
    state,
    id: more.id ?? "",
    kind: more.kind ?? null,
    progress: null,
    app: null,
    title: null,
    message: more.message ?? null
  }
})

/** Fires every timer up to a moment, each at its own time, and says how many there were. */
export const settle = (track: ReturnType<typeof Tracker.track>, memory: Tracker.TrackerMemory, until: number) => {
  let now = memory
  let ticks = 0
  for (let due = now.view.changesAt; due !== null && due <= until; due = now.view.changesAt) {
    now = track(now, { _tag: "Tick", at: due })
    ticks++
    if (ticks > 1_000) throw new Error("the timers never come to rest")
  }
  return { memory: now, ticks }
}

/** Plays a trace with its timers and looks at the end, `until` seconds after the start. */
export const play = (
  trace: Trace,
  until: number,
  options: { readonly tells?: Parameters<typeof Tracker.track>[0]["capabilities"]; readonly modes?: Modes } = {}
): Tracker.TrackerMemory => {
  const track = Tracker.track({ capabilities: options.tells ?? everything })
  let memory = Tracker.start(begin, options.modes ?? defaultModes)
  for (const [second, step] of trace) {
    const at = begin + second * 1000
    memory = track(settle(track, memory, at).memory, { ...step, at })
  }
  return settle(track, memory, begin + until * 1000).memory
}
