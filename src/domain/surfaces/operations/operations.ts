import { Schema } from "effect"
import { AttachFrame, RecordFrame, TakenDraft } from "./frames.ts"
import { Changes } from "../../places/worktrees/Changes.ts"
import { Explanation } from "../../words/session/Explanation.ts"
import { Figure } from "../../words/session/Figure.ts"
import { Condition, QueuedMessage } from "../../words/session/Message.ts"
import { ExitStatus, Modes, ModesChange, NeedName, Question, SessionStatus } from "../../words/session/Session.ts"

/** All that somebody may be allowed to do with a session. */
export const rights = ["read", "send", "answer", "type", "manage"] as const
/** What somebody must be allowed to do: look, send messages, answer dialogs, use the terminal, manage the session. */
export type Right = (typeof rights)[number]

/**
 * An operation of one session. `repeats`: it changes something, and done twice that is as if done once, so that it may
 * be asked again where no answer came. `refuses`: its host may refuse it, with the reason. `streams`: it tells `result`
 * again and again.
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

/** The messages that a change was about, where the host tells. */
const changed = Schema.optionalKey(Schema.Array(QueuedMessage))

/** What can be done with a session, each operation once. */
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
      /** `recall`: what was typed before can be brought back; `recalls`: its CLI does not do that itself. */
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
   * What the work tree of its directory has that a commit has not. `against`: a commit by any name; null: in a worktree
   * the commit at which it left the main one's branch, else the last commit.
   */
  Changes: operation({
    right: "read",
    payload: { against: Schema.NullOr(Schema.String) },
    result: Changes,
    refuses: true
  }),
  /** The status now, then at each change; ends when the session has ended. */
  Watch: operation({
    right: "read",
    result: SessionStatus,
    streams: true
  }),
  /**
   * Queues a message. With an `id` of the caller's, sent again it is queued no second time. `from`: an agent wrote it,
   * in the session of that tag or `outside`, and it is the `hops`th of a chain of such messages. A host that cannot
   * `post` would take it for the user's.
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
  /** Leave for this session's agent to send one message, and how many hops that is from the user's last word. */
  Post: operation({
    right: "send",
    payload: { to: Schema.String },
    result: Schema.Struct({ hops: Schema.Int }),
    refuses: true
  }),
  /** One message's receipt now, then at each step; ends with done, failed or held, or when the session ends. */
  Receipt: operation({
    right: "read",
    payload: { id: Schema.String },
    result: QueuedMessage,
    refuses: true,
    streams: true
  }),
  /** The CLI's answer to a done message; null when none is reported. `failure`: why its turn failed. */
  Response: operation({
    right: "read",
    payload: { id: Schema.String },
    result: Schema.Struct({
      text: Schema.NullOr(Schema.String),
      failure: Schema.optionalKey(Schema.String)
    }),
    refuses: true
  }),
  /** Waiting messages in order, then recent receipts, newest last. */
  Queue: operation({
    right: "read",
    result: Schema.Struct({ queue: Schema.Array(QueuedMessage), recent: Schema.Array(QueuedMessage) })
  }),
  QueueEdit: operation({
    right: "send",
    repeats: true,
    payload: { id: Schema.String, text: Schema.String },
    refuses: true
  }),
  /** `position` counts from 1 among the waiting messages. */
  QueueMove: operation({
    right: "send",
    repeats: true,
    payload: { id: Schema.String, position: Schema.Int },
    refuses: true
  }),
  QueueRemove: operation({
    right: "send",
    repeats: true,
    payload: { id: Schema.String },
    refuses: true
  }),
  QueueClear: operation({
    right: "send",
    repeats: true,
    result: Schema.Struct({ removed: Schema.Int, messages: changed }),
    refuses: true
  }),
  /** Lets held messages go out again: one, or all with `id` null. */
  QueueRelease: operation({
    right: "send",
    repeats: true,
    payload: { id: Schema.NullOr(Schema.String) },
    result: Schema.Struct({ released: Schema.Int, messages: changed }),
    refuses: true
  }),
  /** Lets messages go out again whose turns failed: one, or all with `id` null, and what waited `behind` them. */
  QueueRetry: operation({
    right: "send",
    payload: { id: Schema.NullOr(Schema.String) },
    result: Schema.Struct({ retried: Schema.Int, messages: changed, behind: changed }),
    refuses: true
  }),
  /** Keeps waiting messages back until they are released: one, or all with `id` null. */
  QueueHold: operation({
    right: "send",
    repeats: true,
    payload: { id: Schema.NullOr(Schema.String) },
    result: Schema.Struct({ held: Schema.Int, messages: changed }),
    refuses: true
  }),
  /** Lets a waiting message go next, without waiting for ready (never into a dialog). */
  QueueForce: operation({
    right: "send",
    repeats: true,
    payload: { id: Schema.String },
    refuses: true
  }),
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
  /** Presses keys, by their names; text only where no dialog would take it for an answer, or with `force`. */
  Keys: operation({
    right: "type",
    payload: { keys: Schema.Array(Schema.String), force: Schema.Boolean },
    refuses: true
  }),
  Interrupt: operation({
    right: "type",
    refuses: true
  }),
  /** The user's unsent text in the CLI's box; null where there is none, or it cannot be told with certainty. */
  Draft: operation({
    right: "read",
    result: Schema.Struct({ text: Schema.NullOr(Schema.String) })
  }),
  /** Takes that text out of the box, if it still stands there. */
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
   * An arrow key (base64) of a viewer's terminal: at the CLI's prompt it brings back what was typed before, or after
   * (not `older`), and goes to the CLI everywhere else. What stood in the box is `lost` where it could not be kept
   * there.
   */
  Recall: operation({
    right: "type",
    payload: { viewer: Schema.String, data: Schema.String, older: Schema.Boolean },
    result: Schema.Struct({ lost: Schema.NullOr(Schema.String) })
  }),
  /** Ends the session: politely, or at once with `force`. Returns when the CLI is gone. */
  Stop: operation({
    right: "manage",
    repeats: true,
    payload: { force: Schema.Boolean },
    result: ExitStatus,
    refuses: true
  }),
  /** Changes the modes that are given, and returns all. */
  SetModes: operation({
    right: "manage",
    repeats: true,
    payload: { modes: ModesChange },
    result: Modes,
    refuses: true
  }),
  /** Puts needs aside, the given ones or (null) all: no surface tells them again. Tells how many it was. */
  Dismiss: operation({
    right: "send",
    repeats: true,
    payload: { needs: Schema.NullOr(Schema.Array(NeedName)) },
    result: Schema.Struct({ dismissed: Schema.Int })
  }),
  /** The user looks at the session now, elsewhere than in its terminal: for a moment, notices wait. */
  Seen: operation({
    right: "read"
  }),
  /** What the host has counted and measured since it began. */
  Figures: operation({
    right: "read",
    result: Schema.Struct({ figures: Schema.Array(Figure) })
  }),
  Screen: operation({
    right: "read",
    result: Schema.Struct({ text: Schema.String, cols: Schema.Int, rows: Schema.Int })
  }),
  /** A viewer: repaint, then output as it comes, then the exit. Ends when the connection does. */
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
  /** The session's input and output: with `past` from as far back as is kept, with `follow` until it ends. */
  Record: operation({
    right: "read",
    payload: { past: Schema.Boolean, follow: Schema.Boolean },
    result: RecordFrame,
    streams: true
  }),
  /** Bytes (base64) that came from the viewer's terminal. */
  Input: operation({
    right: "type",
    payload: { viewer: Schema.String, data: Schema.String }
  }),
  /** The size of the viewer's terminal; the last `reserved` rows of it are left to the viewer's own program. */
  Resize: operation({
    right: "type",
    repeats: true,
    payload: { viewer: Schema.String, ...size, reserved: Schema.optionalKey(Schema.Int) }
  })
}

/** The name of an operation: what the RPC group, rights and annotations know it by. */
export type OperationName = keyof typeof operations

/** An operation that tells its result again and again. */
export type StreamName = {
  readonly [Name in OperationName]: (typeof operations)[Name] extends { readonly streams: true } ? Name : never
}[OperationName]

/** What somebody must be allowed to do who asks for an operation. */
export const rightOf = (name: OperationName): Right => operations[name].right

/** It does more than tell something. */
export const changes = (name: OperationName): boolean => rightOf(name) !== "read"

/** It may be asked again where no answer came. */
export const repeats = (name: OperationName): boolean => !changes(name) || "repeats" in operations[name]
