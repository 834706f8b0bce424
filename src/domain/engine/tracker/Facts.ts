import { noRecords, type StatusRecord, type StatusRecords } from "../../words/session/ProgramStatus.ts"
import { blankFacts, type Dialog, type ScreenFacts } from "../../words/session/Screen.ts"
import type {
  BackgroundTask,
  ExitStatus,
  Modes,
  Problem,
  SessionState,
  UnknownLayout
} from "../../words/session/Session.ts"
import { type HookWitness, noWitness, type When } from "./HookWitness.ts"
import { noSessions, type SessionsSeen } from "./SessionsSeen.ts"

export type { When } from "./HookWitness.ts"

/** For each thing that a screen can show: since when every frame has shown it; null while the last frame does not. */
export interface VisibleSince {
  readonly box: When
  readonly emptyBox: When
  readonly draft: When
  readonly dialog: When
  /** A dialog of the same kind and title: one dialog may follow another in the same place. */
  readonly question: When
  readonly picker: When
  readonly working: When
  /** The box, with no running indicator and no dialog. */
  readonly quiet: When
  readonly interrupted: When
  readonly titleWork: When
  readonly titleRest: When
  readonly titleAsk: When
}

/** The running indicator has no room on screen: unsent text, a mode of the box or a picker takes its place. */
export interface Covered {
  readonly since: number
  /** The indicator, or the title, showed work until then. */
  readonly working: boolean
}

/**
 * All that is remembered of a session: what is true, and when it became true. Times are milliseconds since the epoch;
 * null is never. No field means one thing or another depending on how it came about.
 */
export interface Facts {
  readonly at: number
  readonly modes: Modes
  readonly unknownLayout: UnknownLayout
  /** The CLI's time zone (`Europe/Zurich`): times of day in its texts are in this zone. */
  readonly zone: string
  readonly exit: ExitStatus | null

  /** The last whole frame. */
  readonly screen: ScreenFacts
  /** A frame with no box, dialog or picker, and since when: taken for half drawn until it has stood for a while. */
  readonly torn: { readonly since: number; readonly screen: ScreenFacts } | null
  readonly visibleSince: VisibleSince
  /** The frame in which the last dialog was gone. */
  readonly dialogClosedAt: When
  /** The frame in which the last picker, or other view of the CLI, was gone. */
  readonly pickerClosedAt: When
  readonly covered: Covered | null
  /** The last count of background work that was read for certain, and the last frame with it. */
  readonly background: { readonly at: number; readonly count: number } | null
  /** The last time that any source reported or showed work on a turn of the CLI's own. */
  readonly workedAt: When
  /** The CLI itself has reported or shown work at least once. */
  readonly hasWorked: boolean
  /**
   * The last time that the CLI's report changed to rest: its program status, or its status file where it has no program
   * status.
   */
  readonly reportedRestAt: When
  /** The last time that its program status reported the end of a turn. Some CLIs withdraw that with the next key. */
  readonly reportedDoneAt: When
  /**
   * The first and the last frame of a run in which text was added above the box, with no sign of work on screen for a
   * while before: in one frame a screen is drawn anew, in several text is being written.
   */
  readonly growth: { readonly since: number; readonly at: number } | null
  /** Since when the CLI's own reader has recognized nothing on screen. */
  readonly unknownSince: When
  /** The last frame in which anything moved above the box, or in a row of work below it. */
  readonly movedAt: When
  /** The picture in which what looks like a running indicator was found to be text; null for none. */
  readonly text: number | null
  /** The last frame that showed a failed request being tried again. */
  readonly retriedAt: When
  /** The last span in which the screen showed rest, as of the frame after it; null before the first. */
  readonly rest: { readonly since: number; readonly until: number } | null
  /** When the session was first classified as resting after its last work. */
  readonly foundRestAt: When
  /** The first frame with an input box. */
  readonly firstBoxAt: When
  readonly outputAt: When
  readonly resizedAt: When

  readonly userKeyAt: When
  /** The user's last Enter in the CLI itself that sent what was in its box. */
  readonly promptedAt: When
  /** The user's last key that neither writes nor moves: such keys open views. */
  readonly viewKeyAt: When
  /** The last text or paste, by anyone. */
  readonly typedAt: When
  /** The last key that may have answered a dialog: text, Enter, Escape or Ctrl+C. */
  readonly answerKeyAt: When
  readonly submitted: Submission | null
  /**
   * An interrupt key (or a choice that ends the turn) while the CLI worked or asked, with no sign since then that the
   * turn went on. `confirmed`: the CLI has reported or drawn the interrupt. `needsConfirmation`: the key may have had
   * another effect (no source had reported work on what leap had begun to type, or what was open takes such keys), so
   * that only the screen or the CLI can confirm the interrupt. `stoppingAt`: when the screen last showed that the turn
   * is being stopped.
   */
  readonly stop: {
    readonly at: number
    readonly during: SessionState
    readonly confirmed?: boolean
    readonly stoppingAt?: number
    readonly needsConfirmation?: boolean
  } | null
  /** What the last key changed, as it was before: that key may turn out to be the first byte of another. */
  readonly beforeKey: KeyMarks | null
  /** The last Enter in a dialog (or message of leap's typed over one), and the dialog. */
  readonly dialogEnter: { readonly at: number; readonly dialog: Dialog } | null
  readonly sendAt: When

  readonly turnStartedAt: When
  /** `turnStartedAt` of the last turn that was classified as over, whether or not its end was reported. */
  readonly concludedTurnStart: When
  /** `turnStartedAt` of the last turn whose prompt the CLI put back into the box, since it did nothing with it. */
  readonly withdrawnTurnStart: When
  readonly turnEndedAt: When
  readonly turnFailedAt: When
  /** A request of the present turn failed, and the turn has produced nothing since. */
  readonly reportedFailure: { readonly at: number; readonly problem: Problem } | null
  readonly failedRequest: { readonly at: number; readonly problem: Problem | null } | null
  /** Background work that the CLI named when the last turn ended; null when it named none. */
  readonly turnTasks: ReadonlyArray<BackgroundTask> | null
  /** The last question that a hook reported, answered or not. */
  readonly lastQuestion: { readonly at: number; readonly kind: string; readonly message: string | null } | null
  /** The unanswered questions, where the CLI names its questions. */
  readonly openQuestions: ReadonlyArray<OpenQuestion>
  readonly answeredAt: When
  /** When the CLI last took an answer of leap's own to a request for a permission. */
  readonly decidedAt: When
  readonly toolEndedAt: When
  readonly compactStartedAt: When
  readonly compactEndedAt: When
  readonly sessions: SessionsSeen
  /** The name of the source of the last signal; signals of its own status do not count. */
  readonly lastHook: string | null
  readonly hooks: HookWitness

  /** The CLI's own status, from its status file or its events. */
  readonly ownStatus: ReportedStatus | null
  /** Program-status records. */
  readonly records: StatusRecords
  /** Since when the root record has had its state and kind. */
  readonly reportedSince: When

  readonly sessionId: string | null
  readonly transcriptPath: string | null
  /** The directory that the CLI says it is in with its session; null until it has said so. */
  readonly directory: string | null
  readonly lastPrompt: string | null
  readonly lastResponse: string | null
  /** When the CLI reported that response. */
  readonly respondedAt: When
  readonly problem: Problem | null
  readonly problemAt: When
}

/** The facts that one key changes by itself. */
export type KeyMarks = Pick<Facts, "typedAt" | "answerKeyAt" | "stop" | "concludedTurnStart" | "foundRestAt">

/** An unanswered question to which the CLI has given an id. */
export interface OpenQuestion {
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
  /** A turn was running: the CLI keeps the text until that turn is over. */
  readonly ahead: boolean
  /**
   * Where the running turn was known by its prompt's Enter alone: the moment of that Enter. Null where more is known.
   */
  readonly behind: When
}

/** The CLI's own status, and since when it has been the same. */
export interface ReportedStatus {
  readonly since: number
  readonly source: string
  readonly phase: "work" | "rest" | "wait" | "gone"
  readonly waitingFor: "permission" | "question" | "dialog" | null
  readonly background: boolean
  readonly word: string
}

/** The facts of a session whose process has just been started. */
export const initial = (at: number, modes: Modes, zone: string, unknownLayout: UnknownLayout): Facts => ({
  at,
  modes,
  unknownLayout,
  zone,
  exit: null,
  screen: blankFacts,
  torn: null,
  visibleSince: {
    box: null,
    emptyBox: null,
    draft: null,
    dialog: null,
    question: null,
    picker: null,
    working: null,
    quiet: null,
    interrupted: null,
    titleWork: null,
    titleRest: null,
    titleAsk: null
  },
  dialogClosedAt: null,
  pickerClosedAt: null,
  covered: null,
  background: null,
  workedAt: null,
  hasWorked: false,
  reportedRestAt: null,
  reportedDoneAt: null,
  growth: null,
  unknownSince: null,
  movedAt: null,
  text: null,
  retriedAt: null,
  rest: null,
  foundRestAt: null,
  firstBoxAt: null,
  outputAt: null,
  resizedAt: null,
  userKeyAt: null,
  promptedAt: null,
  viewKeyAt: null,
  typedAt: null,
  answerKeyAt: null,
  submitted: null,
  stop: null,
  beforeKey: null,
  dialogEnter: null,
  sendAt: null,
  turnStartedAt: null,
  concludedTurnStart: null,
  withdrawnTurnStart: null,
  turnEndedAt: null,
  turnFailedAt: null,
  reportedFailure: null,
  failedRequest: null,
  turnTasks: null,
  lastQuestion: null,
  openQuestions: [],
  answeredAt: null,
  decidedAt: null,
  toolEndedAt: null,
  compactStartedAt: null,
  compactEndedAt: null,
  sessions: noSessions,
  lastHook: null,
  hooks: noWitness,
  ownStatus: null,
  records: noRecords,
  reportedSince: null,
  sessionId: null,
  transcriptPath: null,
  directory: null,
  lastPrompt: null,
  lastResponse: null,
  respondedAt: null,
  problem: null,
  problemAt: null
})

/** The record of the program itself; the others are work that it lists beside its own turn. */
export const rootRecord = (records: StatusRecords): StatusRecord | null => records.find(({ id }) => id === "") ?? null
