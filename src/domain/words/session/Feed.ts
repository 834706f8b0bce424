import { Schema } from "effect"
import { SessionStatus } from "./Session.ts"

/**
 * How a session's status is known. `joining`: as its host last wrote it, before the host was asked. `live`: its host
 * reports each change. `silent`: its host lives and does not answer; the status is the last one known. `foreign`: its
 * host speaks another protocol; the status is what it wrote. `ended`: it has no host; the status is its last one.
 */
export const FeedLink = Schema.Literals(["joining", "live", "silent", "foreign", "ended"])
export type FeedLink = typeof FeedLink.Type

/** One session as the feed knows it. */
export const FeedSession = Schema.Struct({ link: FeedLink, status: SessionStatus })
export type FeedSession = typeof FeedSession.Type

/**
 * One step of the feed. `Snapshot` replaces everything known: it comes first, and again for a reader that has fallen
 * far behind. `Gone`: the session's files are deleted.
 */
export const FeedEvent = Schema.TaggedUnion({
  Snapshot: { sessions: Schema.Array(FeedSession) },
  Changed: { session: FeedSession },
  Gone: { tag: Schema.String }
})
export type FeedEvent = typeof FeedEvent.Type

/** All sessions by tag. */
export type FeedSessions = ReadonlyMap<string, FeedSession>

/** All sessions after a step. */
export const fold = (sessions: FeedSessions, event: FeedEvent): FeedSessions => {
  switch (event._tag) {
    case "Snapshot":
      return new Map(event.sessions.map((session) => [session.status.tag, session]))
    case "Changed":
      return new Map(sessions).set(event.session.status.tag, event.session)
    case "Gone": {
      const rest = new Map(sessions)
      rest.delete(event.tag)
      return rest
    }
  }
}
