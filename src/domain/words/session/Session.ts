import { Schema } from "effect"
import { QueuedMessage, TurnOutcome } from "./Message.ts"
import { NotReady, type NotReadyCause } from "./NotReady.ts"
import { UncountedUse } from "./OverBudget.ts"
import { problemKinds } from "./problemKinds.ts"
import { Proposal } from "./Proposal.ts"
import { RecentWrite } from "./RecentWrites.ts"
import type { StateReason } from "./StateReason.ts"
import { sessionStates } from "./states.ts"

export { turnOver } from "./states.ts"

/** The state of a session. `ready` and `dialog` are separate: see {@link View}. */
export const SessionState = Schema.Literals(sessionStates)
export type SessionState = typeof SessionState.Type

/** The kind of a session's problem. */
export const ProblemKind = Schema.Literals(problemKinds)
export type ProblemKind = typeof ProblemKind.Type
/** A session's problem, and its end if known. */
export const Problem = Schema.Struct({
  kind: ProblemKind,
  message: Schema.String,
  /** ISO 8601: when the CLI expects to work again; null if unknown. */
  until: Schema.NullOr(Schema.String),
  /** The precision of `until`: it may be this many milliseconds later. Absent if it is exact. */
  within: Schema.optionalKey(Schema.Finite),
  /** For a host that lives and cannot be asked: it has lost its address, so no signal can make it answer. */
  noAddress: Schema.optionalKey(Schema.Literal(true))
})
export type Problem = typeof Problem.Type

/**
 * Messages may be missing from a session's queue. `damaged`: lines of its log could not be read and are kept in `file`.
 * `newer`, `unreadable`: the log itself (`file`) was written by a later leap, or cannot be read.
 */
export const QueueProblem = Schema.Struct({
  kind: Schema.Literals(["damaged", "newer", "unreadable"]),
  message: Schema.String,
  file: Schema.String
})
export type QueueProblem = typeof QueueProblem.Type

/** The effect of a start if leap's hooks are not in the CLI's settings. */
export const UnwiredStart = Schema.Literals(["ask", "start", "refuse"])
export type UnwiredStart = typeof UnwiredStart.Type

/** Work that continues after its turn: a shell, a monitor, an agent. */
export const BackgroundTask = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  title: Schema.String,
  state: Schema.String
})
export type BackgroundTask = typeof BackgroundTask.Type

/**
 * The identity of a session's need: its kind, its time (ISO 8601), and its id among needs of that time (`Need.id`). A
 * caller who does not know the id gives the need's line.
 */
export const NeedName = Schema.Struct({
  kind: Schema.String,
  since: Schema.String,
  id: Schema.optionalKey(Schema.String),
  text: Schema.String
})
export type NeedName = typeof NeedName.Type

/**
 * How a CLI's process ended: its exit code, or the signal that killed it. `why`: why leap ended it without a request,
 * as the record names it.
 */
export const ExitStatus = Schema.Struct({
  code: Schema.NullOr(Schema.Int),
  signal: Schema.NullOr(Schema.String),
  why: Schema.optionalKey(Schema.String)
})
export type ExitStatus = typeof ExitStatus.Type

/**
 * The classification of a session at one moment. `ready`: a queued message may be typed now. `dialog`: the CLI shows
 * something that takes arrow keys. `since`: when `state` was entered, in milliseconds since the epoch. `changesAt`:
 * when this may change without a new event, in milliseconds since the epoch; null: never.
 */
export interface View {
  readonly state: SessionState
  readonly ready: boolean
  readonly dialog: boolean
  readonly reason: StateReason
  /** Why a session at rest is not ready; null in other states, and if it is ready. */
  readonly notReady: NotReadyCause | null
  readonly since: number
  readonly message: string | null
  readonly problem: Problem | null
  readonly background: ReadonlyArray<BackgroundTask>
  readonly changesAt: number | null
}

/** Whether a CLI's permission requests are left to the user (`pause`) or granted (`always`). */
export const AutoSendMode = Schema.Literals(["pause", "always"])
/** Whether queued messages wait for background work (`wait`) or not (`send`). */
export const ChurnMode = Schema.Literals(["wait", "send"])
/** Whether messages may be typed into a screen that the CLI's own reader does not recognize. */
export const UnknownLayout = Schema.Literals(["wait", "trust"])
export type UnknownLayout = typeof UnknownLayout.Type
/** Whether a session continues by itself when its usage limit is over. */
export const NightMode = Schema.Literals(["off", "on"])
export type NightMode = typeof NightMode.Type
/** Modes of a session. */
export const Modes = Schema.Struct({
  autoSend: AutoSendMode,
  churn: ChurnMode,
  night: Schema.optionalKey(NightMode),
  /** No notices: `on`, or until a time (ISO 8601). */
  mute: Schema.optionalKey(Schema.String)
})
export type Modes = typeof Modes.Type
/** Modes to change; absent ones stay as they are. */
export const ModesChange = Schema.Struct({
  autoSend: Schema.optionalKey(AutoSendMode),
  churn: Schema.optionalKey(ChurnMode),
  night: Schema.optionalKey(NightMode),
  mute: Schema.optionalKey(Schema.String)
})
/** The modes of a session without settings of its own. */
export const defaultModes: Modes = { autoSend: "pause", churn: "wait" }

/** A dialog as users see it. */
export const Question = Schema.Struct({
  title: Schema.String,
  /** The subject of the permission; absent if it is not on the screen. */
  subject: Schema.optionalKey(Schema.String),
  /** The options, with the numbers that choose them. */
  options: Schema.Array(Schema.Struct({ number: Schema.NullOr(Schema.Int), label: Schema.String }))
})
export type Question = typeof Question.Type

/** A notice that the user was given of a session. Times are ISO 8601; the texts are safe to show. */
const GivenNotice = Schema.Struct({
  at: Schema.String,
  kind: Schema.Literals(["needs", "done", "failed", "limit"]),
  /** `my-feature needs you`. */
  title: Schema.String,
  text: Schema.String
})
export type GivenNotice = typeof GivenNotice.Type

/** How a session's last turn ended; `why`: the CLI's message about a failure. */
export const LastTurn = Schema.Struct({ outcome: TurnOutcome, why: Schema.NullOr(Schema.String) })
export type LastTurn = typeof LastTurn.Type

/** One session as `leap status --json` prints it. Unknown is null, never a guess. Times are ISO 8601. */
export const SessionStatus = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  baseCli: Schema.String,
  displayName: Schema.String,
  state: SessionState,
  ready: Schema.Boolean,
  dialog: Schema.Boolean,
  reason: Schema.String,
  /** Why a session at rest is not ready; `reason` is the text for it. Hosts of earlier versions omit this. */
  notReady: Schema.optionalKey(Schema.NullOr(NotReady)),
  since: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  hostPid: Schema.NullOr(Schema.Int),
  cwd: Schema.String,
  /** The checked-out branch of its directory's repository, or the start of a commit; null without a repository. */
  branch: Schema.optionalKey(Schema.NullOr(Schema.String)),
  startedAt: Schema.String,
  /** Viewers attached now. */
  attached: Schema.Int,
  message: Schema.NullOr(Schema.String),
  /**
   * `unknown`: the CLI's own reader does not recognize its screen, and nothing is typed into it; `trusted`: it does not
   * either, but the user allows messages into its box.
   */
  layout: Schema.optionalKey(Schema.Literals(["known", "unknown", "trusted"])),
  /** The dialog on screen, and the answers that `leap answer` takes; null if there is none. */
  question: Schema.optionalKey(Schema.NullOr(Question)),
  /** What that dialog asks for in full, as far as the CLI's hook says it and it is certain to be this dialog's. */
  proposal: Schema.optionalKey(Schema.NullOr(Proposal)),
  problem: Schema.NullOr(Problem),
  background: Schema.Array(BackgroundTask),
  queue: Schema.Array(QueuedMessage),
  /** Unknown to hosts: a reader of the status examines the log's files. */
  queueProblem: Schema.optionalKey(Schema.NullOr(QueueProblem)),
  modes: Modes,
  /**
   * leap's plan for the usage limit of the session: it continues at `at` (ISO 8601), or not at all if that is null.
   * `text` says why. Null while there is nothing to do.
   */
  night: Schema.optionalKey(Schema.NullOr(Schema.Struct({ at: Schema.NullOr(Schema.String), text: Schema.String }))),
  /**
   * Why no queued message is sent: after a failed turn, or (`unwired`) because deny and ask rules depend on the CLI's
   * hooks, which have not called leap, or (`budget`) because a budget of the settings is used up. `until` (ISO 8601):
   * when this ends by itself; null if the user must act, and queued messages are held. Null while messages may be sent.
   */
  pause: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        kind: Schema.Literals([...ProblemKind.literals, "unwired", "budget"]),
        since: Schema.String,
        until: Schema.NullOr(Schema.String),
        text: Schema.String
      })
    )
  ),
  /**
   * Since when (ISO 8601) the CLI's hooks do not call leap in this session, whatever its settings say. `text`: the
   * known reason; `rules`: how many deny and ask rules of the user do not hold. Null without such a sign. The next hook
   * event ends it; after a tool that ran without its hook, only an event about a tool does.
   */
  unwired: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ since: Schema.String, text: Schema.String, rules: Schema.Int }))
  ),
  /** Its CLI ended with a failure that nobody asked for, while no user was present (`isUnexpectedEnd`). */
  unexpectedEnd: Schema.optionalKey(Schema.Boolean),
  /** A signal from none of its users ended its host or its CLI: a shutdown, a kill. */
  cutOff: Schema.optionalKey(Schema.Boolean),
  /** Needs that the user has dismissed, which are not shown again. */
  dismissed: Schema.optionalKey(Schema.Array(NeedName)),
  /** The notice that the user was last given, while its reason holds; null if it is over. */
  notice: Schema.optionalKey(Schema.NullOr(GivenNotice)),
  /** Why notices cannot be delivered; null if they can. */
  notifyProblem: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Why the session is not recorded; null if it is, or if it is not supposed to be. */
  recordProblem: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Why budgets of the settings do not count what it uses; null if they do, or if there are none. */
  uncounted: Schema.optionalKey(Schema.NullOr(UncountedUse)),
  sessionId: Schema.NullOr(Schema.String),
  transcriptPath: Schema.NullOr(Schema.String),
  /** Its CLI never reports a context. */
  noContext: Schema.optionalKey(Schema.Literal(true)),
  context: Schema.NullOr(
    Schema.Struct({
      usedTokens: Schema.Finite,
      window: Schema.NullOr(Schema.Finite),
      percent: Schema.NullOr(Schema.Finite)
    })
  ),
  /**
   * `turnUsd`: the cost of its last turn so far; absent if unknown. `floor`: why the cost may be higher; absent if it
   * is exact.
   */
  cost: Schema.NullOr(
    Schema.Struct({
      usd: Schema.Finite,
      estimated: Schema.Boolean,
      turnUsd: Schema.optionalKey(Schema.Finite),
      floor: Schema.optionalKey(Schema.String)
    })
  ),
  lastMessage: Schema.NullOr(Schema.String),
  lastResponse: Schema.NullOr(Schema.String),
  /** How its last turn ended, as its CLI reported it; null while one runs, and until the report. */
  lastTurn: Schema.optionalKey(Schema.NullOr(LastTurn)),
  /** The files that its CLI was about to write in the last minutes, according to its hooks; the newest last. */
  writes: Schema.optionalKey(Schema.Array(RecentWrite)),
  exit: Schema.NullOr(ExitStatus)
})
// An interface, so that declarations name it instead of repeating it.
export interface SessionStatus extends Schema.Schema.Type<typeof SessionStatus> {}
