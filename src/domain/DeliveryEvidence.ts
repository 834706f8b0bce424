import { isIdlePromptVisible } from "./ArrowGate.ts"
import type { ScreenFacts } from "./Screen.ts"
import { type SessionState, turnOver, type View } from "./Session.ts"
import type { SessionEvent } from "./SessionEvent.ts"
import type { Signal } from "./Signal.ts"

/**
 * What the sender has seen, with its order. `seq` counts events, so that "newer than" needs no two times to differ.
 * Signs of a turn's begin are taken from the CLI itself and never from keys that leap wrote: a view may presume a turn
 * from an Enter, a receipt must not.
 */
export interface Evidence {
  readonly at: number
  readonly seq: number
  readonly view: View
  readonly exited: boolean
  /** The last whole frame, how many there were, and whether it is the last output (a half-drawn frame may follow). */
  readonly screen: ScreenFacts | null
  readonly looks: number
  readonly whole: boolean
  readonly userKeyAt: number | null
  readonly userKeys: number
  readonly resizedAt: number | null
  /** The last sign that a turn began, that background work began one by itself, and that a prompt was taken. */
  readonly workSeq: number
  readonly ownTurnSeq: number
  readonly prompt: { readonly seq: number; readonly text: string }
  readonly reportsWork: boolean
  readonly statusWork: boolean
  /** Since when the view has said without a break: a turn runs; it is over; it is over and the box stands free. */
  readonly busySince: number | null
  readonly overSince: number | null
  readonly restSince: number | null
}

const busy: ReadonlySet<SessionState> = new Set(["running", "needs_permission", "needs_input"])

/** A turn runs, as far as the view goes. */
export const isBusy = (view: View): boolean => busy.has(view.state)

export const nothingSeen = (at: number, view: View): Evidence => ({
  at,
  seq: 0,
  view,
  exited: view.state === "exited",
  screen: null,
  looks: 0,
  whole: false,
  userKeyAt: null,
  userKeys: 0,
  resizedAt: null,
  workSeq: 0,
  ownTurnSeq: 0,
  prompt: { seq: 0, text: "" },
  reportsWork: false,
  statusWork: false,
  busySince: isBusy(view) ? at : null,
  overSince: turnOver.has(view.state) ? at : null,
  restSince: null
})

/** Takes one event in, and the view that the tracker has after it. */
export const observe = (before: Evidence, event: SessionEvent, view: View): Evidence => {
  const at = Math.max(before.at, event.at)
  const e = withEvent({ ...before, at, seq: before.seq + 1, view }, event)
  const since = (was: number | null, holds: boolean) => holds ? was ?? at : null
  const { screen } = e
  const over = turnOver.has(view.state)
  const free = over && !view.dialog && screen !== null && isIdlePromptVisible(screen)
  return {
    ...e,
    exited: e.exited || view.state === "exited",
    busySince: since(e.busySince, isBusy(view)),
    overSince: since(e.overSince, over),
    restSince: since(e.restSince, free)
  }
}

const withEvent = (e: Evidence, event: SessionEvent): Evidence => {
  switch (event._tag) {
    case "Output": {
      const { screen } = event
      if (screen === null) return { ...e, whole: false }
      const was = e.screen
      const began = screen.working && was?.working !== true || screen.title === "work" && was?.title !== "work"
      return { ...e, screen, looks: e.looks + 1, whole: true, workSeq: began ? e.seq : e.workSeq }
    }
    case "Input":
      return event.by === "user" && event.keys.length > 0 ? { ...e, userKeyAt: e.at, userKeys: e.userKeys + 1 } : e
    case "Reported": {
      // Children are background work; the root speaks of the turn.
      if (event.report.id !== "") return e
      const works = event.report.state === "working" || event.report.state === "blocked"
      return { ...e, reportsWork: works, workSeq: works && !e.reportsWork ? e.seq : e.workSeq }
    }
    case "Signaled":
      return withSignal(e, event.signal)
    case "Resize":
      return { ...e, resizedAt: e.at }
    case "Exited":
      return { ...e, exited: true }
    default:
      return e
  }
}

const withSignal = (e: Evidence, signal: Signal): Evidence => {
  switch (signal._tag) {
    case "TurnStarted":
      if (signal.own) return { ...e, ownTurnSeq: e.seq }
      return signal.prompt === null ? { ...e, workSeq: e.seq } : { ...e, prompt: { seq: e.seq, text: signal.prompt } }
    case "ToolStarted":
      return signal.agent === null ? { ...e, workSeq: e.seq } : e
    case "CompactStarted":
      return { ...e, workSeq: e.seq }
    case "OwnStatus": {
      const works = signal.phase === "work" ||
        signal.phase === "wait" && (signal.waitingFor === "permission" || signal.waitingFor === "question")
      return { ...e, statusWork: works, workSeq: works && !e.statusWork ? e.seq : e.workSeq }
    }
    default:
      return e
  }
}

const squeeze = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim()

/** Whether the prompt that a CLI says it took is this text. Blanks do not count: CLIs trim and convert them. */
export const isPrompt = (prompt: string, text: string): boolean => {
  const [said, meant] = [squeeze(prompt), squeeze(text)]
  return said === meant || meant.length >= 12 && said.includes(meant)
}
