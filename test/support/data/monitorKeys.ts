import * as Monitor from "../../../src/domain/surfaces/monitor/Monitor.ts"
import { view } from "../../../src/domain/surfaces/monitor/MonitorView.ts"
import type { FeedEvent, FeedLink, FeedSession } from "../../../src/domain/words/session/Feed.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import type { Key } from "../../../src/domain/surfaces/tui/Keys.ts"
import { sessionStatus } from "./sessionStatus.ts"

export const begin = Date.parse("2026-01-01T00:10:00.000Z")

/** A session as the feed tells it. */
export const fedSession = (tag: string, status: Partial<SessionStatus> = {}, link: FeedLink = "live"): FeedSession => ({
  link,
  status: sessionStatus({ cwd: "/home/u/work", ...status, tag })
})

export const snapshot = (...sessions: ReadonlyArray<FeedSession>): FeedEvent => ({ _tag: "Snapshot", sessions })

const named =
  /^(?:(?:ctrl|alt|shift)\+.+|enter|escape|up|down|left|right|page-up|page-down|home|end|tab|backspace|delete|f1|wheel-up|wheel-down)$/

/** A key by its name, or text that is typed. */
export const key = (name: string): Key => (named.test(name) ? { key: name } : { key: "text", text: name })

/** A monitor of these sessions, its keys, and what it asks to be done. */
export const monitorOf = (
  sessions: ReadonlyArray<FeedSession>,
  size: { readonly cols: number; readonly rows: number } = { cols: 100, rows: 30 }
) => {
  let state = Monitor.start(size, begin, "/home/u")
  const commands: Array<Monitor.MonitorCommand> = []
  const tell = (event: Monitor.MonitorEvent): void => {
    const updated = Monitor.update(state, event)
    state = updated.state
    commands.push(...updated.commands)
  }
  const feed = (...events: ReadonlyArray<FeedEvent>): void => tell({ _tag: "Fed", events, at: begin })
  feed(snapshot(...sessions))
  return {
    tell,
    feed,
    change: (...sessions: ReadonlyArray<FeedSession>) =>
      feed(...sessions.map((session): FeedEvent => ({ _tag: "Changed", session }))),
    press: (...keys: ReadonlyArray<string>): void => {
      for (const name of keys) tell({ _tag: "Pressed", key: key(name), at: begin })
    },
    state: () => state,
    /** What is to be done since this was asked last. */
    taken: () => commands.splice(0),
    /** The screen's rows as text. */
    rows: () => view(state).lines.map((line) => line.map(({ text }) => text).join("")),
    screen: () =>
      view(state)
        .lines.map((line) =>
          line
            .map(({ text }) => text)
            .join("")
            .trimEnd()
        )
        .join("\n")
  }
}
