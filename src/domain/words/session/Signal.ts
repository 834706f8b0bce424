import { Schema } from "effect"
import { BackgroundTask, Problem } from "./Session.ts"

/** The session that a signal is about, if a CLI has several (a subagent's, for example) and names them. */
const session = Schema.optionalKey(Schema.String)
/** The id of a question, if several may be open at once. */
const question = Schema.optionalKey(Schema.String)
/** The directory of the CLI with its session, as the CLI reports it; not the directory of one tool call's command. */
const directory = Schema.optionalKey(Schema.String)

/**
 * An event of a lifecycle hook, a plugin, a transcript or a CLI's own status file, in one form for all CLIs. Providers
 * translate their CLI's events into these, so that the shared rules depend on no CLI.
 */
export const Signal = Schema.TaggedUnion({
  /** `parent`: for a subagent's session, the session to which it belongs. */
  SessionStarted: {
    sessionId: Schema.NullOr(Schema.String),
    transcriptPath: Schema.NullOr(Schema.String),
    source: Schema.String,
    directory,
    parent: Schema.optionalKey(Schema.NullOr(Schema.String))
  },
  SessionEnded: { reason: Schema.String },
  /**
   * A turn began. `prompt`: its text, if the CLI reports it. `own`: background work began it, not a person. `goesOn`:
   * it continues the last turn, although its end was reported. `afterLimit`: the CLI itself continues work that a usage
   * limit cut off.
   */
  TurnStarted: {
    prompt: Schema.NullOr(Schema.String),
    own: Schema.Boolean,
    goesOn: Schema.optionalKey(Schema.Boolean),
    afterLimit: Schema.optionalKey(Schema.Boolean),
    session
  },
  ToolStarted: { tool: Schema.String, id: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String), session },
  ToolEnded: { tool: Schema.String, id: Schema.NullOr(Schema.String), agent: Schema.NullOr(Schema.String), session },
  /**
   * A tool has run, according to the CLI's record, not to its hook; if hooks work, one has asked about it. `at`: when
   * it began or ended, by that record. `ok` false: it may not have reached its hook.
   */
  ToolRan: {
    tool: Schema.NullOr(Schema.String),
    id: Schema.NullOr(Schema.String),
    at: Schema.Finite,
    ok: Schema.Boolean
  },
  /** The CLI's record has something else of the model's, which no hook and no other signal tells. */
  ModelActed: {},
  /** The CLI asks: a permission, a question, a plan approval, an elicitation. */
  Asked: {
    kind: Schema.Literals(["permission", "question", "plan", "elicitation"]),
    tool: Schema.NullOr(Schema.String),
    message: Schema.NullOr(Schema.String),
    id: question
  },
  /** The CLI's question was answered, by anyone. */
  Answered: { id: question },
  /** The CLI reports that the turn is over. Other stop hooks may still run, and a typed-ahead prompt may follow. */
  TurnEnded: {
    response: Schema.NullOr(Schema.String),
    background: Schema.NullOr(Schema.Array(BackgroundTask)),
    session
  },
  /**
   * The turn failed. `ends`: this is the CLI's last report of the turn; without it, a `TurnEnded` may follow. `at`: the
   * time in the CLI's own record, in milliseconds since the epoch; absent if it is reported immediately.
   */
  TurnFailed: {
    problem: Schema.NullOr(Problem),
    message: Schema.String,
    ends: Schema.optionalKey(Schema.Boolean),
    at: Schema.optionalKey(Schema.Finite),
    session
  },
  /** A request of the turn failed. The CLI may retry it; otherwise it may report nothing more. */
  RequestFailed: { problem: Schema.NullOr(Problem), message: Schema.String, session },
  /** A text of the assistant, within a turn that continues. */
  Responded: { text: Schema.String, session },
  /** The CLI reports that the user stopped the turn, at this time (milliseconds since the epoch); null: just now. */
  Interrupted: { at: Schema.NullOr(Schema.Finite), session },
  CompactStarted: { session },
  CompactEnded: { session },
  /**
   * The CLI's own status, from its status file, or from an event at every change. `phase` `gone`: it no longer has a
   * status. `background`: background work is running.
   */
  OwnStatus: {
    phase: Schema.Literals(["work", "rest", "wait", "gone"]),
    waitingFor: Schema.NullOr(Schema.Literals(["permission", "question", "dialog"])),
    background: Schema.Boolean,
    /** The CLI's word for the status, for reasons. */
    word: Schema.String,
    sessionId: Schema.NullOr(Schema.String),
    directory,
    session
  },
  /** An event of another session (nested, or a subagent's), or one without meaning for the state. */
  Ignored: { why: Schema.String }
})
export type Signal = typeof Signal.Type
