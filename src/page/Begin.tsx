import { useSignal } from "@preact/signals"
import type { TargetedSubmitEvent } from "preact"
import { newTag } from "../domain/words/session/newTag.ts"
import type { FoundAs } from "../domain/surfaces/web/Frames.ts"
import { Asking } from "./Asking.tsx"
import { act, learn, select, selectOnceKnown } from "./connection.ts"
import { Directory } from "./Directory.tsx"
import { announcement, may, now, sessions } from "./store.ts"
import { duration, hasWords, verbatim } from "./words.ts"

type Earlier = FoundAs<"Earlier">["rows"][number]

const useDoing = (onDone: () => void) => {
  const isDoing = useSignal(false)
  const why = useSignal<string | null>(null)
  const run = async (tag: string, asked: Parameters<typeof act>[1]): Promise<void> => {
    isDoing.value = true
    why.value = null
    if (await act(tag, asked)) {
      selectOnceKnown(tag)
      onDone()
    } else why.value = announcement.value
    isDoing.value = false
  }
  return { isDoing, run, said: why.value === null ? null : <p class="problem">{why.value}</p> }
}

const taken = (): ReadonlySet<string> => new Set(sessions.value.keys())

const StartForm = ({ clis, directory: here, onDone }: FoundAs<"Choices"> & { readonly onDone: () => void }) => {
  const { isDoing, run, said } = useDoing(onDone)
  const directory = useSignal(here)
  const name = useSignal<string | null>(null)
  const tag = name.value ?? newTag(directory.value, taken())
  const start = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const field = (its: string): string => {
      const value = fields.get(its)
      return typeof value === "string" ? value : ""
    }
    void run(tag, {
      _tag: "Start",
      cli: field("cli"),
      directory: directory.value,
      worktree: fields.has("worktree"),
      args: field("args"),
      first: field("first").trim()
    })
  }
  return (
    <form onSubmit={start}>
      <label class="field">
        CLI
        <select name="cli">
          {clis.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Directory label="Directory" value={directory.value} onChange={(value) => (directory.value = value)} />
      <label>
        <input type="checkbox" name="worktree" /> in a git worktree of its own
      </label>
      <label class="field">
        Name
        <input
          required
          value={tag}
          maxLength={200}
          {...verbatim}
          onInput={({ currentTarget: { value } }) => (name.value = value === "" ? null : value)}
        />
      </label>
      <label class="field">
        First message
        <textarea
          name="first"
          rows={2}
          maxLength={32_768}
          onKeyDown={({ ctrlKey, currentTarget, key, metaKey }) => {
            if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit()
          }}
        />
      </label>
      <label class="field">
        Arguments for the CLI
        <input name="args" maxLength={4096} {...verbatim} />
      </label>
      {said}
      <button type="submit" disabled={isDoing.value}>
        {isDoing.value ? "Starting …" : "Start"}
      </button>
    </form>
  )
}

/** An earlier conversation. If its tag is in use, it is resumed under a new one. */
const EarlierRow = ({ onDone, row }: { readonly row: Earlier; readonly onDone: () => void }) => {
  const { cli, lastSeen, liveAs, missing, name, place, sessionId, tag } = row
  const { isDoing, run, said } = useDoing(onDone)
  const exchange = useSignal<string | null>(null)
  const its = sessions.value.get(tag)
  const as = its === undefined || its.state === "exited" ? tag : newTag(tag, taken())
  const look = (): void => {
    exchange.value = "…"
    void learn(tag, { _tag: "Exchange", cli, sessionId }).then((text) => (exchange.value = text))
  }
  return (
    <li>
      <strong>{tag}</strong> {name}
      <span class="hint">
        {lastSeen === 0 ? "" : `${duration(now.value - lastSeen)} ago, `}
        {place}
        {missing ? " (gone)" : ""}
      </span>
      <span class="buttons">
        {liveAs === null ? (
          <button type="button" disabled={isDoing.value} onClick={() => void run(as, { _tag: "GoOn", cli, sessionId })}>
            {as === tag ? "Go on" : `Go on as ${as}`}
            <span class="hidden">
              {" "}
              with {tag} in {place}
            </span>
          </button>
        ) : (
          <button type="button" onClick={() => select(liveAs)}>
            Show {liveAs}
          </button>
        )}
        <button
          type="button"
          aria-expanded={exchange.value !== null}
          onClick={() => (exchange.value === null ? look() : (exchange.value = null))}
        >
          What was said
          <span class="hidden">
            {" "}
            in {tag} in {place}
          </span>
        </button>
      </span>
      {exchange.value === null ? null : <pre tabIndex={0}>{exchange.value}</pre>}
      {said}
    </li>
  )
}

/** The most conversations that are listed: the filter finds the others. */
const rowsMost = 30

const EarlierList = ({ onDone, rows }: { readonly rows: ReadonlyArray<Earlier>; readonly onDone: () => void }) => {
  const words = useSignal("")
  const fitting = rows.filter(({ name, place, tag }) => hasWords(words.value, `${tag} ${name} ${place}`))
  return (
    <>
      <label>
        Filter{" "}
        <input type="search" value={words.value} onInput={({ currentTarget }) => (words.value = currentTarget.value)} />
      </label>
      <ul class="queue">
        {fitting.slice(0, rowsMost).map((row) => (
          <EarlierRow key={`${row.cli} ${row.sessionId}`} row={row} onDone={onDone} />
        ))}
      </ul>
      {fitting.length > rowsMost ? (
        <p class="hint">{fitting.length - rowsMost} more: a word in the filter finds them</p>
      ) : null}
      {fitting.length === 0 ? (
        <p>no conversation {rows.length === 0 ? "can be gone on with yet" : "fits the filter"}</p>
      ) : null}
    </>
  )
}

export const Begin = () =>
  !may("Start") ? null : (
    <div class="begin">
      <Asking name="Choices" summary="Start a session">
        {(found, close) => <StartForm {...found} onDone={close} />}
      </Asking>
      <Asking name="Earlier" summary="Earlier conversations">
        {({ rows }, close) => <EarlierList rows={rows} onDone={close} />}
      </Asking>
    </div>
  )
