import { Schema } from "effect"
import { BackgroundTask, Problem } from "./Session.ts"

/**
 * What a lifecycle hook, a plugin event or a CLI's own status file says, in leap's words.
 * A provider translates its CLI's events into these; the shared rules know no CLI.
 */
export const Signal = Schema.TaggedUnion({
  SessionStarted: { sessionId: Schema.NullOr(Schema.String), transcriptPath: Schema.NullOr(Schema.String), source: Schema.String },
  SessionEnded: { reason: Schema.String },
  /** A prompt was taken. `prompt` is its text where the CLI tells; `own`: started by background work, not by a person. */
  TurnStarted: { prompt: Schema.NullOr(Schema.String), own: Schema.Boolean },
  ToolStarted: { tool: Schema.String, id: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String) },
  ToolEnded: { tool: Schema.String, id: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String) },
  /** The CLI asks: a permission, a question, a plan approval, an elicitation. */
  Asked: {
    kind: Schema.Literals(["permission", "question", "plan", "elicitation"]),
    tool: Schema.NullOr(Schema.String),
    message: Schema.NullOr(Schema.String)
  },
  /** The CLI's question was answered, by anyone. */
  Answered: {},
  /** The turn is over, says the CLI. Other stop hooks may still run and a typed-ahead prompt may follow. */
  TurnEnded: { response: Schema.NullOr(Schema.String), background: Schema.NullOr(Schema.Array(BackgroundTask)) },
  TurnFailed: { problem: Schema.NullOr(Problem), message: Schema.String },
  /** The CLI wrote down that the user stopped the turn, at this time (milliseconds since the epoch). */
  Interrupted: { at: Schema.Finite },
  CompactStarted: {},
  CompactEnded: {},
  /** The CLI's own status file. `work`/`rest`/`wait`, and whether background work keeps it. */
  OwnStatus: {
    phase: Schema.Literals(["work", "rest", "wait", "gone"]),
    waitingFor: Schema.NullOr(Schema.Literals(["permission", "question", "dialog"])),
    background: Schema.Boolean,
    /** The status word as the CLI wrote it, for reasons. */
    word: Schema.String,
    sessionId: Schema.NullOr(Schema.String)
  },
  /** An event of a session that is not this one (nested or subagent), or one that says nothing of the state. */
  Ignored: { why: Schema.String }
})
export type Signal = typeof Signal.Type
