import { Schema } from "effect"
import { QueuedMessage } from "./Message.ts"

/** What a session is doing. `ready` and `dialog` are separate: see {@link View}. */
export const SessionState = Schema.Literals([
  "starting", "idle", "running", "needs_permission", "needs_input", "interrupted", "churning", "exited"
])
export type SessionState = typeof SessionState.Type

/** States in which a turn is over: what `leap wait` waits for by default. */
export const turnOver: ReadonlySet<SessionState> = new Set(["idle", "interrupted", "churning", "exited"])

export const ProblemKind = Schema.Literals(["rate_limited", "auth", "overloaded", "model", "crashed", "stuck"])
export const Problem = Schema.Struct({
  kind: ProblemKind,
  message: Schema.String,
  /** ISO time at which the CLI says it goes on, or null. */
  until: Schema.NullOr(Schema.String)
})
export type Problem = typeof Problem.Type

/** Work that lives on after its turn: a shell, a monitor, an agent. */
export const BackgroundTask = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  title: Schema.String,
  state: Schema.String
})
export type BackgroundTask = typeof BackgroundTask.Type

/** How a CLI's process ended: its exit code, or the signal that killed it. */
export const ExitStatus = Schema.Struct({
  code: Schema.NullOr(Schema.Int),
  signal: Schema.NullOr(Schema.String)
})
export type ExitStatus = typeof ExitStatus.Type

/**
 * The state machine's word on a session at one moment.
 * `ready`: a queued message may be typed now. `dialog`: the CLI shows something that arrow keys belong to.
 * `since`: milliseconds since the epoch at which `state` was entered.
 * `changesAt`: the moment at which this could change with no new event; null for never.
 */
export const View = Schema.Struct({
  state: SessionState,
  ready: Schema.Boolean,
  dialog: Schema.Boolean,
  reason: Schema.String,
  since: Schema.Finite,
  message: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Problem),
  background: Schema.Array(BackgroundTask),
  changesAt: Schema.NullOr(Schema.Finite)
})
export type View = typeof View.Type

export const AutoSendMode = Schema.Literals(["pause", "always"])
export const ChurnMode = Schema.Literals(["wait", "send"])
/** Per-session modes. */
export const Modes = Schema.Struct({ autoSend: AutoSendMode, churn: ChurnMode })
export type Modes = typeof Modes.Type
/** Modes to change; those not named stay. */
export const ModesChange = Schema.Struct({ autoSend: Schema.optionalKey(AutoSendMode), churn: Schema.optionalKey(ChurnMode) })
export const defaultModes: Modes = { autoSend: "pause", churn: "wait" }

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
  since: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  hostPid: Schema.NullOr(Schema.Int),
  cwd: Schema.String,
  startedAt: Schema.String,
  /** Viewers attached now. */
  attached: Schema.Int,
  message: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Problem),
  background: Schema.Array(BackgroundTask),
  queue: Schema.Array(QueuedMessage),
  modes: Modes,
  sessionId: Schema.NullOr(Schema.String),
  transcriptPath: Schema.NullOr(Schema.String),
  context: Schema.NullOr(
    Schema.Struct({ usedTokens: Schema.Finite, window: Schema.NullOr(Schema.Finite), percent: Schema.NullOr(Schema.Finite) })
  ),
  cost: Schema.NullOr(Schema.Struct({ usd: Schema.Finite, estimated: Schema.Boolean })),
  lastMessage: Schema.NullOr(Schema.String),
  lastResponse: Schema.NullOr(Schema.String),
  exit: Schema.NullOr(ExitStatus)
})
export type SessionStatus = typeof SessionStatus.Type
