import { needOf } from "../../words/attention/needsOf.ts"
import { groupOf, sessionGroups, type SessionGroup } from "../../words/attention/sessionGroups.ts"
import { waitingNow } from "../../words/attention/waitingNow.ts"
import { fold, tilde, wordsOf } from "../picker/Rows.ts"
import type { FeedSession } from "../../words/session/Feed.ts"
import { naturalOrder } from "../../words/text/naturalOrder.ts"
import { placeAfter } from "../tui/List.ts"
import { gitOf, type ListRow, type MonitorState } from "./MonitorState.ts"

export const inGroup = ({ status }: FeedSession): SessionGroup => groupOf(needOf(status) !== null, status.state)

const textOf = (state: MonitorState, session: FeedSession): string => {
  const { cli, cwd, displayName, state: word, tag } = session.status
  const branch = gitOf(state, session)?.branch ?? ""
  const place = tilde(cwd, state.home)
  return fold([tag, cli, displayName, word.replace("_", " "), inGroup(session), place, branch].join("\n"))
}

const sinceOf = ({ status }: FeedSession): number => {
  const since = Date.parse(status.since)
  return Number.isNaN(since) ? 0 : since
}

const fitting = (state: MonitorState): ReadonlyArray<FeedSession> => {
  const words = wordsOf(state.query.text)
  return state.names.flatMap((tag) => {
    const session = state.sessions.get(tag)
    if (session === undefined) return []
    if (words.length === 0) return [session]
    const text = textOf(state, session)
    return words.every((word) => text.includes(word)) ? [session] : []
  })
}

const row = ({ status }: FeedSession): ListRow => ({ _tag: "Session", tag: status.tag })

const listOf = (state: MonitorState): ReadonlyArray<ListRow> => {
  const sessions = fitting(state)
  switch (state.sorting) {
    case "tag":
      return sessions.map(row)
    case "recent":
      return sessions.toSorted((a, b) => sinceOf(b) - sinceOf(a)).map(row)
    case "need": {
      const byGroup = Map.groupBy(sessions, inGroup)
      return sessionGroups.flatMap((name): ReadonlyArray<ListRow> => {
        const members = byGroup.get(name) ?? []
        if (members.length === 0) return []
        const ordered =
          name === "needs you" ? waitingNow(members, ({ status }) => status).map(({ session }) => session) : members
        return [{ _tag: "Group", name, count: members.length }, ...ordered.map(row)]
      })
    }
  }
}

export const namesOf = (tags: Iterable<string>): ReadonlyArray<string> => [...tags].sort(naturalOrder)

export const tagsIn = (list: ReadonlyArray<ListRow>): ReadonlyArray<string> =>
  list.flatMap((row) => (row._tag === "Session" ? [row.tag] : []))

export const indexOf = (list: ReadonlyArray<ListRow>, tag: string | null): number =>
  list.findIndex((row) => row._tag === "Session" && row.tag === tag)

/** The state with its list recomputed. If the selection is no longer listed, its neighbour is selected. */
export const relisted = (state: MonitorState): MonitorState => {
  const list = listOf(state)
  if (indexOf(list, state.selected) >= 0) return { ...state, list }
  const former = tagsIn(state.list)
  const at = state.selected === null ? 0 : Math.max(0, former.indexOf(state.selected))
  const now = tagsIn(list)
  const listed = new Set(now)
  const next = former.slice(at).find((tag) => listed.has(tag)) ?? now[Math.min(at, now.length - 1)] ?? null
  return { ...state, list, selected: next }
}

export const moved = (state: MonitorState, by: number): MonitorState => {
  const tags = tagsIn(state.list)
  const at = state.selected === null ? -1 : tags.indexOf(state.selected)
  return { ...state, selected: tags[placeAfter(at, by, tags.length)] ?? null }
}
