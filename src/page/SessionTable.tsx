import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { clashes, filter, listed, now, selectedTag, sessions } from "./store.ts"
import { select } from "./connection.ts"
import { Begin } from "./Begin.tsx"
import { shareNow } from "../domain/words/session/states.ts"
import { clashWords, duration, queueWords, shareSigns, stateWords } from "./words.ts"

const Row = ({ session }: { readonly session: WebSession }) => {
  const { cli, context, cost, cwd, message, needs, problem, queue, reason, since, tag } = session
  const isSelected = selectedTag.value === tag
  const share = shareNow(session)
  // A dialog's question has a column of its own.
  const why = needs.find(({ kind }) => kind !== "permission" && kind !== "question")?.text ?? problem
  const clash = clashes.value.get(tag)?.[0]
  return (
    <tr class={`${share}${isSelected ? " selected" : ""}`}>
      <th scope="row">
        <button type="button" aria-pressed={isSelected} onClick={() => select(isSelected ? null : tag)}>
          {tag}
        </button>
        <span class="cli">{cli}</span>
      </th>
      <td title={reason}>
        <span aria-hidden="true">{shareSigns[share]}</span> {stateWords(session)}
        {why === null ? null : <span class="problem"> ! {why}</span>}
        {clash === undefined ? null : <span class="clash">{clashWords(clash)}</span>}
      </td>
      <td class="number">{duration(now.value - since)}</td>
      <td class="number">{queueWords(queue)}</td>
      <td class="number wide">{context}</td>
      <td class="number wide">{cost}</td>
      <td class="wide text">{message ?? ""}</td>
      <td class="wide text">{cwd}</td>
    </tr>
  )
}

export const SessionTable = () => (
  <section aria-labelledby="sessions-heading">
    <div class="bar">
      <h2 id="sessions-heading">Sessions</h2>
      <label>
        Filter{" "}
        <input
          type="search"
          value={filter.value}
          onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
        />
      </label>
    </div>
    <Begin />
    <div class="scroll" tabIndex={0} role="region" aria-label="The sessions as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">State</th>
            <th scope="col">Since</th>
            <th scope="col">Queue</th>
            <th scope="col" class="wide">
              Context
            </th>
            <th scope="col" class="wide">
              Cost
            </th>
            <th scope="col" class="wide">
              Message
            </th>
            <th scope="col" class="wide">
              Directory
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.value.map((session) => (
            <Row key={session.tag} session={session} />
          ))}
        </tbody>
      </table>
    </div>
    {listed.value.length > 0 ? null : (
      <p>
        {sessions.value.size > 0
          ? "no session fits the filter"
          : "there is no session yet; 'leap <tag>' starts one, too"}
      </p>
    )}
  </section>
)
