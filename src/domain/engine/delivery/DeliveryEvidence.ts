import { isIdlePromptVisible } from "../tracker/ArrowGate.ts"
import { tellsSameEnd } from "../../words/problems/LimitEnd.ts"
import type { ScreenFacts } from "../../words/session/Screen.ts"
import type { View } from "../../words/session/Session.ts"
import { isBusy, turnOver } from "../../words/session/states.ts"
import type { KeyKind, SessionEvent } from "../../words/session/SessionEvent.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { afterEvent, nothingReported, type ReportedTurns, seen, workBegan } from "./ReportedTurns.ts"
import { began, lastOf, type Beginnings } from "./Beginnings.ts"

/** The number of rows that show a message, and the `seq` at which it last grew. */
interface Said {
  readonly seq: number
  readonly rows: number
}

const nothingSaid: Said = { seq: 0, rows: 0 }

const saidBy = (rows: number, before: Said, seq: number): Said => ({ seq: rows > before.rows ? seq : before.seq, rows })

/**
 * The evidence for a message's receipt. `seq` counts events and orders those of one millisecond. Only the CLI's own
 * signs prove that a turn began, never keys that leap wrote: a view may presume a turn from an Enter, a receipt must
 * not.
 */
export interface DeliveryEvidence {
  readonly at: number
  readonly seq: number
  readonly view: View
  /** `seq` at which the view's problem first appeared: a problem older than a message is not of its turn. */
  readonly problemSeq: number
  /** The last reported failure and its problem: the view drops them when another turn begins. */
  readonly told: { readonly failure: string; readonly problem: View["problem"] } | null
  readonly exited: boolean
  /** The last whole frame, its `seq`, the number of whole frames, and whether no half-drawn frame has followed it. */
  readonly screen: ScreenFacts | null
  readonly screenSeq: number
  readonly frames: number
  readonly whole: boolean
  /** The last uncovered frame showed work. Work that is visible behind a dialog later is the same work. */
  readonly showedWork: boolean
  /** Since when the screen has shown neither work nor anything over the box behind work; null where that is not so. */
  readonly quietSince: number | null
  readonly userKeyAt: number | null
  readonly userKeys: number
  /** `seq` of the user's last key that may have put something into a box. */
  readonly typedSeq: number
  readonly resizedAt: number | null
  readonly resizedSeq: number
  /** `seq` of the last sign that a turn began; `ownTurnSeq`: that background work began one. */
  readonly workSeq: number
  /** The last changes from rest to work that the screen showed. */
  readonly resumed: Beginnings
  /** The last Enters, leap's and the user's, with no turn running or no work shown: each may have begun a turn. */
  readonly entered: Beginnings
  readonly ownTurnSeq: number
  /** `seq` of the last sign that a model has answered something: a text, a tool, a question, of whatever turn. */
  readonly modelSeq: number
  /** Rows that report a prompt blocked by a hook, and rows that report an unknown command. */
  readonly blocked: Said
  readonly refused: Said
  /** The last prompt that the CLI reported. */
  readonly prompt: { readonly seq: number; readonly text: string }
  readonly turns: ReportedTurns
  readonly reportsWork: boolean
  readonly statusWork: boolean
  /** Since when all views show: a turn runs; it is over; it is over with the idle prompt visible. Else null. */
  readonly busySince: number | null
  readonly overSince: number | null
  readonly restSince: number | null
}

export const noEvidence = (at: number, view: View): DeliveryEvidence => ({
  at,
  seq: 0,
  view,
  problemSeq: 0,
  told: null,
  exited: view.state === "exited",
  screen: null,
  screenSeq: 0,
  frames: 0,
  whole: false,
  showedWork: false,
  quietSince: null,
  userKeyAt: null,
  userKeys: 0,
  typedSeq: 0,
  resizedAt: null,
  resizedSeq: 0,
  workSeq: 0,
  resumed: [],
  entered: [],
  ownTurnSeq: 0,
  modelSeq: 0,
  blocked: nothingSaid,
  refused: nothingSaid,
  prompt: { seq: 0, text: "" },
  turns: nothingReported,
  reportsWork: false,
  statusWork: false,
  busySince: isBusy(view.state) ? at : null,
  overSince: turnOver.has(view.state) ? at : null,
  restSince: null
})

/** `concerns`: the event is about this session. `isStartDue`: a sent prompt has no reported beginning yet. */
export const observe = (
  before: DeliveryEvidence,
  event: SessionEvent,
  view: View,
  concerns = true,
  isStartDue = false
): DeliveryEvidence => {
  const at = Math.max(before.at, event.at)
  const e = withTurns(
    withEvent({ ...before, at, seq: before.seq + 1, view }, event),
    event,
    before,
    concerns,
    isStartDue
  )
  const since = (was: number | null, active: boolean) => (active ? (was ?? at) : null)
  const { screen } = e
  const over = turnOver.has(view.state)
  const free = over && !view.dialog && screen !== null && isIdlePromptVisible(screen)
  return {
    ...e,
    exited: e.exited || view.state === "exited",
    problemSeq: isSameProblem(before.view.problem, view.problem) ? before.problemSeq : e.seq,
    busySince: since(e.busySince, isBusy(view.state)),
    overSince: since(e.overSince, over),
    restSince: since(e.restSince, free)
  }
}

const fillsNoBox: ReadonlySet<KeyKind> = new Set(["enter", "escape", "ctrl-c"])

const isSameProblem = (a: View["problem"], b: View["problem"]): boolean =>
  a === b || (a !== null && b !== null && a.kind === b.kind && a.message === b.message && tellsSameEnd(a, b))

/** Adds an event's report about turns. Events of the CLI's other sessions add nothing. */
const withTurns = (
  e: DeliveryEvidence,
  event: SessionEvent,
  { overSince, screen, view, workSeq }: DeliveryEvidence,
  concerns: boolean,
  isStartDue: boolean
): DeliveryEvidence => {
  const inDialog = (screen !== null && screen.dialog !== null) || view.dialog
  const before = seen(e.turns, false, overSince, e.at)
  const told = concerns ? afterEvent(before, event, e.seq, inDialog, isStartDue) : before
  const now = e.workSeq > workSeq ? workBegan(told) : told
  const turns = seen(now, isBusy(e.view.state), turnOver.has(e.view.state) ? (overSince ?? e.at) : null, e.at)
  if (turns.userEnterSeq === e.seq) return withEnter({ ...e, turns }, overSince !== null)
  return turns === e.turns ? e : { ...e, turns }
}

/** Enter is pressed now. Where the screen shows no work, and has since the last Enter, that turn may be over. */
export const withEnter = (e: DeliveryEvidence, isOver: boolean): DeliveryEvidence =>
  isOver || (e.quietSince !== null && lastOf(e.resumed) > lastOf(e.entered))
    ? { ...e, entered: began(e.entered, e.seq, e.at, e.quietSince) }
    : e

const withEvent = (e: DeliveryEvidence, event: SessionEvent): DeliveryEvidence => {
  switch (event._tag) {
    case "Output": {
      const { screen } = event
      if (screen === null) return { ...e, whole: false }
      const was = e.screen
      const isWork = (screen.working && !e.showedWork) || (screen.title === "work" && was?.title !== "work")
      const isCovered = screen.dialog !== null || screen.picker
      const showedWork = screen.working || (isCovered && e.showedWork)
      const quietSince = screen.working || isCovered ? null : e.showedWork ? e.at : e.quietSince
      const workSeq = isWork ? e.seq : e.workSeq
      const resumed = screen.working && !e.showedWork ? began(e.resumed, e.seq, e.at, e.quietSince) : e.resumed
      // A cover over the box covers these rows too.
      const isHidden = screen.box === null
      const blocked = isHidden ? e.blocked : saidBy(screen.blocked ?? 0, e.blocked, e.seq)
      const refused = isHidden ? e.refused : saidBy(screen.refusals ?? 0, e.refused, e.seq)
      return {
        ...e,
        blocked,
        refused,
        screen,
        screenSeq: e.seq,
        frames: e.frames + 1,
        whole: true,
        showedWork,
        quietSince,
        workSeq,
        resumed
      }
    }
    case "Input":
      if (event.by !== "user" || event.keys.length === 0) return e
      return {
        ...e,
        userKeyAt: e.at,
        userKeys: e.userKeys + 1,
        typedSeq: event.keys.every((key) => fillsNoBox.has(key)) ? e.typedSeq : e.seq
      }
    case "Reported": {
      // Only the root record is about the turn; the others are background work.
      if (event.report.id !== "") return e
      const works = event.report.state === "working" || event.report.state === "blocked"
      return { ...e, reportsWork: works, workSeq: works && !e.reportsWork ? e.seq : e.workSeq }
    }
    case "Signal":
      return withSignal(ofTheModel.has(event.signal._tag) ? { ...e, modelSeq: e.seq } : e, event.signal)
    case "Resize":
      return { ...e, resizedAt: e.at, resizedSeq: e.seq }
    case "Exited":
      return { ...e, exited: true }
    default:
      return e
  }
}

const ofTheModel: ReadonlySet<Signal["_tag"]> = new Set([
  "Asked",
  "ModelActed",
  "Responded",
  "ToolEnded",
  "ToolRan",
  "ToolStarted"
])

const withSignal = (e: DeliveryEvidence, signal: Signal): DeliveryEvidence => {
  switch (signal._tag) {
    case "TurnStarted":
      if (signal.goesOn === true) return { ...e, workSeq: e.seq }
      if (signal.own) return { ...e, ownTurnSeq: e.seq }
      return signal.prompt === null ? { ...e, workSeq: e.seq } : { ...e, prompt: { seq: e.seq, text: signal.prompt } }
    case "ToolStarted":
      return signal.agent === null ? { ...e, workSeq: e.seq } : e
    case "CompactStarted":
      return { ...e, workSeq: e.seq }
    case "TurnFailed":
      return { ...e, told: { failure: signal.message, problem: e.view.problem } }
    case "OwnStatus": {
      const works =
        signal.phase === "work" ||
        (signal.phase === "wait" && (signal.waitingFor === "permission" || signal.waitingFor === "question"))
      return { ...e, statusWork: works, workSeq: works && !e.statusWork ? e.seq : e.workSeq }
    }
    default:
      return e
  }
}

/** CLIs trim, convert and remove blanks and invisible characters, so these are not compared. */
const withoutBlankRuns = (text: string) =>
  text
    .normalize("NFC")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Equal to the reported prompt, apart from blanks; a text of twelve characters or more may also be a part of it. */
export const isPrompt = (prompt: string, text: string): boolean => {
  const [reported, expected] = [withoutBlankRuns(prompt), withoutBlankRuns(text)]
  return reported === expected || (expected.length >= 12 && reported.includes(expected))
}

/** Most words of one are in the other: the prompt may be this text with insertions or omissions. */
export const mayBePrompt = (prompt: string, text: string): boolean => {
  const [reported, expected] = [new Set(words(prompt)), new Set(words(text))]
  const common = [...reported].filter((word) => expected.has(word)).length
  return common * 2 > Math.min(reported.size, expected.size)
}

const words = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
