import { applyReport, noRecords, processExited, type StatusRecord, type StatusRecords } from "./ProgramStatus.ts"
import { blankFacts, type ScreenFacts } from "./Screen.ts"
import type { BackgroundTask, ExitStatus, Modes, Problem, SessionState } from "./Session.ts"
import type { KeyKind, SessionEvent } from "./SessionEvent.ts"
import type { Signal } from "./Signal.ts"

type When = number | null

/** Since when the screen has shown something without a break; null while it does not show it. */
export interface Shown {
  readonly box: When
  readonly emptyBox: When
  readonly draft: When
  readonly dialog: When
  /** When the last dialog went. */
  readonly dialogUntil: When
  readonly picker: When
  readonly working: When
  /** The box, and nothing that works or asks. */
  readonly quiet: When
  readonly interrupted: When
  readonly titleWork: When
  readonly titleRest: When
  readonly titleAsk: When
}

/**
 * All that is remembered of a session: what is true, and when it became true. Times are milliseconds since the epoch;
 * null is never. Nothing here means one thing or another depending on how it came about.
 */
export interface Facts {
  readonly at: number
  readonly modes: Modes
  readonly exit: ExitStatus | null

  /** The last whole frame. */
  readonly screen: ScreenFacts
  readonly shown: Shown
  /** The last time that any source said or showed that the CLI works on a turn of its own. */
  readonly workedAt: When
  /** The last time that the CLI's own word became one of rest: its program status, or its status file where it reports none. */
  readonly restedAt: When
  /** The last frame that showed a failed request being tried again. */
  readonly retriedAt: When
  /** The first frame with an input box. */
  readonly firstBoxAt: When
  readonly outputAt: When
  readonly resizedAt: When

  readonly userKeyAt: When
  /** The last text or paste, by anyone. */
  readonly typedAt: When
  /** The last key that may have answered what the CLI showed. */
  readonly chosenAt: When
  readonly submitted: Submission | null
  /** An interrupt key while the CLI worked or asked, with no sign since then that it went on regardless. */
  readonly stop: { readonly at: number; readonly during: SessionState } | null
  readonly sendAt: When

  readonly turnStartedAt: When
  readonly turnEndedAt: When
  readonly turnFailedAt: When
  /** Background work that the CLI named when the last turn ended; null when it named none. */
  readonly turnTasks: ReadonlyArray<BackgroundTask> | null
  readonly asked: { readonly at: number; readonly kind: string; readonly message: string | null } | null
  readonly answeredAt: When
  readonly toolEndedAt: When
  readonly compactStartedAt: When
  readonly compactEndedAt: When
  /** The hook that spoke last, as it names itself. */
  readonly hook: string | null

  /** The CLI's own status file. */
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
export const initial = (at: number, modes: Modes): Facts => ({
  at,
  modes,
  exit: null,
  screen: blankFacts,
  shown: {
    box: null, emptyBox: null, draft: null, dialog: null, dialogUntil: null, picker: null, working: null, quiet: null, interrupted: null,
    titleWork: null, titleRest: null, titleAsk: null
  },
  workedAt: null,
  restedAt: null,
  retriedAt: null,
  firstBoxAt: null,
  outputAt: null,
  resizedAt: null,
  userKeyAt: null,
  typedAt: null,
  chosenAt: null,
  submitted: null,
  stop: null,
  sendAt: null,
  turnStartedAt: null,
  turnEndedAt: null,
  turnFailedAt: null,
  turnTasks: null,
  asked: null,
  answeredAt: null,
  toolEndedAt: null,
  compactStartedAt: null,
  compactEndedAt: null,
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
/** How long typed text may take to show in the box. */
const echoLag = 1_500

/** Takes one event in. `state` is what the session was doing when it came. Total: no event is refused. */
export const fold = (facts: Facts, event: SessionEvent, state: SessionState): Facts => {
  const now = Math.max(facts.at, event.at)
  const at: Facts = facts.at === now ? facts : { ...facts, at: now }
  switch (event._tag) {
    case "Output":
      return event.screen === null ? { ...at, outputAt: now } : foldScreen({ ...at, outputAt: now }, event.screen, now)
    case "Input":
      return foldInput(at, event.keys, event.by, now, state)
    case "Signaled":
      return foldSignal(at, event.signal, event.source, now, state)
    case "Reported":
      return foldReport(at, applyReport(at.records, event.report), now)
    case "Send":
      return { ...at, sendAt: now, stop: null }
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
    restedAt: !same && root !== null && root.state !== "working" && root.state !== "blocked" ? now : facts.restedAt
  }
}

const foldScreen = (facts: Facts, screen: ScreenFacts, now: number): Facts => {
  const was = facts.shown
  const held = (before: number | null, shows: boolean) => shows ? before ?? now : null
  const { box, dialog, picker, working } = screen
  return {
    ...facts,
    screen,
    shown: {
      box: held(was.box, box !== null),
      emptyBox: held(was.emptyBox, box !== null && box.draft === ""),
      draft: held(was.draft, box !== null && box.draft !== ""),
      dialog: held(was.dialog, dialog !== null),
      dialogUntil: was.dialog !== null && dialog === null ? now : was.dialogUntil,
      picker: held(was.picker, picker),
      working: held(was.working, working),
      quiet: held(was.quiet, box !== null && !working && dialog === null),
      interrupted: held(was.interrupted, screen.interrupted),
      titleWork: held(was.titleWork, screen.title === "work"),
      titleRest: held(was.titleRest, screen.title === "rest"),
      titleAsk: held(was.titleAsk, screen.title === "ask")
    },
    workedAt: working || screen.title === "work" ? now : facts.workedAt,
    retriedAt: working && /\bretry/i.test(screen.activity ?? "") ? now : facts.retriedAt,
    firstBoxAt: facts.firstBoxAt ?? (box === null ? null : now),
    stop: facts.stop !== null && working && now > facts.stop.at + stopGrace ? null : facts.stop
  }
}

const interrupts: ReadonlySet<KeyKind> = new Set(["escape", "ctrl-c"])
const types: ReadonlySet<KeyKind> = new Set(["text", "paste"])
const chooses: ReadonlySet<KeyKind> = new Set(["text", "enter", "escape", "ctrl-c"])

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
  // While leap types there is nothing to stop yet.
  const typing = state === "running" && facts.sendAt !== null && facts.sendAt > lastWork
  const working = !typing && (state === "running" || state === "needs_permission" || state === "needs_input")
  const next = {
    ...facts,
    userKeyAt: by === "user" ? now : facts.userKeyAt,
    typedAt: keys.some((key) => types.has(key)) ? now : facts.typedAt,
    chosenAt: keys.some((key) => chooses.has(key)) ? now : facts.chosenAt,
    stop: working && keys.some((key) => interrupts.has(key)) ? { at: now, during: state } : facts.stop
  }
  if (!keys.includes("enter")) return next
  // An answer takes back what was pressed before it.
  if (dialog !== null) return { ...next, stop: null }
  if (box === null) return next
  const command = box.draft.startsWith("/")
  // Enter takes a suggestion from a menu over the box, and a backslash before it makes a new line.
  if ((picker && !command) || box.draft.endsWith("\\")) return next
  const after = facts.submitted?.at ?? -Infinity
  const unseen = next.typedAt !== null && next.typedAt > after && now - next.typedAt <= echoLag
  if (box.draft === "" && !unseen) return next
  return { ...next, submitted: { at: now, command, ahead: working }, stop: working ? next.stop : null }
}

const turning: ReadonlySet<SessionState> = new Set(["running", "needs_permission", "needs_input"])
const fresh: ReadonlySet<string> = new Set(["startup", "resume", "clear"])

const foldSignal = (facts: Facts, signal: Signal, source: string, now: number, state: SessionState): Facts => {
  const from = { ...facts, hook: source }
  switch (signal._tag) {
    case "SessionStarted":
      return {
        ...from,
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
        toolEndedAt: signal._tag === "ToolEnded" ? now : facts.toolEndedAt,
        // A subagent's tools say nothing of the session's own turn.
        stop: signal.agent === null && facts.stop !== null && now > facts.stop.at + stopGrace ? null : facts.stop
      }
    case "Asked":
      return { ...from, asked: { at: now, kind: signal.kind, message: signal.message } }
    case "Answered":
      return { ...from, answeredAt: now }
    case "TurnEnded":
      return { ...from, turnEndedAt: now, turnTasks: signal.background, lastResponse: signal.response ?? facts.lastResponse }
    case "TurnFailed":
      return { ...from, turnFailedAt: now, turnTasks: null, problem: signal.problem, problemAt: now }
    case "Interrupted": {
      // a stop that leap did not see; one written down late, after the next prompt, is of the turn before
      const since = Math.max(facts.turnStartedAt ?? 0, facts.submitted?.at ?? 0, facts.sendAt ?? 0)
      return facts.stop === null && turning.has(state) && signal.at > since ? { ...from, stop: { at: now, during: state } } : facts
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
        workedAt: phase === "work" ? now : facts.workedAt,
        restedAt: !same && phase === "rest" && rootRecord(facts.records) === null ? now : facts.restedAt,
        sessionId: sessionId ?? facts.sessionId
      }
    }
    case "Ignored":
      return facts
  }
}
