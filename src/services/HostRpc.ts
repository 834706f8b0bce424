import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { RefusedError } from "./HostProtocol.ts"
import { Notice } from "../domain/notify/Notice.ts"
import { Condition, QueuedMessage } from "../domain/session/Message.ts"
import { ExitStatus, Modes, ModesChange, Question, SessionState, SessionStatus } from "../domain/session/Session.ts"

/** One part of what an attached viewer displays. `data`: base64 of bytes for the terminal. */
export const AttachFrame = Schema.TaggedUnion({
  /** Draws the whole screen, but for the reserved rows at its bottom, and replaces all earlier output. */
  Repaint: { data: Schema.String, reserved: Schema.optionalKey(Schema.Int) },
  Output: { data: Schema.String },
  /** Tells the user something, for a viewer that asked for it. */
  Notice: { notice: Notice },
  Exited: { exit: ExitStatus }
})
export type AttachFrame = typeof AttachFrame.Type

/** The classification that one rule of the state machine's table gives. */
const RuleAnswer = Schema.Struct({ rule: Schema.String, state: SessionState, reason: Schema.String })

/** One event of a session in the form of an asciicast line; `at` is milliseconds since the epoch. */
const RecordedLine = Schema.Struct({
  at: Schema.Finite,
  code: Schema.Literals(["o", "i", "r", "m"]),
  data: Schema.String
})

/** A recording: first the values of its header, then its lines. */
export const RecordFrame = Schema.TaggedUnion({
  Begun: { cols: Schema.Int, rows: Schema.Int, cli: Schema.String, version: Schema.String, at: Schema.Finite },
  Lines: { lines: Schema.Array(RecordedLine) }
})
export type RecordFrame = typeof RecordFrame.Type

const size = {
  cols: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 })),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 }))
}

/** What became of the text in the CLI's box that was to be taken out; in `doubt` it may still go. */
const TakenDraft = Schema.Literals(["taken", "left", "doubt"])
export type TakenDraft = typeof TakenDraft.Type

/** The messages that a change was about, where the host tells. */
const changed = Schema.optionalKey(Schema.Array(QueuedMessage))

/** The procedures of a session's host on its control socket (Effect RPC, NDJSON). */
export class HostRpc extends RpcGroup.make(
  /** Identifies the host. `ended`: the CLI has ended, and the host is about to exit. */
  Rpc.make("Hello", {
    success: Schema.Struct({
      protocol: Schema.Int,
      version: Schema.String,
      tag: Schema.String,
      hostPid: Schema.Int,
      ended: Schema.Boolean,
      /**
       * What this host can do that older ones of this protocol cannot; `reserve`: leave rows to a viewer's program;
       * `post`: take messages and answers of agents as such; `notices`: tell a viewer's user what the session needs;
       * `conditions`: keep a message until something is the case; `drafts`: give and take the text in the CLI's box;
       * `channel`: serve an attach channel on its socket; `recall`: bring back what was typed before; `recalls`: its
       * CLI does not do so itself.
       */
      can: Schema.optionalKey(Schema.Array(Schema.String))
    })
  }),
  Rpc.make("Status", { success: SessionStatus }),
  /** Why the session is in its state. Times are milliseconds since the epoch. */
  Rpc.make("Why", {
    success: Schema.Struct({
      now: Schema.Finite,
      ready: Schema.Boolean,
      since: Schema.Finite,
      decided: RuleAnswer,
      overruled: Schema.Array(RuleAnswer),
      holds: Schema.Array(Schema.Struct({ name: Schema.String, why: Schema.String })),
      evidence: Schema.Array(
        Schema.Struct({ source: Schema.String, says: Schema.String, since: Schema.NullOr(Schema.Finite) })
      )
    })
  }),
  /** The status now, then at each change; ends when the session has ended. */
  Rpc.make("Watch", { success: SessionStatus, stream: true }),
  /**
   * Queues a message. With an `id` of the caller's, sent again it is queued no second time. `from`: an agent wrote it,
   * in the session of that tag or `outside`, and it is the `hops`th of a chain of such messages. A host that cannot
   * `post` would take it for the user's.
   */
  Rpc.make("Send", {
    payload: {
      id: Schema.optionalKey(Schema.String),
      text: Schema.String,
      images: Schema.Array(Schema.String),
      front: Schema.Boolean,
      force: Schema.Boolean,
      when: Schema.optionalKey(Schema.Array(Condition)),
      from: Schema.optionalKey(Schema.String),
      hops: Schema.optionalKey(Schema.Int)
    },
    success: Schema.Struct({ id: Schema.String }),
    error: RefusedError
  }),
  /**
   * Leave for this session's agent to send one message to another session, which is counted: how many hops it is from
   * the user's last word.
   */
  Rpc.make("Post", {
    payload: { to: Schema.String },
    success: Schema.Struct({ hops: Schema.Int }),
    error: RefusedError
  }),
  /** One message's receipt now, then at each step; ends with done, failed or held, or when the session ends. */
  Rpc.make("Receipt", { payload: { id: Schema.String }, success: QueuedMessage, error: RefusedError, stream: true }),
  /**
   * The CLI's answer to a message that is done; null when the CLI does not report it. Waits for it for a short time.
   * `failure`: why its turn failed, where the CLI reports that, also later than the turn was seen to be over.
   */
  Rpc.make("Response", {
    payload: { id: Schema.String },
    success: Schema.Struct({
      text: Schema.NullOr(Schema.String),
      failure: Schema.optionalKey(Schema.String)
    }),
    error: RefusedError
  }),
  /** Waiting messages in order, then recent receipts, newest last. */
  Rpc.make("Queue", {
    success: Schema.Struct({ queue: Schema.Array(QueuedMessage), recent: Schema.Array(QueuedMessage) })
  }),
  Rpc.make("QueueEdit", { payload: { id: Schema.String, text: Schema.String }, error: RefusedError }),
  /** `position` counts from 1 among the waiting messages. */
  Rpc.make("QueueMove", { payload: { id: Schema.String, position: Schema.Int }, error: RefusedError }),
  Rpc.make("QueueRemove", { payload: { id: Schema.String }, error: RefusedError }),
  Rpc.make("QueueClear", { success: Schema.Struct({ removed: Schema.Int, messages: changed }), error: RefusedError }),
  /** Lets held messages go out again: one, or all with `id` null. */
  Rpc.make("QueueRelease", {
    payload: { id: Schema.NullOr(Schema.String) },
    success: Schema.Struct({ released: Schema.Int, messages: changed }),
    error: RefusedError
  }),
  /** Lets messages go out again whose turns failed, and what waits behind them: one, or all with `id` null. */
  Rpc.make("QueueRetry", {
    payload: { id: Schema.NullOr(Schema.String) },
    success: Schema.Struct({ retried: Schema.Int, messages: changed }),
    error: RefusedError
  }),
  /** Keeps waiting messages back until they are released: one, or all with `id` null. */
  Rpc.make("QueueHold", {
    payload: { id: Schema.NullOr(Schema.String) },
    success: Schema.Struct({ held: Schema.Int, messages: changed }),
    error: RefusedError
  }),
  /** Lets a waiting message go next, without waiting for ready (never into a dialog). */
  Rpc.make("QueueForce", { payload: { id: Schema.String }, error: RefusedError }),
  /**
   * Answers the dialog on the screen; returns the dialog's title and the option or text that answered it. `question`:
   * the dialog that the user saw; another one is not answered. `from`: an agent answers (see `Send`).
   */
  Rpc.make("Answer", {
    payload: {
      answer: Schema.String,
      question: Schema.optionalKey(Question),
      from: Schema.optionalKey(Schema.String)
    },
    success: Schema.Struct({ dialog: Schema.String, answer: Schema.String }),
    error: RefusedError
  }),
  /** Presses keys, by their names; text only where no dialog would take it for an answer, or with `force`. */
  Rpc.make("Keys", { payload: { keys: Schema.Array(Schema.String), force: Schema.Boolean }, error: RefusedError }),
  Rpc.make("Interrupt", { error: RefusedError }),
  /** The user's unsent text in the CLI's box; null where there is none, or it cannot be told with certainty. */
  Rpc.make("Draft", { success: Schema.Struct({ text: Schema.NullOr(Schema.String) }) }),
  /** Takes that text out of the box, if it still stands there. */
  Rpc.make("TakeDraft", { payload: { text: Schema.String }, success: Schema.Struct({ outcome: TakenDraft }) }),
  /** Puts a text into the box, unsent. */
  Rpc.make("PutDraft", { payload: { text: Schema.String }, error: RefusedError }),
  /**
   * An arrow key (base64) of a viewer's terminal: at the CLI's prompt it brings back what was typed before, or after
   * (not `older`), and goes to the CLI everywhere else. What stood in the box is `lost` where it could not be kept
   * there.
   */
  Rpc.make("Recall", {
    payload: { viewer: Schema.String, data: Schema.String, older: Schema.Boolean },
    success: Schema.Struct({ lost: Schema.NullOr(Schema.String) })
  }),
  /** Ends the session: politely, or at once with `force`. Returns when the CLI is gone. */
  Rpc.make("Stop", { payload: { force: Schema.Boolean }, success: ExitStatus, error: RefusedError }),
  /** Changes the modes that are given, and returns all. */
  Rpc.make("SetModes", { payload: { modes: ModesChange }, success: Modes, error: RefusedError }),
  Rpc.make("Screen", { success: Schema.Struct({ text: Schema.String, cols: Schema.Int, rows: Schema.Int }) }),
  /** A viewer: repaint, then output as it comes, then the exit. Ends when the connection does. */
  Rpc.make("Attach", {
    payload: {
      viewer: Schema.String,
      ...size,
      readOnly: Schema.Boolean,
      programStatus: Schema.Boolean,
      notices: Schema.optionalKey(Schema.Boolean)
    },
    success: AttachFrame,
    error: RefusedError,
    stream: true
  }),
  /**
   * The session's input and output: with `past` from as far back as the host has kept it, with `follow` on until the
   * session ends.
   */
  Rpc.make("Record", { payload: { past: Schema.Boolean, follow: Schema.Boolean }, success: RecordFrame, stream: true }),
  /** Bytes (base64) that came from the viewer's terminal. */
  Rpc.make("Input", { payload: { viewer: Schema.String, data: Schema.String } }),
  /** The size of the viewer's terminal; the last `reserved` rows of it are left to the viewer's own program. */
  Rpc.make("Resize", { payload: { viewer: Schema.String, ...size, reserved: Schema.optionalKey(Schema.Int) } })
) {}
