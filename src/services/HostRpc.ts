import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { QueuedMessage } from "../domain/Message.ts"
import { ExitStatus, Modes, ModesChange, SessionState, SessionStatus } from "../domain/Session.ts"

/** Version of the control protocol. A host and a client of different versions refuse each other with a clear line. */
export const protocolVersion = 1

/** The host understood and will not: nothing changed. `exitCode` is the client's (2 bad input, 3 no such id, 5 refused). */
export class RefusedError extends Schema.TaggedError<RefusedError>()("RefusedError", {
  why: Schema.String,
  exitCode: Schema.Literals([1, 2, 3, 5])
}) {
  override get message() {
    return this.why
  }
}

/** One piece of what an attached viewer sees. `data`: base64 of bytes for the terminal. */
export const AttachFrame = Schema.TaggedUnion({
  /** Draws the whole screen; what came before is void. */
  Repaint: { data: Schema.String },
  Output: { data: Schema.String },
  Exited: { exit: ExitStatus }
})
export type AttachFrame = typeof AttachFrame.Type

/** What one rule of the state machine's table answers. */
const RuleAnswer = Schema.Struct({ rule: Schema.String, state: SessionState, reason: Schema.String })

/** One thing that happened in a session, as an asciicast line has it; `at` is milliseconds since the epoch. */
const RecordedLine = Schema.Struct({ at: Schema.Finite, code: Schema.Literals(["o", "i", "r", "m"]), data: Schema.String })

/** A recording: first what its header says, then its lines. */
export const RecordFrame = Schema.TaggedUnion({
  Begun: { cols: Schema.Int, rows: Schema.Int, cli: Schema.String, version: Schema.String, at: Schema.Finite },
  Lines: { lines: Schema.Array(RecordedLine) }
})
export type RecordFrame = typeof RecordFrame.Type

const size = { cols: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 })), rows: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 })) }

/** What a session's host answers on its control socket (Effect RPC, NDJSON). */
export class HostRpc extends RpcGroup.make(
  /** Who is there. `ended`: the CLI has, and the host is about to go. */
  Rpc.make("Hello", {
    success: Schema.Struct({ protocol: Schema.Int, version: Schema.String, tag: Schema.String, hostPid: Schema.Int, ended: Schema.Boolean })
  }),
  Rpc.make("Status", { success: SessionStatus }),
  /** Why it is in its state. Times are milliseconds since the epoch. */
  Rpc.make("Why", {
    success: Schema.Struct({
      now: Schema.Finite,
      ready: Schema.Boolean,
      since: Schema.Finite,
      decided: RuleAnswer,
      overruled: Schema.Array(RuleAnswer),
      holds: Schema.Array(Schema.Struct({ name: Schema.String, why: Schema.String })),
      evidence: Schema.Array(Schema.Struct({ source: Schema.String, says: Schema.String, since: Schema.NullOr(Schema.Finite) }))
    })
  }),
  /** The status now, then at each change; ends when the session has ended. */
  Rpc.make("Watch", { success: SessionStatus, stream: true }),
  Rpc.make("Send", {
    payload: {
      text: Schema.String,
      images: Schema.Array(Schema.String),
      front: Schema.Boolean,
      force: Schema.Boolean
    },
    success: Schema.Struct({ id: Schema.String }),
    error: RefusedError
  }),
  /** One message's receipt now, then at each step; ends with done, failed or held, or when the session ends. */
  Rpc.make("Receipt", { payload: { id: Schema.String }, success: QueuedMessage, error: RefusedError, stream: true }),
  /** What the CLI answered to a message that is done; null when it does not tell. Waits a moment for it. */
  Rpc.make("Response", { payload: { id: Schema.String }, success: Schema.Struct({ text: Schema.NullOr(Schema.String) }), error: RefusedError }),
  /** Waiting messages in order, then recent receipts, newest last. */
  Rpc.make("Queue", { success: Schema.Struct({ queue: Schema.Array(QueuedMessage), recent: Schema.Array(QueuedMessage) }) }),
  Rpc.make("QueueEdit", { payload: { id: Schema.String, text: Schema.String }, error: RefusedError }),
  /** `position` counts from 1 among the waiting messages. */
  Rpc.make("QueueMove", { payload: { id: Schema.String, position: Schema.Int }, error: RefusedError }),
  Rpc.make("QueueRemove", { payload: { id: Schema.String }, error: RefusedError }),
  Rpc.make("QueueClear", { success: Schema.Struct({ removed: Schema.Int }), error: RefusedError }),
  /** Lets held messages go out again: one, or all with `id` null. */
  Rpc.make("QueueRelease", { payload: { id: Schema.NullOr(Schema.String) }, success: Schema.Struct({ released: Schema.Int }), error: RefusedError }),
  /** Answers what is on screen; gives back the dialog's title and the option or text that answered it. */
  Rpc.make("Answer", {
    payload: { answer: Schema.String },
    success: Schema.Struct({ dialog: Schema.String, answer: Schema.String }),
    error: RefusedError
  }),
  Rpc.make("Interrupt", { error: RefusedError }),
  /** Ends the session: politely, or at once with `force`. Answers when the CLI is gone. */
  Rpc.make("Stop", { payload: { force: Schema.Boolean }, success: ExitStatus, error: RefusedError }),
  /** Changes the modes that are named, and gives back all. */
  Rpc.make("SetModes", { payload: { modes: ModesChange }, success: Modes, error: RefusedError }),
  Rpc.make("Screen", { success: Schema.Struct({ text: Schema.String, cols: Schema.Int, rows: Schema.Int }) }),
  /** A viewer: repaint, then output as it comes, then the exit. Ends when the connection does. */
  Rpc.make("Attach", {
    payload: { viewer: Schema.String, ...size, readOnly: Schema.Boolean, programStatus: Schema.Boolean },
    success: AttachFrame,
    error: RefusedError,
    stream: true
  }),
  /** What went in and out: with `past` from as far back as the host remembers, with `follow` on until the session ends. */
  Rpc.make("Record", { payload: { past: Schema.Boolean, follow: Schema.Boolean }, success: RecordFrame, stream: true }),
  /** Bytes (base64) that came from the viewer's terminal. */
  Rpc.make("Input", { payload: { viewer: Schema.String, data: Schema.String } }),
  Rpc.make("Resize", { payload: { viewer: Schema.String, ...size } })
) {}
