import { useEffect } from "preact/hooks"
import {
  announcement,
  connection,
  groupCounts,
  heardAt,
  isKnown,
  lostWhy,
  may,
  onlyGroup,
  reviewing,
  version,
  selected,
  selectedTag,
  sessions
} from "./store.ts"
import { groupCount, type SessionGroup } from "../domain/words/attention/sessionGroups.ts"
import { groupClass, groupSigns, timeOfDay, verbatim } from "./words.ts"
import { Changes } from "./Changes.tsx"
import { Pushes } from "./Pushes.tsx"
import { Session } from "./Session.tsx"
import { closeMet } from "./shell.ts"
import { SessionTable } from "./SessionTable.tsx"
import { Patterns, TimelinePanel } from "./TimelinePanel.tsx"

/** Comes in by an address; an app on a home screen has no bar to open one. */
const comeIn = (address: string): void => {
  const [hash] = /#token=[\w-]+$/.exec(address.trim()) ?? []
  if (hash !== undefined) location.hash = hash
}

const Notice = () => {
  const since = heardAt.value === null ? "" : ` since ${timeOfDay(heardAt.value)}`
  const why = lostWhy.value === "" ? "" : ` (${lostWhy.value})`
  switch (connection.value) {
    case "open":
      return null
    case "opening":
      return <p class="notice">connecting …</p>
    case "quiet":
      return (
        <p class="notice" role="alert">
          ✕ leap web has not answered{since}: what you see may be old
        </p>
      )
    case "lost":
      return (
        <p class="notice" role="alert">
          ✕ no connection to leap web{since}
          {why}: what you see is old; it is tried again
        </p>
      )
    case "locked":
      return (
        <p class="notice" role="alert">
          ✕ this browser is not signed in{why}: open the newest address that <code>leap web</code> printed, or{" "}
          <label>
            paste it here{" "}
            <input type="text" {...verbatim} onInput={({ currentTarget }) => comeIn(currentTarget.value)} />
          </label>
        </p>
      )
  }
}

/** An operation of each right except `read`. */
const changing = ["Send", "Answer", "Input", "Stop"] as const

/** The numbers of sessions, which are filters: pressed once more, all are listed again. */
const Counts = () => {
  const count = sessions.value.size
  const chosen = onlyGroup.value
  const choose = (group: SessionGroup | null): void => {
    onlyGroup.value = group === chosen ? null : group
  }
  return (
    <div class="groups" role="group" aria-label="Show">
      <button type="button" aria-pressed={chosen === null} onClick={() => choose(null)}>
        {count} {count === 1 ? "session" : "sessions"}
      </button>
      {groupCounts.value.map(({ count, group }) => (
        <button
          key={group}
          type="button"
          class={groupClass(group)}
          aria-pressed={chosen === group}
          onClick={() => choose(group)}
        >
          <span aria-hidden="true">{groupSigns[group]}</span> {groupCount(group, count)}
        </button>
      ))}
    </div>
  )
}

export const App = () => {
  const isReviewing = reviewing.value && selected.value !== null
  const shape = isReviewing ? "app reviewing" : "app with-session"
  const waiting = [...sessions.value.values()].filter(({ needs }) => needs.length > 0).length
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) leap` : "leap"
    void closeMet().catch(() => {})
  }, [waiting])
  return (
    <div
      class={
        (selectedTag.value === null ? "app" : shape) + (isKnown.value && connection.value !== "open" ? " stale" : "")
      }
    >
      <header>
        <h1>leap</h1>
        {isKnown.value ? <Counts /> : null}
        <p class="version">
          {connection.value === "open" && !changing.some(may) ? "read-only · " : ""}
          {version.value}
        </p>
      </header>
      <Patterns />
      <Notice />
      <p class="announcement" role="status" aria-live="polite">
        {announcement.value === "" ? null : <span key={announcement.value}>{announcement.value}</span>}
      </p>
      <main>
        {isKnown.value ? (
          <div class="overview" hidden={isReviewing}>
            <SessionTable />
            <TimelinePanel />
            <Pushes />
          </div>
        ) : null}
        {selected.value !== null ? (
          <>
            {/* its screen is kept, and drawn on return */}
            <div hidden={isReviewing}>
              <Session session={selected.value} />
            </div>
            {isReviewing ? <Changes key={selected.value.tag} session={selected.value} /> : null}
          </>
        ) : selectedTag.value === null || connection.value !== "open" || !isKnown.value ? null : (
          <section class="session" aria-label="Session">
            <p>
              there is no session {selectedTag.value}; <a href="#">all sessions</a>
            </p>
          </section>
        )}
      </main>
    </div>
  )
}
