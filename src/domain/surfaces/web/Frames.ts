import { Schema, Struct } from "effect"
import { ChangedFile } from "../../store/worktrees/Changes.ts"
import { Losses, WorktreeState } from "../../store/worktrees/Finished.ts"
import { FeedLink } from "../../words/session/Feed.ts"
import { needKinds } from "../../words/attention/Need.ts"
import { MessageStatus, TurnOutcome } from "../../words/session/Message.ts"
import { Proposal } from "../../words/session/Proposal.ts"
import { RecentWrite } from "../../words/session/RecentWrites.ts"
import { Call } from "../operations/calls.ts"
import { PushAddress } from "../webAccess/PushSubscription.ts"
import { Question, SessionState, SessionStatus } from "../../words/session/Session.ts"

/** The most characters of one text typed into a screen, and of one message. The page cuts what is pasted. */
export const typedMost = 8192
export const messageMost = 32_768
/** The most characters of a path, and of a CLI's arguments. */
const wordsMost = 4096
/** The most bytes of one frame from a page: the largest `Start`, in the longest form that JSON and UTF-8 have. */
export const frameMost = 6 * (messageMost + 2 * wordsMost) + 4096

const text = (most: number) => Schema.String.check(Schema.isMaxLength(most))
const tag = text(200)
const size = {
  cols: Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 500 })),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 200 }))
}

/** Requests of a page beside the operations of a session. They work like commands, and need the right to manage. */
export const Wish = Schema.TaggedUnion({
  Choices: {},
  /** Folders whose paths begin like this. */
  Folders: { path: text(wordsMost) },
  /** `args`: the words of a shell after `--`. `first`: the first message, or "". */
  Start: {
    cli: text(200),
    directory: text(wordsMost),
    worktree: Schema.Boolean,
    args: text(wordsMost),
    first: text(messageMost)
  },
  Earlier: {},
  Exchange: { cli: text(200), sessionId: text(1000) },
  /** Resumes a conversation, under the call's tag. */
  GoOn: { cli: text(200), sessionId: text(1000) },
  Resume: {},
  /** Goes on with its conversation in another CLI, in a new session of the name `as`. */
  Hand: { cli: text(200), as: tag },
  Forget: { force: Schema.Boolean },
  Move: { directory: text(wordsMost), restart: Schema.Boolean },
  /** Opens its directory in the user's editor, on the desktop that leap web runs on. */
  Edit: {}
})
export type Wish = typeof Wish.Type
export const wishNames = Object.keys(Wish.cases) as ReadonlyArray<Wish["_tag"]>

/** The results of requests. Every text in them is harmless to show; ids are unchanged. */
const Found = Schema.TaggedUnion({
  /** `directory`: where a session would start. */
  Choices: {
    clis: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })),
    directory: Schema.String
  },
  /**
   * `summary`: how many files differ from what. `patch`: git's patch of a file; null if it is left out because of its
   * length, or if there is none. `worktree`: its state, in a linked worktree.
   */
  Changes: {
    summary: Schema.String,
    files: Schema.Array(Schema.Struct({ ...ChangedFile.fields, patch: Schema.NullOr(Schema.String) })),
    /** How many files the list leaves out. */
    unlisted: Schema.Int,
    worktree: Schema.NullOr(WorktreeState)
  },
  /** The losses for which `Finish` did not discard the session's worktree. */
  Losses: Losses.fields,
  /** `branch`: what is checked out in that directory; null if it is no repository. */
  Folders: { paths: Schema.Array(Schema.String), branch: Schema.NullOr(Schema.String) },
  /** `lastSeen`: milliseconds since the epoch, or 0; `liveAs`: the running session with this conversation. */
  Earlier: {
    rows: Schema.Array(
      Schema.Struct({
        tag: Schema.String,
        cli: Schema.String,
        name: Schema.String,
        sessionId: Schema.String,
        place: Schema.String,
        lastSeen: Schema.Finite,
        liveAs: Schema.NullOr(Schema.String),
        missing: Schema.Boolean
      })
    )
  }
})
export type Found = typeof Found.Type
export type FoundAs<Name extends Found["_tag"]> = Extract<Found, { readonly _tag: Name }>

/**
 * What a page sends. `Begin` comes first. `Ack`: how many frames it has taken so far; without it the server soon stops
 * sending. `Ping` asks for a `Pong`. `Fit`: the session's terminal takes this size.
 */
export const ClientFrame = Schema.TaggedUnion({
  Begin: { key: text(200) },
  Ack: { taken: Schema.Int },
  Ping: {},
  Show: { tag, typing: Schema.Boolean },
  Hide: {},
  Type: { data: text(typedMost) },
  Fit: size,
  /** An operation of a session (`Answer` with the question as the page showed it), or a request. */
  Call: { id: Schema.Int, tag, call: Schema.Union([Call, Wish]) },
  /** Pushes to this browser from now on, none any more, or one to try it. */
  Subscribe: { id: Schema.Int, address: PushAddress },
  Unsubscribe: { id: Schema.Int },
  TestPush: { id: Schema.Int }
})
export type ClientFrame = typeof ClientFrame.Type

const WebMessage = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  status: MessageStatus,
  /** `text` is complete and unchanged, so that it can be edited. */
  whole: Schema.Boolean,
  outcome: Schema.NullOr(TurnOutcome),
  why: Schema.NullOr(Schema.String)
})

/** One session as a page shows it: no text in it can reorder or hide others. Times are milliseconds since the epoch. */
export const WebSession = Schema.Struct({
  ...Struct.pick(SessionStatus.fields, ["tag", "cli", "state", "reason", "cwd", "attached", "modes"]),
  ...Struct.pick(SessionStatus.fields, ["lastMessage", "lastResponse"]),
  link: FeedLink,
  /** What its row says: its need, its activity, or at rest its answer. */
  now: Schema.String,
  since: Schema.Finite,
  branch: Schema.NullOr(Schema.String),
  question: Schema.NullOr(Question),
  /** What that dialog asks for in full; null if that is not known. */
  proposal: Schema.NullOr(Proposal),
  problem: Schema.NullOr(Schema.String),
  /** What it needs of its user, the most urgent first. */
  needs: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(needKinds),
      /** ISO 8601, from its host: with kind and id it identifies the need. */
      since: Schema.String,
      id: Schema.String,
      /** When it ends by itself; null if only the user ends it. */
      until: Schema.NullOr(Schema.Finite),
      text: Schema.String
    })
  ),
  /** Why no queued message is sent, as `SessionStatus.pause` says. `end`: how the user ends this (`pauseEnd`). */
  pause: Schema.NullOr(
    Schema.Struct({ text: Schema.String, end: Schema.NullOr(Schema.Literals(["retry", "release"])) })
  ),
  queue: Schema.Array(WebMessage),
  /** What its CLI was about to write in the last minutes. */
  writes: Schema.Array(RecentWrite),
  context: Schema.String,
  cost: Schema.String,
  /** Numbers for charts: percent of the context's window, and US dollars. */
  figures: Schema.Struct({ context: Schema.NullOr(Schema.Finite), usd: Schema.NullOr(Schema.Finite) }),
  exit: Schema.NullOr(Schema.String)
})
export type WebSession = typeof WebSession.Type

/** A session's state from `from` on (milliseconds since the epoch), until its next span begins. */
export const Span = Schema.Struct({ state: SessionState, from: Schema.Finite })
export type Span = typeof Span.Type

/** A session's figures from `at` on (milliseconds since the epoch), until its next point. */
export const Point = Schema.Struct({
  at: Schema.Finite,
  context: Schema.NullOr(Schema.Finite),
  usd: Schema.NullOr(Schema.Finite)
})
export type Point = typeof Point.Type

/**
 * What a page receives. `Pong`: the server is there; sent regularly and after a `Ping`. `Sessions` replaces all.
 * `Shown`: what follows is this session's screen, of this size.
 */
export const ServerFrame = Schema.TaggedUnion({
  /** `may`: the operations and requests that this browser may make. */
  Hello: { version: Schema.String, may: Schema.Array(Schema.String), now: Schema.Finite },
  Pong: {},
  /** The pushes to this browser: the server's key, since when, and why the last one failed, or why there are none. */
  Pushes: {
    key: Schema.NullOr(Schema.String),
    since: Schema.NullOr(Schema.Finite),
    failure: Schema.NullOr(Schema.String)
  },
  Sessions: {
    sessions: Schema.Array(WebSession),
    timeline: Schema.Array(Schema.Struct({ tag: Schema.String, spans: Schema.Array(Span) })),
    figures: Schema.Array(Schema.Struct({ tag: Schema.String, points: Schema.Array(Point) }))
  },
  Changed: { session: WebSession },
  Gone: { tag: Schema.String },
  Shown: { tag: Schema.String, typing: Schema.Boolean, cols: Schema.Int, rows: Schema.Int },
  /** Replaces all that was drawn. `data`: base64 of bytes for the terminal. */
  Repaint: { data: Schema.String },
  Output: { data: Schema.String },
  /** The screen is no longer shown, for this reason. */
  Unshown: { tag: Schema.String, why: Schema.String },
  /** The outcome of a call, and a note about it. `text`: a requested text to read. */
  Answered: {
    id: Schema.Int,
    isDone: Schema.Boolean,
    said: Schema.String,
    text: Schema.NullOr(Schema.String),
    found: Schema.optionalKey(Found)
  }
})
export type ServerFrame = typeof ServerFrame.Type
