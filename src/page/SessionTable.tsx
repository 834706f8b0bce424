import type { SessionGroup } from "../domain/words/attention/sessionGroups.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { clashes, filter, grouped, listed, now, selectedTag, sessions } from "./store.ts"
import { select } from "./connection.ts"
import { Begin } from "./Begin.tsx"
import { clashWords, duration, groupClass, groupSigns, isFigure, queueWords, stateWords } from "./words.ts"
import { Strip } from "./TimelinePanel.tsx"

/** Moves the focus to the next or the previous session. */
const moveFocus = (event: KeyboardEvent): void => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
  if (step === 0) return
  const names = [...document.querySelectorAll<HTMLElement>(".sessions th button")]
  const at = names.findIndex((name) => name === document.activeElement)
  if (at < 0) return
  event.preventDefault()
  names[at + step]?.focus()
}

/** Which columns have a figure in some row. */
interface Figures {
  readonly context: boolean
  readonly cost: boolean
}

interface RowOptions {
  readonly group: SessionGroup
  readonly session: WebSession
  readonly shows: Figures
}

// The roles are said, since a table that a narrow page lays out as a grid would lose them.
const Row = ({ group, session, shows }: RowOptions) => {
  const { cli, context, cost, cwd, problem, queue, since, tag } = session
  const isSelected = selectedTag.value === tag
  const clash = clashes.value.get(tag)?.[0]
  const waiting = queueWords(queue)
  const state = stateWords(session)
  return (
    <tr role="row" class={isSelected ? "selected" : ""} onClick={() => select(isSelected ? null : tag)}>
      <th scope="row" role="rowheader">
        <span class="sign" aria-hidden="true">
          {groupSigns[group]}
        </span>
        <button type="button" aria-pressed={isSelected}>
          {tag}
        </button>
        <span class="cli">{cli}</span>
      </th>
      <td role="cell" class="what">
        {clash === undefined ? null : <span class="clash">{clashWords(clash)} · </span>}
        <span class="state">{state}</span> {problem === null ? null : <span class="problem">! {problem} · </span>}
        {state.includes(session.now) ? "" : session.now}
      </td>
      <td role="cell" class="number">
        {duration(now.value - since)}
      </td>
      <td role="cell" class="number">
        {waiting === "" ? "" : <span class="badge">{waiting}</span>}
      </td>
      <td role="cell" class="wide strip">
        <Strip tag={tag} />
      </td>
      {shows.context ? (
        <td role="cell" class="number wide">
          {context}
        </td>
      ) : null}
      {shows.cost ? (
        <td role="cell" class="number wide">
          {cost}
        </td>
      ) : null}
      <td role="cell" class="wide text">
        {cwd}
      </td>
    </tr>
  )
}

const headsOf = ({ context, cost }: Figures): ReadonlyArray<readonly [name: string, kind: string]> => [
  ["Session", ""],
  ["State", "what"],
  ["Since", "number"],
  ["Queue", "number"],
  ["Lately", "wide strip"],
  ...(context ? [["Context", "number wide"] as const] : []),
  ...(cost ? [["Cost", "number wide"] as const] : []),
  ["Directory", "wide text"]
]

const Table = () => {
  const shows: Figures = {
    context: listed.value.some(({ context }) => isFigure(context)),
    cost: listed.value.some(({ cost }) => isFigure(cost))
  }
  const heads = headsOf(shows)
  return (
    <table role="table" aria-labelledby="sessions-heading" onKeyDown={moveFocus}>
      <thead role="rowgroup">
        <tr role="row">
          {heads.map(([name, kind]) => (
            <th key={name} scope="col" role="columnheader" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {grouped.value.map(({ group, members }) => (
        <tbody key={group} role="rowgroup" class={groupClass(group)}>
          <tr role="row" class="group">
            <th scope="rowgroup" role="rowheader" colSpan={heads.length}>
              {group} <span class="number">{members.length}</span>
            </th>
          </tr>
          {members.map((session) => (
            <Row key={session.tag} group={group} session={session} shows={shows} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

export const SessionTable = () => (
  <section class="sessions" aria-labelledby="sessions-heading">
    <h2 id="sessions-heading" class="hidden">
      Sessions
    </h2>
    <div class="bar">
      <label>
        <span class="hidden">Filter</span>
        <input
          type="search"
          placeholder="Filter"
          value={filter.value}
          onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
        />
      </label>
      <Begin />
    </div>
    {listed.value.length > 0 ? (
      <Table />
    ) : (
      <div class="empty">
        {sessions.value.size > 0 ? (
          <p>no session fits the filter</p>
        ) : (
          <>
            <p>there is no session yet</p>
            <p class="hint">
              Start one here, or in a terminal: <code>leap NAME</code> in a project's directory
            </p>
          </>
        )}
      </div>
    )}
  </section>
)
