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

/** Since when every frame has shown each thing; null if the last frame does not show it. */
export interface VisibleSince {
  readonly box: When
  readonly emptyBox: When
  readonly draft: When
  readonly dialog: When
  /** The dialog with the same kind and title: one dialog may follow another in the same place. */
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

/** Something takes the place of the running indicator: unsent text, a mode of the box, or a picker. */
export interface Covered {
  readonly since: number
  /** The indicator or the title showed work until then. */
  readonly working: boolean
}

/** Everything remembered of a session: what is true, and since when (milliseconds since the epoch; null: never). */
export interface Facts {
  readonly at: number
  readonly modes: Modes
  readonly unknownLayout: UnknownLayout
  /** The CLI's time zone (`Europe/Zurich`), for times of day in its texts. */
  readonly zone: string
  readonly exit: ExitStatus | null

  readonly screen: ScreenFacts
  /** A frame with no box, dialog or picker, and since when: taken for half drawn until it has stood for a while. */
  readonly torn: { readonly since: number; readonly screen: ScreenFacts } | null
  readonly visibleSince: VisibleSince
  readonly dialogClosedAt: When
  /** The last frame in which a picker, or another view of the CLI, closed. */
  readonly pickerClosedAt: When
  readonly covered: Covered | null
  /** The last certain count of background work, and the last frame that showed it. */
  readonly background: { readonly at: number; readonly count: number } | null
  /** The last time that any source reported or showed work on the CLI's own turn. */
  readonly workedAt: When
  readonly hasWorked: boolean
  /** The last reported change to rest: by program status, or by the status file without program status. */
  readonly reportedRestAt: When
  /** The last time that the program status reported the end of a turn. Some CLIs withdraw it with the next key. */
  readonly reportedDoneAt: When
  /** The first and last frame in which text was added above the box without signs of work. One may be a redraw. */
  readonly growth: { readonly since: number; readonly at: number } | null
  readonly unknownSince: When
  /** The last frame with a movement above the box, or in a row of work below it. */
  readonly movedAt: When
  /** The picture whose apparent running indicator is text; null for none. */
  readonly text: number | null
  readonly retriedAt: When
  /** The last span in which the screen showed rest, as of the frame after it. */
  readonly rest: { readonly since: number; readonly until: number } | null
  /** When the session first counted as resting after its last work. */
  readonly foundRestAt: When
  readonly firstBoxAt: When
  readonly outputAt: When
  readonly resizedAt: When

  readonly userKeyAt: When
  /** The user's last Enter in the CLI itself that sent the text of the box. */
  readonly promptedAt: When
  /** The user's last key that neither writes nor moves: such keys open views. */
  readonly viewKeyAt: When
  /** The last text or paste, by the user or by leap. */
  readonly typedAt: When
  /** The last key that may have answered a dialog: text, Enter, Escape or Ctrl+C. */
  readonly answerKeyAt: When
  readonly submitted: Submission | null
  /**
   * An interrupt key, a choice that ends the turn, or the CLI's report of an interrupt, while the CLI worked or asked,
   * with no sign since then that the turn went on. `confirmed`: the CLI has reported or drawn the interrupt.
   * `needsConfirmation`: only the CLI's report or screen can confirm it, because no source had reported work on leap's
   * message yet, what was open takes such keys, or the turn may have been over. `stoppingAt`: when the screen last
   * showed that the turn is being stopped.
   */
  readonly stop: {
    readonly at: number
    readonly during: SessionState
    readonly confirmed?: boolean
    readonly stoppingAt?: number
    readonly needsConfirmation?: boolean
  } | null
  /** The values before the last key changed them: that key may be the first byte of another. */
  readonly beforeKey: KeyMarks | null
  /** The last Enter in a dialog (or leap's message typed over one), and the dialog. */
  readonly dialogEnter: { readonly at: number; readonly dialog: Dialog } | null
  readonly sendAt: When

  readonly turnStartedAt: When
  /** `turnStartedAt` of the last turn that counted as over, even if its end was not reported. */
  readonly concludedTurnStart: When
  /** `turnStartedAt` of the last turn whose prompt the CLI put back into the box unused. */
  readonly withdrawnTurnStart: When
  readonly turnEndedAt: When
  readonly turnFailedAt: When
  /** The last error in the program status, until that reports work or a question. */
  readonly reportedFailure: { readonly at: number; readonly problem: Problem } | null
  /** A request of the present turn failed, and the turn has produced nothing since. */
  readonly failedRequest: { readonly at: number; readonly problem: Problem | null } | null
  readonly turnTasks: ReadonlyArray<BackgroundTask> | null
  readonly lastQuestion: { readonly at: number; readonly kind: string; readonly message: string | null } | null
  /** The unanswered questions, if the CLI names its questions. */
  readonly openQuestions: ReadonlyArray<OpenQuestion>
  readonly answeredAt: When
  /** When the CLI last took leap's answer to a permission request. */
  readonly decidedAt: When
  readonly toolEndedAt: When
  readonly compactStartedAt: When
  readonly compactEndedAt: When
  readonly sessions: SessionsSeen
  /** The source of the last signal that is evidence of the state, other than the CLI's own status. */
  readonly lastHook: string | null
  readonly hooks: HookWitness

  readonly ownStatus: ReportedStatus | null
  readonly records: StatusRecords
  readonly reportedSince: When

  readonly sessionId: string | null
  readonly transcriptPath: string | null
  readonly directory: string | null
  readonly lastPrompt: string | null
  readonly lastResponse: string | null
  readonly respondedAt: When
  readonly problem: Problem | null
  readonly problemAt: When
}

export type KeyMarks = Pick<Facts, "typedAt" | "answerKeyAt" | "stop" | "concludedTurnStart" | "foundRestAt">

export interface OpenQuestion {
  readonly id: string
  readonly at: number
  readonly kind: string
  readonly message: string | null
}

/** The last Enter that sent the text of the box. */
export interface Submission {
  readonly at: number
  /** A command of the CLI (`/…`), which may start no turn. */
  readonly command: boolean
  /** A turn was running: the CLI keeps the text until that turn is over. */
  readonly ahead: boolean
  /** The Enter that began the running turn, if nothing else is known of that turn. */
  readonly behind: When
}

/** The CLI's own status, and since when it has not changed. */
export interface ReportedStatus {
  readonly since: number
  readonly source: string
  readonly phase: "work" | "rest" | "wait" | "gone"
  readonly waitingFor: "permission" | "question" | "dialog" | null
  readonly background: boolean
  readonly word: string
}

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

/** The record of the program itself. The others are work that it lists beside its own turn. */
export const rootRecord = (records: StatusRecords): StatusRecord | null => records.find(({ id }) => id === "") ?? null
