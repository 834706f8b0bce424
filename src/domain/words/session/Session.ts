import { Schema } from "effect"
import { QueuedMessage, TurnOutcome } from "./Message.ts"
import { NotReady } from "./NotReady.ts"
import { problemKinds } from "./problemKinds.ts"
import { RecentWrite } from "./RecentWrites.ts"
import { sessionStates } from "./states.ts"

export { turnOver } from "./states.ts"

/** What a session is doing. `ready` and `dialog` are separate: see {@link View}. */
export const SessionState = Schema.Literals(sessionStates)
export type SessionState = typeof SessionState.Type

/** What kind of thing is wrong with a session. */
export const ProblemKind = Schema.Literals(problemKinds)
export type ProblemKind = typeof ProblemKind.Type
/** What is wrong with a session, and until when where that is known. */
export const Problem = Schema.Struct({
  kind: ProblemKind,
  message: Schema.String,
  /** ISO 8601: from when on the CLI expects to work again; null where that is not known. */
  until: Schema.NullOr(Schema.String),
  /** How exactly `until` was told: it may be this many milliseconds later. Absent where it was told exactly. */
  within: Schema.optionalKey(Schema.Finite),
  /** Of a host that lives and cannot be asked: it has lost its address, so that no signal makes it answer. */
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

/** What a start does with a CLI in whose settings leap's hooks are not. */
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
 * The name of a need of a session, by which it is known again: what it is, since when (ISO 8601), and what tells it
 * from others of that time (`Need.id`); by its line where who names it does not know that.
 */
export const NeedName = Schema.Struct({
  kind: Schema.String,
  since: Schema.String,
  id: Schema.optionalKey(Schema.String),
  text: Schema.String
})
export type NeedName = typeof NeedName.Type

/**
 * How a CLI's process ended: its exit code, or the signal that killed it. `why`: what leap ended it for, unasked, as
 * the record names it.
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
export const View = Schema.Struct({
  state: SessionState,
  ready: Schema.Boolean,
  dialog: Schema.Boolean,
  reason: Schema.String,
  /** Why it is not ready, where it rests; null elsewhere, and where it is ready. */
  notReady: Schema.NullOr(NotReady),
  since: Schema.Finite,
  message: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Problem),
  background: Schema.Array(BackgroundTask),
  changesAt: Schema.NullOr(Schema.Finite)
})
export type View = typeof View.Type

/** Whether what a CLI asks leave for is left to the user (`pause`) or granted (`always`). */
export const AutoSendMode = Schema.Literals(["pause", "always"])
/** Whether queued messages wait for background work (`wait`) or not (`send`). */
export const ChurnMode = Schema.Literals(["wait", "send"])
/** Whether messages may be typed into a screen of which the CLI's own reader recognizes nothing. */
export const UnknownLayout = Schema.Literals(["wait", "trust"])
export type UnknownLayout = typeof UnknownLayout.Type
/** Whether a session goes on by itself when its usage limit is over. */
export const NightMode = Schema.Literals(["off", "on"])
export type NightMode = typeof NightMode.Type
/** Per-session modes. */
export const Modes = Schema.Struct({
  autoSend: AutoSendMode,
  churn: ChurnMode,
  night: Schema.optionalKey(NightMode),
  /** Nobody is told of it: `on`, or until a moment (ISO 8601). */
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
/** The modes of a session for which nothing else was said. */
export const defaultModes: Modes = { autoSend: "pause", churn: "wait" }

/** A dialog as it is shown to users. */
export const Question = Schema.Struct({
  title: Schema.String,
  /** What a permission is asked for; absent where it is not on the screen. */
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
  /** Why it is not ready, where it rests; `reason` tells of it, too. Hosts of earlier versions do not say it apart. */
  notReady: Schema.optionalKey(Schema.NullOr(NotReady)),
  since: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  hostPid: Schema.NullOr(Schema.Int),
  cwd: Schema.String,
  /** What its directory's repository has checked out: a branch, or the beginning of a commit; null without one. */
  branch: Schema.optionalKey(Schema.NullOr(Schema.String)),
  startedAt: Schema.String,
  /** Viewers attached now. */
  attached: Schema.Int,
  message: Schema.NullOr(Schema.String),
  /**
   * `unknown`: the CLI's own reader recognizes nothing on its screen, and nothing is typed into it; `trusted`: the
   * same, and the user lets messages into its box.
   */
  layout: Schema.optionalKey(Schema.Literals(["known", "unknown", "trusted"])),
  /** The dialog on screen, and what `leap answer` takes for it; null while there is none. */
  question: Schema.optionalKey(Schema.NullOr(Question)),
  problem: Schema.NullOr(Problem),
  background: Schema.Array(BackgroundTask),
  queue: Schema.Array(QueuedMessage),
  /** Hosts do not know it: who asks for a status looks at the log's files. */
  queueProblem: Schema.optionalKey(Schema.NullOr(QueueProblem)),
  modes: Modes,
  /**
   * What leap does about the usage limit that the session has met: it goes on at `at` (ISO 8601), or does not, where
   * that is null. `text` says why. Null while there is nothing to do.
   */
  night: Schema.optionalKey(Schema.NullOr(Schema.Struct({ at: Schema.NullOr(Schema.String), text: Schema.String }))),
  /**
   * Why no queued message goes out: after a failed turn, or (`unwired`) because deny and ask rules rest on hooks of the
   * CLI's that have not called leap. `until` (ISO 8601): when that is over by itself; null where the human has to act,
   * and what is queued is held. Null while messages may go.
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
   * The CLI's hooks do not call leap in this session, since then (ISO 8601), whatever its settings have: `text` says
   * what is known of why; `rules`: how many deny and ask rules of the user's do not hold. Null while there is no such
   * sign; the next event of a hook's ends it.
   */
  unwired: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ since: Schema.String, text: Schema.String, rules: Schema.Int }))
  ),
  /** Its CLI ended otherwise than well, nobody had asked for that, and nobody sat before it. */
  unexpectedEnd: Schema.optionalKey(Schema.Boolean),
  /** It was ended by a signal to its host or its CLI that no user of it has sent: at a shutdown, by a kill. */
  cutOff: Schema.optionalKey(Schema.Boolean),
  /** What it needs that its human has put aside, and is not told again. */
  dismissed: Schema.optionalKey(Schema.Array(NeedName)),
  /** Why notices do not get out; null where they do. */
  notifyProblem: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Why what the session does is not recorded; null where it is, or is not to be. */
  recordProblem: Schema.optionalKey(Schema.NullOr(Schema.String)),
  sessionId: Schema.NullOr(Schema.String),
  transcriptPath: Schema.NullOr(Schema.String),
  /** Its CLI tells of no context, at no time. */
  noContext: Schema.optionalKey(Schema.Literal(true)),
  context: Schema.NullOr(
    Schema.Struct({
      usedTokens: Schema.Finite,
      window: Schema.NullOr(Schema.Finite),
      percent: Schema.NullOr(Schema.Finite)
    })
  ),
  /**
   * `turnUsd`: of that, what its last turn has cost so far; absent where that is not known. `floor`: it has cost this
   * or more, and why that is not known better; absent where it is.
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
  /** How its last turn ended, as its CLI told it; null while one runs, and where that is not told (yet). */
  lastTurn: Schema.optionalKey(Schema.NullOr(LastTurn)),
  /** What its CLI was about to write in the last minutes, as its hooks say; the newest last. */
  writes: Schema.optionalKey(Schema.Array(RecentWrite)),
  exit: Schema.NullOr(ExitStatus)
})
// an interface, so that declarations name it instead of repeating it
export interface SessionStatus extends Schema.Schema.Type<typeof SessionStatus> {}
