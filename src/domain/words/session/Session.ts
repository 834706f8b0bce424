import { Schema } from "effect"
import { QueuedMessage, TurnOutcome } from "./Message.ts"
import { NotReady } from "./NotReady.ts"
import { problemKinds } from "./problemKinds.ts"
import { RecentWrite } from "./RecentWrites.ts"
import type { StateReason } from "./StateReason.ts"
import { sessionStates } from "./states.ts"

export { turnOver } from "./states.ts"

/** What a session is doing. `ready` and `dialog` are separate: see {@link View}. */
export const SessionState = Schema.Literals(sessionStates)
export type SessionState = typeof SessionState.Type

/** What kind of thing is wrong with a session. */
export const ProblemKind = Schema.Literals(problemKinds)
export type ProblemKind = typeof ProblemKind.Type
/** What is wrong with a session, and until when if that is known. */
export const Problem = Schema.Struct({
  kind: ProblemKind,
  message: Schema.String,
  /** ISO 8601: when the CLI expects to work again; null if unknown. */
  until: Schema.NullOr(Schema.String),
  /** The precision of `until`: it may be this many milliseconds later. Absent if it is exact. */
  within: Schema.optionalKey(Schema.Finite),
  /** For a host that lives and cannot be asked: it has lost its address, so that no signal makes it answer. */
  noAddress: Schema.optionalKey(Schema.Literal(true))
})
export type Problem = typeof Problem.Type

/**
 * Messages may be missing from a session's queue. `damaged`: lines of its log could not be read and are kept in `file`.
 * `newer`, `unreadable`: the log itself, which is `file`, was written by a later leap, or cannot be read.
 */
export const QueueProblem = Schema.Struct({
  kind: Schema.Literals(["damaged", "newer", "unreadable"]),
  message: Schema.String,
  file: Schema.String
})
export type QueueProblem = typeof QueueProblem.Type

/** What a start does if leap's hooks are not in the CLI's settings. */
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
 * The identity of a session's need: its kind, its time (ISO 8601), and its id among needs of that time (`Need.id`); its
 * line if the caller does not know the id.
 */
export const NeedName = Schema.Struct({
  kind: Schema.String,
  since: Schema.String,
  id: Schema.optionalKey(Schema.String),
  text: Schema.String
})
export type NeedName = typeof NeedName.Type

/**
 * How a CLI's process ended: its exit code, or the signal that killed it. `why`: the cause for which leap ended it
 * unasked, as the record names it.
 */
export const ExitStatus = Schema.Struct({
  code: Schema.NullOr(Schema.Int),
  signal: Schema.NullOr(Schema.String),
  why: Schema.optionalKey(Schema.String)
})
export type ExitStatus = typeof ExitStatus.Type

/**
 * The classification of a session at one moment.
 * `ready`: a queued message may be typed now. `dialog`: the CLI shows something that takes arrow keys.
 * `since`: when `state` was entered, in milliseconds since the epoch.
 * `changesAt`: when this could change without a new event, in milliseconds since the epoch; null for never.
 */
export interface View {
  readonly state: SessionState
  readonly ready: boolean
  readonly dialog: boolean
  readonly reason: StateReason
  /** Why a session at rest is not ready; null in other states, and if it is ready. */
  readonly notReady: NotReady | null
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

/** A dialog as it is shown to users. */
export const Question = Schema.Struct({
  title: Schema.String,
  /** What permission is requested for; absent if it is not on the screen. */
  subject: Schema.optionalKey(Schema.String),
  /** With the numbers that choose them. */
  options: Schema.Array(Schema.Struct({ number: Schema.NullOr(Schema.Int), label: Schema.String }))
})
export type Question = typeof Question.Type

/** How a session's last turn ended; `why`: what its CLI said of the failure. */
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
  /** Why a session at rest is not ready; `reason` says it too. Hosts of earlier versions omit it. */
  notReady: Schema.optionalKey(Schema.NullOr(NotReady)),
  since: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  hostPid: Schema.NullOr(Schema.Int),
  cwd: Schema.String,
  /** What the repository of its directory has checked out: a branch, or the start of a commit; null without one. */
  branch: Schema.optionalKey(Schema.NullOr(Schema.String)),
  startedAt: Schema.String,
  /** Viewers attached now. */
  attached: Schema.Int,
  message: Schema.NullOr(Schema.String),
  /**
   * `unknown`: the CLI's own reader does not recognize its screen, and nothing is typed into it; `trusted`: the same,
   * but the user allows messages into its box.
   */
  layout: Schema.optionalKey(Schema.Literals(["known", "unknown", "trusted"])),
  /** The dialog on screen, and what `leap answer` takes for it; null if there is none. */
  question: Schema.optionalKey(Schema.NullOr(Question)),
  problem: Schema.NullOr(Problem),
  background: Schema.Array(BackgroundTask),
  queue: Schema.Array(QueuedMessage),
  /** Hosts do not know it: a reader of the status examines the log's files. */
  queueProblem: Schema.optionalKey(Schema.NullOr(QueueProblem)),
  modes: Modes,
  /**
   * What leap does about the usage limit of the session: it continues at `at` (ISO 8601), or not at all if that is
   * null. `text` says why. Null while there is nothing to do.
   */
  night: Schema.optionalKey(Schema.NullOr(Schema.Struct({ at: Schema.NullOr(Schema.String), text: Schema.String }))),
  /**
   * Why no queued message is sent: after a failed turn, or (`unwired`) because deny and ask rules depend on the CLI's
   * hooks, which have not called leap. `until` (ISO 8601): when that ends by itself; null if the user has to act, and
   * queued messages are held. Null while messages may be sent.
   */
  pause: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        kind: Schema.Literals([...ProblemKind.literals, "unwired"]),
        since: Schema.String,
        until: Schema.NullOr(Schema.String),
        text: Schema.String
      })
    )
  ),
  /**
   * Since when (ISO 8601) the CLI's hooks do not call leap in this session, whatever its settings say. `text`: the
   * known reason; `rules`: how many deny and ask rules of the user do not hold. Null without such a sign; the next hook
   * event ends it.
   */
  unwired: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ since: Schema.String, text: Schema.String, rules: Schema.Int }))
  ),
  /** Its CLI ended with a failure that nobody asked for, and nobody was attached. */
  unexpectedEnd: Schema.optionalKey(Schema.Boolean),
  /** A signal that none of its users sent ended its host or its CLI: at a shutdown, by a kill. */
  cutOff: Schema.optionalKey(Schema.Boolean),
  /** Needs that its user has dismissed, and that are not shown again. */
  dismissed: Schema.optionalKey(Schema.Array(NeedName)),
  /** Why notices cannot be delivered; null if they can. */
  notifyProblem: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Why the session is not recorded; null if it is, or if it is not meant to be. */
  recordProblem: Schema.optionalKey(Schema.NullOr(Schema.String)),
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
   * `turnUsd`: what its last turn has cost so far; absent if unknown. `floor`: why the cost may be higher; absent if it
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
  /** How its last turn ended, as its CLI reported it; null while one runs, and until that is reported. */
  lastTurn: Schema.optionalKey(Schema.NullOr(LastTurn)),
  /** What its CLI was about to write in the last minutes, by its hooks; the newest last. */
  writes: Schema.optionalKey(Schema.Array(RecentWrite)),
  exit: Schema.NullOr(ExitStatus)
})
// An interface, so that declarations name it instead of repeating it.
export interface SessionStatus extends Schema.Schema.Type<typeof SessionStatus> {}
