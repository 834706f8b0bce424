import { noRecords, type StatusRecord, type StatusRecords } from "./ProgramStatus.ts"
import { blankFacts, type Dialog, type ScreenFacts } from "./Screen.ts"
import type { BackgroundTask, ExitStatus, Modes, Problem, SessionState } from "./Session.ts"
import { noSessions, type SessionsSeen } from "./SessionsSeen.ts"

/** A moment in milliseconds since the epoch; null for never. */
export type When = number | null

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
  /** When the CLI last took an answer of leap's own to a request for a permission. */
  readonly decidedAt: When
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
  /** When the CLI told of that response. */
  readonly respondedAt: When
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
  /** When a prompt began that turn of which nothing had told by then but that it was sent; null where more is known. */
  readonly behind: When
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
  decidedAt: null,
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
  respondedAt: null,
  problem: null,
  problemAt: null
})

/**
 * What told of work on the screen has given way to the box alone, and nothing tells whether the turn is over or between two
 * phases: the CLI says nothing of its state, and its hooks nothing of an end. Its title may lag behind.
 */
export const lull = ({ foundRestAt, own, records, shown: { quiet }, turnEndedAt, turnFailedAt, workedAt }: Facts): boolean =>
  rootRecord(records) === null && (own === null || own.phase === "gone") && quiet !== null && workedAt !== null &&
  Math.max(turnEndedAt ?? -Infinity, turnFailedAt ?? -Infinity, foundRestAt ?? -Infinity) < workedAt

/** When a submission began a turn; null for one that was typed ahead of a turn that others began. */
export const began = ({ ahead, at, behind }: Submission): number | null => ahead ? behind : at

/** When the prompt was sent that the CLI has said and shown nothing of yet; null when there is none. */
export const unanswered = ({ failedRequest, submitted, turnEndedAt, turnFailedAt, turnStartedAt, workedAt }: Facts): number | null => {
  const since = submitted === null || submitted.command ? null : began(submitted)
  if (since === null) return null
  return [turnStartedAt, workedAt, turnEndedAt, turnFailedAt, failedRequest?.at ?? null].some((at) => at !== null && at > since) ? null : since
}

/** The record of the program itself; the others are work that it lists beside its own turn. */
export const rootRecord = (records: StatusRecords): StatusRecord | null => records.find(({ id }) => id === "") ?? null

/** After an interrupt key the CLI may draw a frame or two more; work seen later than this went on regardless. */
export const stopGrace = 1_500
