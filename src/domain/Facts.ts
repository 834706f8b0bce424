import { screenShowsSelectionDialog } from "./ArrowGate.ts"
import { backgroundWorkState } from "./BackgroundWork.ts"
import { composing } from "./Composing.ts"
import { dated } from "./ProblemText.ts"
import { applyReport, noRecords, processExited, type StatusRecord, type StatusRecords } from "./ProgramStatus.ts"
import { blankFacts, type Dialog, type ScreenFacts } from "./Screen.ts"
import type { BackgroundTask, ExitStatus, Modes, Problem, SessionState } from "./Session.ts"
import type { KeyKind, SessionEvent } from "./SessionEvent.ts"
import { limits } from "./rules/limits.ts"
import { isAside, noSessions, seen, type SessionsSeen } from "./SessionsSeen.ts"
import type { Signal } from "./Signal.ts"
import { textShape } from "./TextShape.ts"

type When = number | null

/** Since when the screen has shown something without a break; null while it does not show it. */
export interface Shown {
  readonly box: When
  readonly emptyBox: When
  readonly draft: When
  readonly dialog: When
  /** The same question: one dialog may follow another in the same place. */
  readonly question: When
  /** When the last dialog went. */
  readonly dialogUntil: When
  readonly picker: When
  /** When the last picker, or other view of the CLI, went. */
  readonly pickerUntil: When
  readonly working: When
  /** The box, and nothing that works or asks. */
  readonly quiet: When
  readonly interrupted: When
  readonly titleWork: When
  readonly titleRest: When
  readonly titleAsk: When
}

/** What stands where the screen would tell of work: unsent text, a mode of the box, something opened over it. */
export interface Covered {
  readonly since: number
  /** Until then the screen told of work. */
  readonly working: boolean
}

/**
 * All that is remembered of a session: what is true, and when it became true. Times are milliseconds since the epoch;
 * null is never. Nothing here means one thing or another depending on how it came about.
 */
export interface Facts {
  readonly at: number
  readonly modes: Modes
  /** The CLI's time zone (`Europe/Zurich`): its texts tell times of day in it. */
  readonly zone: string
  readonly exit: ExitStatus | null

  /** The last whole frame. */
  readonly screen: ScreenFacts
  /** A frame without anything that the CLI must show, and since when: half drawn, unless it stays. */
  readonly torn: { readonly since: number; readonly screen: ScreenFacts } | null
  readonly shown: Shown
  readonly covered: Covered | null
  /** The last count of background work that the screen told for certain, and when it last did. */
  readonly background: { readonly at: number; readonly count: number } | null
  /** The last time that any source said or showed that the CLI works on a turn of its own. */
  readonly workedAt: When
  /** The CLI itself has once said or shown that it works. */
  readonly hasWorked: boolean
  /** The last time that the CLI's own word became one of rest: its program status, or its status file where it reports none. */
  readonly restedAt: When
  /** The last time that its program status told of the end of a turn. Some take that back with the next key. */
  readonly finishedAt: When
  /** The last frame that showed a failed request being tried again. */
  readonly retriedAt: When
  /** The last span in which the screen showed rest, as of the frame after it; null before the first. */
  readonly rest: { readonly since: number; readonly until: number } | null
  /** When the session was first found at rest after its last work. */
  readonly foundRestAt: When
  /** The first frame with an input box. */
  readonly firstBoxAt: When
  readonly outputAt: When
  readonly resizedAt: When

  readonly userKeyAt: When
  /** The user's last key that neither writes nor moves: such keys open views. */
  readonly viewKeyAt: When
  /** The last text or paste, by anyone. */
  readonly typedAt: When
  /** The last key that may have answered what the CLI showed. */
  readonly chosenAt: When
  readonly submitted: Submission | null
  /**
   * An interrupt key (or a choice that ends the turn) while the CLI worked or asked, with no sign since then that it went on
   * regardless. `told`: the CLI has said, or drawn, that the turn was stopped. `early`: nothing had yet said that it worked on what leap
   * had begun to type, or what was open takes such keys for itself, so that only the screen or the CLI can confirm it.
   */
  readonly stop: { readonly at: number; readonly during: SessionState; readonly told?: boolean; readonly early?: boolean } | null
  /** What the last key changed, as it was before: that key may turn out to be the beginning of another. */
  readonly beforeKey: KeyMarks | null
  /** The last Enter in a dialog (or word of leap's that it types, over one), and what the dialog was. */
  readonly entered: { readonly at: number; readonly dialog: Dialog } | null
  readonly sendAt: When

  readonly turnStartedAt: When
  /** The start of the turn that was last seen to be over, with or without a word of its end. */
  readonly turnOverAt: When
  /** The start of the last turn whose prompt came back into the box by itself: nothing was made of it. */
  readonly takenBackAt: When
  readonly turnEndedAt: When
  readonly turnFailedAt: When
  /** A request of the present turn failed, and nothing has come of it since. */
  readonly failedRequest: { readonly at: number; readonly problem: Problem | null } | null
  /** Background work that the CLI named when the last turn ended; null when it named none. */
  readonly turnTasks: ReadonlyArray<BackgroundTask> | null
  readonly asked: { readonly at: number; readonly kind: string; readonly message: string | null } | null
  /** What is asked for and not answered yet, where the CLI names its questions. */
  readonly asking: ReadonlyArray<Asking>
  readonly answeredAt: When
  readonly toolEndedAt: When
  readonly compactStartedAt: When
  readonly compactEndedAt: When
  readonly sessions: SessionsSeen
  /** The hook that spoke last, as it names itself. */
  readonly hook: string | null

  /** The CLI's own status, as its status file or its events tell it. */
  readonly own: OwnClaim | null
  /** Program-status records, and since when the root has had its state and kind. */
  readonly records: StatusRecords
  readonly toldSince: When

  readonly sessionId: string | null
  readonly transcriptPath: string | null
  readonly lastPrompt: string | null
  readonly lastResponse: string | null
  readonly problem: Problem | null
  readonly problemAt: When
}

/** What one key changes by itself, and by what it is taken for. */
export type KeyMarks = Pick<Facts, "typedAt" | "chosenAt" | "stop" | "turnOverAt" | "foundRestAt">

/** A question of the CLI's that has a name. */
export interface Asking {
  readonly id: string
  readonly at: number
  readonly kind: string
  readonly message: string | null
}

/** The last Enter that sent what was in the box. */
export interface Submission {
  readonly at: number
  /** A command of the CLI (`/…`), which may start no turn. */
  readonly command: boolean
  /** A turn was running: the CLI keeps the text until it is over. */
  readonly ahead: boolean
}

/** What the CLI's own status file says, and since when it has said so. */
export interface OwnClaim {
  readonly since: number
  readonly source: string
  readonly phase: "work" | "rest" | "wait" | "gone"
  readonly waitingFor: "permission" | "question" | "dialog" | null
  readonly background: boolean
  readonly word: string
}

/** A session of which nothing is known but its beginning. */
export const initial = (at: number, modes: Modes, zone: string): Facts => ({
  at,
  modes,
  zone,
  exit: null,
  screen: blankFacts,
  torn: null,
  shown: {
    box: null, emptyBox: null, draft: null, dialog: null, question: null, dialogUntil: null, picker: null, pickerUntil: null, working: null, quiet: null, interrupted: null,
    titleWork: null, titleRest: null, titleAsk: null
  },
  covered: null,
  background: null,
  workedAt: null,
  hasWorked: false,
  restedAt: null,
  finishedAt: null,
  retriedAt: null,
  rest: null,
  foundRestAt: null,
  firstBoxAt: null,
  outputAt: null,
  resizedAt: null,
  userKeyAt: null,
  viewKeyAt: null,
  typedAt: null,
  chosenAt: null,
  submitted: null,
  stop: null,
  beforeKey: null,
  entered: null,
  sendAt: null,
  turnStartedAt: null,
  turnOverAt: null,
  takenBackAt: null,
  turnEndedAt: null,
  turnFailedAt: null,
  failedRequest: null,
  turnTasks: null,
  asked: null,
  asking: [],
  answeredAt: null,
  toolEndedAt: null,
  compactStartedAt: null,
  compactEndedAt: null,
  sessions: noSessions,
  hook: null,
  own: null,
  records: noRecords,
  toldSince: null,
  sessionId: null,
  transcriptPath: null,
  lastPrompt: null,
  lastResponse: null,
  problem: null,
  problemAt: null
})

/** After an interrupt key the CLI may draw a frame or two more; work seen later than this went on regardless. */
export const stopGrace = 1_500
/** Redrawing a screen in several writes takes no longer than this. */
const tornLimit = 250
/** The same after a resize, which a CLI may be slow to answer. */
const resizedLimit = 1_500

/** Until when a half drawn screen is not believed. */
export const tornUntil = ({ resizedAt, torn }: Facts): number =>
  torn === null ? -Infinity : Math.max(torn.since + tornLimit, resizedAt !== null && torn.since - resizedAt <= resizedLimit ? resizedAt + resizedLimit : 0)

/** Takes one event in. `state` is what the session was doing when it came. Total: no event is refused. */
export const fold = (facts: Facts, event: SessionEvent, state: SessionState): Facts => {
  const now = Math.max(facts.at, event.at)
  const at = settled(facts.at === now ? facts : { ...facts, at: now }, now)
  switch (event._tag) {
    case "Output":
      return event.screen === null ? { ...at, outputAt: now } : foldFrame({ ...at, outputAt: now }, event.screen, now)
    case "Input":
      return foldInput(event.continues === true ? withoutLastKey(at) : at, event.keys, event.by, now, state)
    case "Signaled":
      return foldSignal(at, event.signal, event.source, now, state)
    case "Reported":
      return foldReport(at, applyReport(at.records, event.report), now)
    case "Send":
      return { ...at, sendAt: now, stop: null, entered: at.screen.dialog === null ? at.entered : { at: now, dialog: at.screen.dialog } }
    case "Resize":
      return { ...at, resizedAt: now }
    case "ModesChanged":
      return { ...at, modes: event.modes }
    case "Tick":
      return at
    case "Exited":
      return { ...at, exit: event.exit, records: processExited(at.records) }
  }
}

/** A turn that was found to be over stays so: what is drawn afterwards, a picker say, does not make it go on. */
export const concluded = (facts: Facts, state: SessionState): Facts => {
  if (state !== "idle" && state !== "interrupted") return facts
  const found = facts.workedAt !== null && (facts.foundRestAt === null || facts.foundRestAt < facts.workedAt)
  if (!found && facts.turnOverAt === facts.turnStartedAt) return facts
  return { ...facts, turnOverAt: facts.turnStartedAt, foundRestAt: found ? facts.at : facts.foundRestAt }
}

/** The record of the program itself; the others are work that it lists beside its own turn. */
export const rootRecord = (records: StatusRecords): StatusRecord | null => records.find(({ id }) => id === "") ?? null

const foldReport = (facts: Facts, records: StatusRecords, now: number): Facts => {
  const was = rootRecord(facts.records)
  const root = rootRecord(records)
  const same = was !== null && root !== null && was.state === root.state && was.kind === root.kind
  const auth = root?.state === "blocked" && root.kind === "auth"
  const over = facts.problem?.kind === "auth" && was?.kind === "auth" && !auth
  return {
    ...facts,
    problem: auth ? { kind: "auth", message: root.message ?? "log in first", until: null } : over ? null : facts.problem,
    problemAt: auth && !same ? now : over ? null : facts.problemAt,
    records,
    toldSince: same ? facts.toldSince : root === null ? null : now,
    workedAt: root?.state === "working" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || root?.state === "working",
    restedAt: !same && root !== null && root.state !== "working" && root.state !== "blocked" ? now : facts.restedAt,
    finishedAt: !same && (root?.state === "done" || root?.state === "error") ? now : facts.finishedAt
  }
}

/** What the user can type into or choose from: after its start a CLI always shows one of these. */
const isFilled = (screen: ScreenFacts): boolean => screen.box !== null || screenShowsSelectionDialog(screen)

/**
 * A frame with none of these is mostly a terminal read in the middle of a redraw: what was there before is believed until
 * the rest of the frame comes, or the limit.
 */
const foldFrame = (facts: Facts, screen: ScreenFacts, now: number): Facts =>
  isFilled(screen) || facts.firstBoxAt === null || !isFilled(facts.screen)
    ? foldScreen({ ...facts, torn: null }, screen, now)
    : { ...facts, torn: { since: facts.torn?.since ?? now, screen } }

const settled = (facts: Facts, now: number): Facts =>
  facts.torn === null || now < tornUntil(facts) ? facts : foldScreen({ ...facts, torn: null }, facts.torn.screen, now)

const foldScreen = (facts: Facts, screen: ScreenFacts, now: number): Facts => {
  const was = facts.shown
  const held = (before: number | null, shows: boolean) => shows ? before ?? now : null
  const { box, dialog, picker, working } = screen
  const rested = facts.screen.resting === true ? was.quiet : was.quiet === null || was.emptyBox === null ? null : Math.max(was.quiet, was.emptyBox)
  return {
    ...facts,
    screen,
    rest: rested === null ? facts.rest : { since: rested, until: now },
    shown: {
      box: held(was.box, box !== null),
      emptyBox: held(was.emptyBox, box !== null && box.draft === ""),
      draft: held(was.draft, box !== null && box.draft !== ""),
      dialog: held(was.dialog, dialog !== null),
      question: held(asksTheSame(facts.screen.dialog, dialog) ? was.question : null, dialog !== null),
      dialogUntil: was.dialog !== null && dialog === null ? now : was.dialogUntil,
      picker: held(was.picker, picker),
      pickerUntil: was.picker !== null && !picker ? now : was.pickerUntil,
      working: held(was.working, working),
      quiet: held(was.quiet, box !== null && !working && dialog === null),
      interrupted: held(was.interrupted, screen.interrupted),
      titleWork: held(was.titleWork, screen.title === "work"),
      titleRest: held(was.titleRest, screen.title === "rest"),
      titleAsk: held(was.titleAsk, screen.title === "ask")
    },
    covered: covers(screen) ? facts.covered ?? { since: now, working: toldWork(facts, now) } : null,
    background: backgroundWorkState(screen) === "unknown" ? facts.background : { at: now, count: screen.background ?? 0 },
    workedAt: working || screen.title === "work" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || working || screen.title === "work",
    retriedAt: working && /\bretry/i.test(screen.activity ?? "") ? now : facts.retriedAt,
    firstBoxAt: facts.firstBoxAt ?? (box === null ? null : now),
    takenBackAt: was.draft === null && box !== null && takenBack(facts, box.draft) ? facts.turnStartedAt : facts.takenBackAt,
    stop: newWork(facts, screen) ? null : stopSeen(facts.stop, screen, held(was.interrupted, screen.interrupted), now)
  }
}

/** What is selected or ticked in it may have changed. */
const asksTheSame = (was: Dialog | null, dialog: Dialog | null): boolean => was?.kind === dialog?.kind && was?.title === dialog?.title

/** The CLI's line of it, once drawn, proves a stop for good; work seen long after the key, with no such line at its end, disproves it. */
const stopSeen = (stop: Facts["stop"], { interrupted, working }: ScreenFacts, line: When, now: number): Facts["stop"] => {
  if (stop === null || working && !interrupted && now > stop.at + stopGrace) return null
  return stop.told !== true && line !== null && line >= stop.at ? { ...stop, told: true } : stop
}

/** The user has pressed something under the interrupt line, and it has given way to work: that is another turn. */
const newWork = ({ shown, stop, userKeyAt }: Facts, { interrupted, working }: ScreenFacts): boolean =>
  stop?.told === true && working && !interrupted && shown.interrupted !== null && userKeyAt !== null && userKeyAt > shown.interrupted

const covers = ({ box, dialog, mute, picker, working }: ScreenFacts): boolean =>
  !working && dialog === null && (box === null ? picker : box.draft !== "" || mute === true)

/** The frame before told of work; between two phases of a turn it may have told nothing. */
const toldWork = ({ screen, workedAt }: Facts, now: number): boolean =>
  screen.working || screen.title === "work" || workedAt !== null && now - workedAt <= limits.draft

/** What has come into the box is the prompt of the present turn, and nobody typed it there. */
const takenBack = ({ lastPrompt, turnStartedAt, typedAt }: Facts, draft: string): boolean =>
  turnStartedAt !== null && lastPrompt !== null && (typedAt ?? -Infinity) < turnStartedAt &&
  textShape(draft) !== "" && textShape(draft) === textShape(lastPrompt)

/** A login, or a question of trust: it stands before or beside turns. */
const isGate = (dialog: Dialog | null): boolean => dialog?.kind === "login" || dialog?.kind === "trust"

const interrupts: ReadonlySet<KeyKind> = new Set(["escape", "ctrl-c"])
const types: ReadonlySet<KeyKind> = new Set(["text", "paste"])
const chooses: ReadonlySet<KeyKind> = new Set(["text", "enter", "escape", "ctrl-c"])

/** The last key was none by itself. */
const withoutLastKey = (facts: Facts): Facts => ({ ...facts, ...facts.beforeKey, beforeKey: null })

const foldInput = (
  facts: Facts,
  keys: ReadonlyArray<KeyKind>,
  by: "user" | "leap",
  now: number,
  state: SessionState
): Facts => {
  if (keys.length === 0) return facts
  const { dialog, picker, box } = facts.screen
  const lastWork = Math.max(facts.workedAt ?? 0, facts.turnStartedAt ?? 0, facts.submitted?.at ?? 0)
  // While leap types there is nothing to stop yet, as far as leap can tell.
  const typing = state === "running" && facts.sendAt !== null && facts.sendAt > lastWork
  const working = !typing && (state === "running" || state === "needs_permission" || state === "needs_input")
  const marks = (keys: ReadonlyArray<KeyKind>) => {
    const stops = dialog?.declines !== true && keys.some((key) => interrupts.has(key))
    return {
      typedAt: keys.some((key) => types.has(key)) ? now : facts.typedAt,
      chosenAt: keys.some((key) => chooses.has(key)) ? now : facts.chosenAt,
      // What is no part of the turn takes the key for itself, unless the CLI says otherwise.
      stop: stops && working ? { at: now, during: state, ...picker || isGate(dialog) ? { early: true } : {} } : stops && typing && by === "user" ? { at: now, during: state, early: true } : facts.stop
    }
  }
  const next = {
    ...facts,
    ...marks(keys),
    beforeKey: by === "user" ? { ...marks(keys.slice(0, -1)), turnOverAt: facts.turnOverAt, foundRestAt: facts.foundRestAt } : null,
    userKeyAt: by === "user" ? now : facts.userKeyAt,
    viewKeyAt: by === "user" && keys.at(-1) === "other" ? now : facts.viewKeyAt
  }
  if (!keys.includes("enter")) return next
  // An answer takes back what was pressed before it.
  if (dialog !== null) {
    const ends = dialog.options.some(({ endsTurn, selected }) => selected && endsTurn === true)
    const goesOn = dialog.options.some(({ open, selected }) => selected && open === true)
    // In a form without choices it goes on to the next field.
    return { ...next, entered: dialog.options.length === 0 || goesOn ? null : { at: now, dialog }, stop: ends ? { at: now, during: state } : null }
  }
  if (box === null) return next
  const command = box.draft.startsWith("/")
  // Enter takes a suggestion from a menu over the box, and a backslash before it makes a new line.
  if ((picker && !command) || box.draft.endsWith("\\")) return next
  if (!composing({ screen: facts.screen, typedAt: next.typedAt, submittedAt: facts.submitted?.at ?? null }, now)) return next
  return { ...next, submitted: { at: now, command, ahead: working }, stop: working ? next.stop : null }
}

/** No CLI asks for more at once. */
const askingLimit = 100

const turning: ReadonlySet<SessionState> = new Set(["running", "needs_permission", "needs_input"])
const fresh: ReadonlySet<string> = new Set(["startup", "resume", "clear"])

const foldSignal = (before: Facts, signal: Signal, source: string, now: number, state: SessionState): Facts => {
  const sessions = seen(before.sessions, signal)
  const facts = sessions === before.sessions ? before : { ...before, sessions }
  if (isAside(sessions, signal)) return facts
  const from = { ...facts, hook: source }
  switch (signal._tag) {
    case "SessionStarted":
      return {
        // To be named again says nothing of the state.
        ...fresh.has(signal.source) ? from : facts,
        // A new conversation has no turn and nothing stopped; `compact` goes on with the old one, `turn` only names it again.
        turnStartedAt: fresh.has(signal.source) ? null : facts.turnStartedAt,
        stop: fresh.has(signal.source) ? null : facts.stop,
        sessionId: signal.sessionId ?? facts.sessionId,
        transcriptPath: signal.transcriptPath ?? facts.transcriptPath
      }
    case "SessionEnded":
      return from
    case "TurnStarted":
      return {
        ...from,
        turnStartedAt: now,
        failedRequest: null,
        asking: [],
        workedAt: now,
        stop: null,
        problem: null,
        problemAt: null,
        lastPrompt: signal.own ? facts.lastPrompt : signal.prompt ?? facts.lastPrompt
      }
    case "ToolStarted":
    case "ToolEnded":
      return {
        ...from,
        failedRequest: signal.agent === null ? null : facts.failedRequest,
        toolEndedAt: signal._tag === "ToolEnded" ? now : facts.toolEndedAt,
        // A subagent's tools say nothing of the session's own turn.
        stop: signal.agent === null && facts.stop !== null && now > facts.stop.at + stopGrace ? null : facts.stop
      }
    case "Asked":
      return {
        ...from,
        asked: { at: now, kind: signal.kind, message: signal.message },
        asking: signal.id === undefined ? facts.asking : [
          ...facts.asking.filter(({ id }) => id !== signal.id),
          { id: signal.id, at: now, kind: signal.kind, message: signal.message }
        ].slice(-askingLimit)
      }
    case "Answered":
      return {
        ...from,
        answeredAt: now,
        asking: facts.asking.filter(({ id }) => id !== signal.id),
        // what it says from here on is news
        own: signal.id === undefined || facts.own === null ? facts.own : { ...facts.own, since: now }
      }
    case "TurnEnded":
      return { ...from, turnEndedAt: now, asking: [], failedRequest: null, turnTasks: signal.background, lastResponse: signal.response ?? facts.lastResponse }
    case "TurnFailed":
      return {
        ...from,
        turnFailedAt: now,
        failedRequest: null,
        turnTasks: null,
        problem: signal.problem === null ? null : dated(signal.problem, now, facts.zone),
        problemAt: now
      }
    case "RequestFailed":
      return { ...from, failedRequest: { at: now, problem: signal.problem === null ? null : dated(signal.problem, now, facts.zone) } }
    case "Responded":
      return { ...from, failedRequest: null, lastResponse: signal.text }
    case "Interrupted": {
      // a stop that leap did not see; one written down late, after the next prompt, is of the turn before
      const since = Math.max(facts.turnStartedAt ?? 0, facts.submitted?.at ?? 0, facts.sendAt ?? 0)
      if ((signal.at ?? now) < since || facts.stop === null && (!turning.has(state) || signal.at === since)) return facts
      return { ...from, asking: [], stop: { at: facts.stop?.at ?? now, during: facts.stop?.during ?? state, told: true } }
    }
    case "CompactStarted":
      return { ...from, compactStartedAt: now, workedAt: now }
    case "CompactEnded":
      return { ...from, compactEndedAt: now }
    case "OwnStatus": {
      const { background, phase, sessionId, waitingFor, word } = signal
      const was = facts.own
      const same = was !== null && was.phase === phase && was.waitingFor === waitingFor && was.background === background
      return {
        ...facts,
        own: { since: same ? was.since : now, source, phase, waitingFor, background, word },
        asking: phase === "rest" || phase === "gone" ? [] : facts.asking,
        workedAt: phase === "work" ? now : facts.workedAt,
        hasWorked: facts.hasWorked || phase === "work",
        restedAt: !same && phase === "rest" && rootRecord(facts.records) === null ? now : facts.restedAt,
        sessionId: sessionId ?? facts.sessionId
      }
    }
    case "Ignored":
      return facts
  }
}
