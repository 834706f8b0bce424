import type { FeedEvent, FeedSession, FeedSessions } from "./Feed.ts"
import { remoteName, remoteTag } from "./RemoteHost.ts"

/** The sessions of other machines by their names (`host/tag`), and the steps by which a reader gets to know them. */
export interface RemoteStep {
  readonly known: FeedSessions
  readonly events: ReadonlyArray<FeedEvent>
}

const renamed = (host: string, { link, status }: FeedSession): FeedSession => ({
  link,
  status: { ...status, tag: remoteName({ host, tag: status.tag }) }
})

/** A step of one host's feed. Its snapshot replaces that host's sessions alone. */
export const heard = (known: FeedSessions, host: string, event: FeedEvent): RemoteStep => {
  const next = new Map(known)
  const events: Array<FeedEvent> = []
  const put = (session: FeedSession): void => {
    const named = renamed(host, session)
    next.set(named.status.tag, named)
    events.push({ _tag: "Changed", session: named })
  }
  const drop = (name: string): void => {
    if (next.delete(name)) events.push({ _tag: "Gone", tag: name })
  }
  switch (event._tag) {
    case "Snapshot": {
      const present = new Set(event.sessions.map(({ status }) => remoteName({ host, tag: status.tag })))
      for (const name of known.keys()) if (remoteTag(name)?.host === host && !present.has(name)) drop(name)
      event.sessions.forEach(put)
      break
    }
    case "Changed":
      put(event.session)
      break
    case "Gone":
      drop(remoteName({ host, tag: event.tag }))
  }
  return { known: next, events }
}

/** The sessions of a host that is not reached any more, as they were last. `why`: for the user. */
export const lost = (known: FeedSessions, host: string, why: string): RemoteStep => {
  const silent = [...known.values()].flatMap(({ status }): ReadonlyArray<FeedSession> =>
    remoteTag(status.tag)?.host === host
      ? [{ link: "silent", status: { ...status, ready: false, notReady: null, reason: why } }]
      : []
  )
  return {
    known: new Map([...known, ...silent.map((session) => [session.status.tag, session] as const)]),
    events: silent.map((session) => ({ _tag: "Changed", session }))
  }
}
