import { Schema } from "effect"
import { FeedLink } from "../../words/session/Feed.ts"
import { needKinds } from "../../words/attention/Need.ts"
import { MessageStatus, TurnOutcome } from "../../words/session/Message.ts"
import { RecentWrite } from "../../words/session/RecentWrites.ts"
import { Call } from "../operations/calls.ts"
import { Modes, Question, SessionState } from "../../words/session/Session.ts"

/** The most that one text typed into a screen, and one message, may have. The page cuts what is pasted. */
export const typedMost = 8192
export const messageMost = 32_768
/** The most that a path, and the arguments of a CLI, may have. */
const wordsMost = 4096
/** The most bytes of one frame from a page: a start with all of it, in the longest form that JSON and UTF-8 have. */
export const frameMost = 6 * (messageMost + 2 * wordsMost) + 4096

const text = (most: number) => Schema.String.check(Schema.isMaxLength(most))
const tag = text(200)
const size = {
  cols: Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 500 })),
  rows: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 200 }))
}

/** What a page asks for beside the operations of a session, done as commands do it, for who may manage. */
export const Wish = Schema.TaggedUnion({
  /** What a session can be started with. */
  Choices: {},
  /** Folders whose paths go on so. */
  Folders: { path: text(wordsMost) },
  /** `args`: behind a lone `--`, in words as a shell has them. `first`: its first message, or "". */
  Start: {
    cli: text(200),
    directory: text(wordsMost),
    worktree: Schema.Boolean,
    args: text(wordsMost),
    first: text(messageMost)
  },
  /** The conversations that can be gone on with. */
  Earlier: {},
  /** The last exchange of one of them. */
  Exchange: { cli: text(200), sessionId: text(1000) },
  /** Goes on with one of them, under the tag that is said. */
  GoOn: { cli: text(200), sessionId: text(1000) },
  /** Goes on with a session that has ended. */
  Resume: {},
  Forget: { force: Schema.Boolean },
  Move: { directory: text(wordsMost), restart: Schema.Boolean },
  /** Opens its directory in the user's editor, on the desktop that leap web runs on. */
  Edit: {}
})
export type Wish = typeof Wish.Type
export const wishNames = Object.keys(Wish.cases) as ReadonlyArray<Wish["_tag"]>

/** What was looked for. Every text in it is harmless to show; ids are as they are. */
const Found = Schema.TaggedUnion({
  /** `directory`: where one would start. */
  Choices: {
    clis: Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })),
    directory: Schema.String
  },
  /** `branch`: what is checked out in that directory; null where it is no repository. */
  Folders: { paths: Schema.Array(Schema.String), branch: Schema.NullOr(Schema.String) },
  /** `lastSeen`: milliseconds since the epoch, or 0; `liveAs`: the running session that has it. */
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

/**
 * What a page sends. `Begin` comes first. `Ack`: how many frames it has taken so far; without it the server soon sends
 * no more. `Ping` asks for a `Pong`. `Fit`: the session's terminal takes this size.
 */
export const ClientFrame = Schema.TaggedUnion({
  Begin: { key: text(200) },
  Ack: { taken: Schema.Int },
  Ping: {},
  Show: { tag, typing: Schema.Boolean },
  Hide: {},
  Type: { data: text(typedMost) },
  Fit: size,
  /** An operation of a session, `Answer` with the question as the page showed it; or a wish. */
  Call: { id: Schema.Int, tag, call: Schema.Union([Call, Wish]) }
})
export type ClientFrame = typeof ClientFrame.Type

/** A message of a queue as a page shows it. */
const WebMessage = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  status: MessageStatus,
  /** `text` is all of it, as it is: it can be changed there. */
  whole: Schema.Boolean,
  outcome: Schema.NullOr(TurnOutcome),
  why: Schema.NullOr(Schema.String)
})

/** One session as a page shows it: no text in it can reorder or hide others. Times are milliseconds since the epoch. */
export const WebSession = Schema.Struct({
  tag: Schema.String,
  link: FeedLink,
  cli: Schema.String,
  state: SessionState,
  reason: Schema.String,
  since: Schema.Finite,
  cwd: Schema.String,
  branch: Schema.NullOr(Schema.String),
  attached: Schema.Int,
  message: Schema.NullOr(Schema.String),
  question: Schema.NullOr(Question),
  problem: Schema.NullOr(Schema.String),
  /** What it needs of its human, the most urgent first. */
  needs: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(needKinds),
      /** ISO 8601, as its host has it: with kind and id it names the need. */
      since: Schema.String,
      id: Schema.String,
      /** When it is over by itself; null where only the human ends it. */
      until: Schema.NullOr(Schema.Finite),
      text: Schema.String
    })
  ),
  /** Why the queue waits after a failed turn; `forUser`: until the user lets it go on. */
  pause: Schema.NullOr(Schema.Struct({ text: Schema.String, forUser: Schema.Boolean })),
  modes: Modes,
  queue: Schema.Array(WebMessage),
  /** What its CLI was about to write in the last minutes. */
  writes: Schema.Array(RecentWrite),
  context: Schema.String,
  cost: Schema.String,
  /** The same as numbers, for charts: percent of the context's window, and US dollars. */
  figures: Schema.Struct({ context: Schema.NullOr(Schema.Finite), usd: Schema.NullOr(Schema.Finite) }),
  lastMessage: Schema.NullOr(Schema.String),
  lastResponse: Schema.NullOr(Schema.String),
  exit: Schema.NullOr(Schema.String)
})
export type WebSession = typeof WebSession.Type

/** From `from` on (milliseconds since the epoch) a session was in this state, until its next span begins. */
export const Span = Schema.Struct({ state: SessionState, from: Schema.Finite })
export type Span = typeof Span.Type

/** From `at` on (milliseconds since the epoch) a session's figures were these, until its next point. */
export const Point = Schema.Struct({
  at: Schema.Finite,
  context: Schema.NullOr(Schema.Finite),
  usd: Schema.NullOr(Schema.Finite)
})
export type Point = typeof Point.Type

/**
 * What a page is told. `Pong`: the server is there, told again and again and where it is asked; `Sessions` replaces
 * all; `Shown`: what follows is this session's screen, of this size.
 */
export const ServerFrame = Schema.TaggedUnion({
  /** `may`: the operations and wishes that this browser may ask for. */
  Hello: { version: Schema.String, may: Schema.Array(Schema.String), now: Schema.Finite },
  Pong: {},
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
  /** The screen that was asked for is shown no more; null where the page asked for that. */
  Unshown: { tag: Schema.String, why: Schema.String },
  /** What became of a call, and what there is to say of it. `text`: what was asked for, as a text to read. */
  Answered: {
    id: Schema.Int,
    isDone: Schema.Boolean,
    said: Schema.String,
    text: Schema.NullOr(Schema.String),
    found: Schema.optionalKey(Found)
  }
})
export type ServerFrame = typeof ServerFrame.Type
