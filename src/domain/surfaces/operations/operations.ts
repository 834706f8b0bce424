import { Schema } from "effect"
import { AttachFrame, RecordFrame, TakenDraft } from "./frames.ts"
import { Changes } from "../../store/worktrees/Changes.ts"
import { finishes } from "../../store/worktrees/Finish.ts"
import { Finished } from "../../store/worktrees/Finished.ts"
import { Explanation } from "../../words/session/Explanation.ts"
import { Figure } from "../../words/session/metrics.ts"
import { Condition, QueuedMessage } from "../../words/session/Message.ts"
import { ExitStatus, Modes, ModesChange, NeedName, Question, SessionStatus } from "../../words/session/Session.ts"

/** The rights that a caller may have. */
export const rights = ["read", "send", "answer", "type", "manage"] as const
/** The right that a caller needs: look, send messages, answer dialogs, use the terminal, manage the session. */
export type Right = (typeof rights)[number]

/**
 * An operation of one session. `repeats`: twice has the same effect as once, so it is repeated if no answer came.
 * `refuses`: the host may refuse it, with a reason. `streams`: it returns `result` repeatedly.
 */
export interface Operation {
  readonly right: Right
  readonly repeats?: true
  readonly payload?: Schema.Struct.Fields
  readonly result?: Schema.Top
  readonly refuses?: true
  readonly streams?: true
}

const operation = <const O extends Operation>(given: O): O => given

const size = {
  cols: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 })),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 }))
}

/** The messages that a change concerned, if the host reports them. */
const changed = Schema.optionalKey(Schema.Array(QueuedMessage))

const queueChange = { right: "send", repeats: true, refuses: true } as const

/** The operations of a session. */
export const operations = {
  /** Identifies the host. `ended`: the CLI has ended, and the host is about to exit. */
  Hello: operation({
    right: "read",
    result: Schema.Struct({
      protocol: Schema.Int,
      version: Schema.String,
      tag: Schema.String,
      hostPid: Schema.Int,
      ended: Schema.Boolean,
      /** `recall`: the host recalls prompts. `recalls`: its CLI cannot. `readsStatus`: it takes that frame. */
      can: Schema.optionalKey(Schema.Array(Schema.String))
    })
  }),
  Status: operation({
    right: "read",
    result: SessionStatus
  }),
  /** Why the session is in its state. Times are milliseconds since the epoch. */
  Why: operation({
    right: "read",
    result: Schema.Struct({
      now: Schema.Finite,
      ready: Schema.Boolean,
      since: Schema.Finite,
      ...Explanation.fields
    })
  }),
  /**
   * The changes of its directory's work tree since a commit, or since a moment of the session. `against`: any name of a
   * commit; `:turn`, `:start`: when its last turn, or it, began; null: the last commit, or in a linked worktree the
   * commit where it branched off.
   */
  Changes: operation({
    right: "read",
    payload: { against: Schema.NullOr(Schema.String) },
    result: Changes,
    refuses: true
  }),
  /**
   * Finishes the session's worktree: commits everything in it (with `message`) and merges its branch into its base, the
   * branch that the main work tree has checked out, or rebases it first; or discards the worktree of an ended session.
   * Does all or nothing. `base`: refused if the base is another now. `losses`: the id of the losses to which the user
   * agrees.
   */
  Finish: operation({
    right: "manage",
    payload: {
      how: Schema.Literals(finishes),
      message: Schema.NullOr(Schema.String),
      base: Schema.NullOr(Schema.String),
      losses: Schema.NullOr(Schema.String)
    },
    result: Finished,
    refuses: true
  }),
  /** The status now, then at each change. Ends when the session has ended. */
  Watch: operation({
    right: "read",
    result: SessionStatus,
    streams: true
  }),
  /**
   * Queues a message. With the caller's own `id`, a repeated message is queued only once. `from`: an agent wrote it, in
   * the session of that tag or `outside`, as number `hops` in a chain of such messages. A host without `Post` would
   * take it for the user's message.
   */
  Send: operation({
    right: "send",
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
    result: Schema.Struct({ id: Schema.String }),
    refuses: true
  }),
  /** Permission for this session's agent to send one message, with the number of hops since the user's last message. */
  Post: operation({
    right: "send",
    payload: { to: Schema.String },
    result: Schema.Struct({ hops: Schema.Int }),
    refuses: true
  }),
  /** One message's receipt now, then at each step. Ends with done, failed, held or removed, or with the session. */
  Receipt: operation({
    right: "read",
    payload: { id: Schema.String },
    result: QueuedMessage,
    refuses: true,
    streams: true
  }),
  /** The CLI's answer to a done message; null if none is reported. `failure`: why its turn failed. */
  Response: operation({
    right: "read",
    payload: { id: Schema.String },
    result: Schema.Struct({
      text: Schema.NullOr(Schema.String),
      failure: Schema.optionalKey(Schema.String)
    }),
    refuses: true
  }),
  /** `queue`: failed messages, then the unfinished ones in order. `recent`: the other receipts, newest last. */
  Queue: operation({
    right: "read",
    result: Schema.Struct({ queue: Schema.Array(QueuedMessage), recent: Schema.Array(QueuedMessage) })
  }),
  QueueEdit: operation({ ...queueChange, payload: { id: Schema.String, text: Schema.String } }),
  /** `position` counts from 1 among the waiting messages. */
  QueueMove: operation({ ...queueChange, payload: { id: Schema.String, position: Schema.Int } }),
  QueueRemove: operation({ ...queueChange, payload: { id: Schema.String } }),
  QueueClear: operation({ ...queueChange, result: Schema.Struct({ removed: Schema.Int, messages: changed }) }),
  /** Releases held messages: one, or all if `id` is null. */
  QueueRelease: operation({
    ...queueChange,
    payload: { id: Schema.NullOr(Schema.String) },
    result: Schema.Struct({ released: Schema.Int, messages: changed })
  }),
  /** Retries one message whose turn failed, or all (`id` null); then sends the messages that waited `behind` them. */
  QueueRetry: operation({
    right: "send",
    payload: { id: Schema.NullOr(Schema.String) },
    result: Schema.Struct({ retried: Schema.Int, messages: changed, behind: changed }),
    refuses: true
  }),
  /** Holds waiting messages until they are released: one, or all if `id` is null. */
  QueueHold: operation({
    ...queueChange,
    payload: { id: Schema.NullOr(Schema.String) },
    result: Schema.Struct({ held: Schema.Int, messages: changed })
  }),
  /** Sends a waiting message next, without waiting for ready, but never into a dialog. */
  QueueForce: operation({ ...queueChange, payload: { id: Schema.String } }),
  /** Answers the dialog on the screen, if it is the `question` that the user saw. `from`: an agent (see `Send`). */
  Answer: operation({
    right: "answer",
    payload: {
      answer: Schema.String,
      question: Schema.optionalKey(Question),
      from: Schema.optionalKey(Schema.String)
    },
    result: Schema.Struct({ dialog: Schema.String, answer: Schema.String }),
    refuses: true
  }),
  /** Presses keys, by their names. Text is typed only if no dialog would take it for an answer, or with `force`. */
  Keys: operation({
    right: "type",
    payload: { keys: Schema.Array(Schema.String), force: Schema.Boolean },
    refuses: true
  }),
  Interrupt: operation({
    right: "type",
    refuses: true
  }),
  /** The user's unsent text in the CLI's box; null if there is none, or if it is uncertain. */
  Draft: operation({
    right: "read",
    result: Schema.Struct({ text: Schema.NullOr(Schema.String) })
  }),
  /** Takes that text out of the box, if it is still there. */
  TakeDraft: operation({
    right: "type",
    repeats: true,
    payload: { text: Schema.String },
    result: Schema.Struct({ outcome: TakenDraft })
  }),
  /** Puts a text into the box, unsent. */
  PutDraft: operation({
    right: "type",
    payload: { text: Schema.String },
    refuses: true
  }),
  /**
   * An arrow key (base64) of a viewer's terminal. At the CLI's prompt it recalls an older or (without `older`) a newer
   * prompt; everywhere else it goes to the CLI. `lost`: the text of the box, if it could not be restored there.
   */
  Recall: operation({
    right: "type",
    payload: { viewer: Schema.String, data: Schema.String, older: Schema.Boolean },
    result: Schema.Struct({ lost: Schema.NullOr(Schema.String) })
  }),
  /** Ends the session: politely, or immediately with `force`. Returns when the CLI has exited. */
  Stop: operation({
    right: "manage",
    repeats: true,
    payload: { force: Schema.Boolean },
    result: ExitStatus,
    refuses: true
  }),
  /** Changes the given modes, and returns all. */
  SetModes: operation({
    right: "manage",
    repeats: true,
    payload: { modes: ModesChange },
    result: Modes,
    refuses: true
  }),
  /** Dismisses needs, the given ones or (null) all: no surface shows them again. Returns how many there were. */
  Dismiss: operation({
    right: "send",
    repeats: true,
    payload: { needs: Schema.NullOr(Schema.Array(NeedName)) },
    result: Schema.Struct({ dismissed: Schema.Int })
  }),
  /** The user is looking at the session elsewhere than in its terminal: notices are delayed for a moment. */
  Seen: operation({
    right: "read"
  }),
  /** The host's counts and measurements since it began. */
  Figures: operation({
    right: "read",
    result: Schema.Struct({ figures: Schema.Array(Figure) })
  }),
  Screen: operation({
    right: "read",
    result: Schema.Struct({ text: Schema.String, cols: Schema.Int, rows: Schema.Int })
  }),
  /** A viewer: a repaint, then the output, then the exit. Ends with the connection. */
  Attach: operation({
    right: "read",
    payload: {
      viewer: Schema.String,
      ...size,
      readOnly: Schema.Boolean,
      programStatus: Schema.Boolean,
      notices: Schema.optionalKey(Schema.Boolean)
    },
    result: AttachFrame,
    refuses: true,
    streams: true
  }),
  /** The session's input and output. `past`: as far back as it is stored. `follow`: until it ends. */
  Record: operation({
    right: "read",
    payload: { past: Schema.Boolean, follow: Schema.Boolean },
    result: RecordFrame,
    streams: true
  }),
  /** Bytes (base64) from the viewer's terminal. */
  Input: operation({
    right: "type",
    payload: { viewer: Schema.String, data: Schema.String }
  }),
  /** The size of the viewer's terminal. Its last `reserved` rows are left to the viewer's own program. */
  Resize: operation({
    right: "type",
    repeats: true,
    payload: { viewer: Schema.String, ...size, reserved: Schema.optionalKey(Schema.Int) }
  })
}

/** The name of an operation. */
export type OperationName = keyof typeof operations

/** An operation that returns its result repeatedly. */
export type StreamName = {
  readonly [Name in OperationName]: (typeof operations)[Name] extends { readonly streams: true } ? Name : never
}[OperationName]

/** The right that a caller of an operation needs. */
export const rightOf = (name: OperationName): Right => operations[name].right

/** The operation does more than read. */
export const changes = (name: OperationName): boolean => rightOf(name) !== "read"

/** The operation may be repeated if no answer came. */
export const repeats = (name: OperationName): boolean => !changes(name) || "repeats" in operations[name]
