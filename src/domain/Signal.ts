import { Schema } from "effect"
import { BackgroundTask, Problem } from "./Session.ts"

/** The session that speaks, where one CLI has several (a subagent's, say) and names them. */
const session = Schema.optionalKey(Schema.String)
/** The name of a question that may be open beside others. */
const question = Schema.optionalKey(Schema.String)

/**
 * What a lifecycle hook, a plugin event or a CLI's own status file says, in leap's words.
 * A provider translates its CLI's events into these; the shared rules know no CLI.
 */
export const Signal = Schema.TaggedUnion({
  /** `parent`: the session it belongs to, for a subagent's. */
  SessionStarted: {
    sessionId: Schema.NullOr(Schema.String),
    transcriptPath: Schema.NullOr(Schema.String),
    source: Schema.String,
    parent: Schema.optionalKey(Schema.NullOr(Schema.String))
  },
  SessionEnded: { reason: Schema.String },
  /** A prompt was taken. `prompt` is its text where the CLI tells; `own`: started by background work, not by a person. */
  TurnStarted: { prompt: Schema.NullOr(Schema.String), own: Schema.Boolean, session },
  ToolStarted: { tool: Schema.String, id: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String), session },
  ToolEnded: { tool: Schema.String, id: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String), session },
  /** The CLI asks: a permission, a question, a plan approval, an elicitation. */
  Asked: {
    kind: Schema.Literals(["permission", "question", "plan", "elicitation"]),
    tool: Schema.NullOr(Schema.String),
    message: Schema.NullOr(Schema.String),
    id: question
  },
  /** The CLI's question was answered, by anyone. */
  Answered: { id: question },
  /** The turn is over, says the CLI. Other stop hooks may still run and a typed-ahead prompt may follow. */
  TurnEnded: { response: Schema.NullOr(Schema.String), background: Schema.NullOr(Schema.Array(BackgroundTask)), session },
  TurnFailed: { problem: Schema.NullOr(Problem), message: Schema.String, session },
  /** A request of the turn failed. The CLI may try it again; where it does not, it says no more. */
  RequestFailed: { problem: Schema.NullOr(Problem), message: Schema.String, session },
  /** The assistant said this; its turn goes on. */
  Responded: { text: Schema.String, session },
  /** The CLI says that the user stopped the turn, at this time (milliseconds since the epoch); null for just now. */
  Interrupted: { at: Schema.NullOr(Schema.Finite), session },
  CompactStarted: { session },
  CompactEnded: { session },
  /** The CLI's own status, from its status file or told at every change. `work`/`rest`/`wait`, and whether background work keeps it. */
  OwnStatus: {
    phase: Schema.Literals(["work", "rest", "wait", "gone"]),
    waitingFor: Schema.NullOr(Schema.Literals(["permission", "question", "dialog"])),
    background: Schema.Boolean,
    /** The status word as the CLI wrote it, for reasons. */
    word: Schema.String,
    sessionId: Schema.NullOr(Schema.String),
    session
  },
  /** An event of a session that is not this one (nested or subagent), or one that says nothing of the state. */
  Ignored: { why: Schema.String }
})
export type Signal = typeof Signal.Type
