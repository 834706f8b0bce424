import { type FeedEvent, type FeedSessions } from "../../words/session/Feed.ts"
import { isHere } from "../../words/session/RemoteHost.ts"
import { clashesOf } from "../../words/session/WriteClashes.ts"
import { differences, sideBySide } from "../../store/worktrees/sideBySide.ts"
import { changesLine, leftOut } from "../../store/worktrees/changesText.ts"
import { worktreeLine } from "../../store/worktrees/Finish.ts"
import { patchFiles } from "../../store/worktrees/patchLines.ts"
import { cleanLines } from "../tui/Cells.ts"
import { namesOf, relisted } from "./MonitorList.ts"
import { layoutOf } from "./MonitorLayout.ts"
import { pressed } from "./MonitorKeys.ts"
import {
  inMode,
  isAsking,
  listing,
  type MonitorEvent,
  type MonitorState,
  noticed,
  only,
  type Updated
} from "./MonitorState.ts"

export { start } from "./MonitorState.ts"
export type { Found, MonitorCommand, MonitorEvent, MonitorState, Updated } from "./MonitorState.ts"

/** Feed events come by the hundred, so one new map takes them all in. */
const afterFeed = (sessions: FeedSessions, events: ReadonlyArray<FeedEvent>): FeedSessions => {
  const next = new Map(sessions)
  for (const event of events) {
    switch (event._tag) {
      case "Snapshot":
        next.clear()
        for (const session of event.sessions) next.set(session.status.tag, session)
        break
      case "Changed":
        next.set(event.session.status.tag, event.session)
        break
      case "Gone":
        next.delete(event.tag)
    }
  }
  return next
}

const fed = (state: MonitorState, events: ReadonlyArray<FeedEvent>): MonitorState => {
  const sessions = afterFeed(state.sessions, events)
  const isSame = sessions.size === state.sessions.size && [...sessions.keys()].every((tag) => state.sessions.has(tag))
  const marked = [...state.marked].every((tag) => sessions.has(tag))
    ? state.marked
    : new Set([...state.marked].filter((tag) => sessions.has(tag)))
  return relisted({
    ...state,
    sessions,
    marked,
    fed: true,
    names: isSame ? state.names : namesOf(sessions.keys())
  })
}

/** Updates the files that several sessions write now. A new clash is announced, so that the user can step in. */
const withClashes = (state: MonitorState): MonitorState => {
  const clashes = clashesOf(
    // a path of another machine is another file
    [...state.sessions.values()].flatMap(({ status }) => (isHere(status.tag) ? [status] : [])),
    state.now
  )
  if (clashes.size === 0 && state.clashes.size === 0) return state
  const known = new Set([...state.clashes.values()].flatMap((own) => own.map(({ path }) => path)))
  for (const [tag, own] of clashes) {
    const fresh = own.find(({ path }) => !known.has(path))
    if (fresh === undefined) continue
    const who = [tag, ...fresh.others].toSorted().join(" and ")
    return noticed({ ...state, clashes }, `${who} write the same file: ${fresh.path}`, true)
  }
  return { ...state, clashes }
}

/** Leaves the answer mode if its dialog is gone or replaced: the answer would be void. */
const withoutStaleAnswer = (state: MonitorState): MonitorState => {
  const { mode } = state
  const asked =
    mode._tag === "Answer" ? mode : mode._tag === "Write" && mode.purpose._tag === "Answer" ? mode.purpose : null
  if (asked === null) return state
  const session = state.sessions.get(asked.tag)
  const isOpen =
    session !== undefined &&
    isAsking(session) &&
    JSON.stringify(session.status.question ?? null) === JSON.stringify(asked.question)
  return isOpen ? state : noticed(listing(state), `the dialog of ${asked.tag} is gone`)
}

const screenMost = 400

export const update = (state: MonitorState, event: MonitorEvent): Updated => {
  if (state.left) return only(state)
  switch (event._tag) {
    case "Pressed": {
      const updated = pressed({ ...state, now: event.at }, event.key)
      // Keep the scroll position while the selection is in sight.
      return { ...updated, state: { ...updated.state, top: layoutOf(updated.state).list.top } }
    }
    case "Resized":
      return only({ ...state, size: event.size, redraws: state.redraws + 1 })
    case "TimePassed":
      return only(withClashes({ ...state, now: event.at }))
    case "Fed":
      return only(withoutStaleAnswer(withClashes(fed({ ...state, now: event.at }, event.events))))
    case "Screened": {
      const lines = event.text === null ? null : cleanLines(event.text).slice(-screenMost)
      return only({ ...state, screen: { tag: event.tag, lines } })
    }
    case "GitRead":
      return only(relisted({ ...state, git: new Map(state.git).set(event.directory, event.git) }))
    case "Compared": {
      const { mode } = state
      const { against, found, tag } = event
      if (mode._tag !== "Changes" || mode.tag !== tag || mode.against !== against) return only(state)
      if (typeof found === "string") return only(inMode(state, { ...mode, said: found }))
      const { patch, worktree } = found
      const stands = worktree === undefined ? [] : [worktreeLine(worktree)]
      const said = [changesLine(found), ...stands, ...leftOut(found)].join("; ")
      const files = patchFiles(patch)
      const parts = new Map(files.flatMap(({ lines }) => [...differences(sideBySide(lines))]))
      return only(inMode(state, { ...mode, said, files, parts, worktree: worktree !== undefined }))
    }
    case "Found":
      return only({ ...state, found: event.found })
    case "HostTold": {
      const { host, why } = event
      const others = state.unreached.filter((name) => name !== host)
      if (why === null) return only({ ...state, unreached: others })
      // it is tried again and again: the reason is said once
      const told = others.length < state.unreached.length ? state : noticed(state, why, true)
      return only({ ...told, unreached: [...others, host].toSorted() })
    }
    case "Said":
      return only(event.text === "" ? state : noticed(state, event.text, event.bad))
  }
}

export const wantsScreen = (state: MonitorState): string | null =>
  layoutOf(state).details === null ? null : state.selected

export const wantsFound = ({ fed, found, sessions }: MonitorState): boolean =>
  fed && sessions.size === 0 && found === null

export const wantsGit = (state: MonitorState): ReadonlyArray<string> => {
  const { rows, top } = layoutOf(state).list
  const seen = state.list
    .slice(top, top + rows)
    .flatMap((row) =>
      row._tag === "Session" && isHere(row.tag) ? (state.sessions.get(row.tag)?.status.cwd ?? []) : []
    )
  return [...new Set(seen)]
}
