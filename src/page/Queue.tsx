import { useSignal } from "@preact/signals"
import type { WebSession } from "../domain/web/Frames.ts"
import { act } from "./actions.ts"
import { isWaiting, QueueRow } from "./QueueRow.tsx"
import { readOnly } from "./store.ts"

/** The messages that wait, and the box for a new one. */
export const Queue = ({ session: { queue, state, tag } }: { readonly session: WebSession }) => {
  const draft = useSignal("")
  const sending = useSignal(false)
  const waiting = queue.filter(isWaiting)
  const send = async (): Promise<void> => {
    const text = draft.value
    if (text.trim() === "" || sending.value) return
    sending.value = true
    if (await act({ _tag: "Send", tag, text }, `queued for ${tag}`)) draft.value = ""
    sending.value = false
  }
  return (
    <section aria-labelledby="queue-heading">
      <h3 id="queue-heading">Queue</h3>
      {queue.length === 0 ? <p>no message waits</p> : null}
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
