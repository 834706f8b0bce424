import { useSignal } from "@preact/signals"
import { isFailed } from "../domain/session/failedMessage.ts"
import type { WebSession } from "../domain/web/Frames.ts"
import { ulid, ulidRandomness } from "../domain/session/ulid.ts"
import { act } from "./actions.ts"
import { isWaiting, QueueRow } from "./QueueRow.tsx"
import { readOnly } from "./store.ts"

/** What was sent and is not known to be queued: the same text is the same message, for this long. */
interface Tried {
  readonly tag: string
  readonly text: string
  readonly id: string
  readonly at: number
}
const sameMs = 600_000

const idFor = (before: Tried | null, tag: string, text: string, now: number): Tried =>
  before !== null && before.tag === tag && before.text === text && now - before.at < sameMs
    ? before
    : { tag, text, id: ulid(now, crypto.getRandomValues(new Uint8Array(ulidRandomness))), at: now }

/** The messages that wait, and the box for a new one. */
export const Queue = ({ session: { pause, queue, state, tag } }: { readonly session: WebSession }) => {
  const draft = useSignal("")
  const sending = useSignal(false)
  const tried = useSignal<Tried | null>(null)
  const waiting = queue.filter(isWaiting)
  const mayLetGo = !readOnly.value && state !== "exited"
  const isHeld = pause?.forUser === true && queue.some(({ status }) => status === "held")
  const send = async (): Promise<void> => {
    const text = draft.value
    if (text.trim() === "" || sending.value) return
    sending.value = true
    // the answer may be lost with the connection: sent again it is no second message
    const { id } = (tried.value = idFor(tried.value, tag, text, Date.now()))
    if (await act({ _tag: "Send", tag, text, id }, `queued for ${tag}`)) {
      draft.value = ""
      tried.value = null
    }
    sending.value = false
  }
  return (
    <section aria-labelledby="queue-heading">
      <h3 id="queue-heading">Queue</h3>
      {queue.length === 0 ? <p>no message waits</p> : null}
      {pause === null ? null : <p class="problem">the queue waits: {pause.text}</p>}
      {mayLetGo && (isHeld || queue.some(isFailed)) ? (
        <p class="buttons">
          {queue.some(isFailed) ? (
            <button type="button" onClick={() => void act({ _tag: "Retry", tag, message: null }, "goes out again")}>
              Retry what failed
            </button>
          ) : null}
          {isHeld ? (
            <button type="button" onClick={() => void act({ _tag: "Release", tag, message: null }, "released")}>
              Release all
            </button>
          ) : null}
        </p>
      ) : null}
      <ol class="queue">
        {queue.map((message) => (
          <QueueRow key={message.id} tag={tag} message={message} place={waiting.indexOf(message) + 1} />
        ))}
      </ol>
      {readOnly.value || state === "exited" ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <label for="message">A message, typed when it is safe (Ctrl+Enter sends)</label>
          <textarea
            id="message"
            rows={2}
            maxLength={32768}
            value={draft.value}
            onInput={({ currentTarget }) => {
              draft.value = currentTarget.value
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send()
            }}
          />
          <button type="submit" disabled={sending.value}>
            Send
          </button>
        </form>
      )}
    </section>
  )
}
