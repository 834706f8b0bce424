import { useSignal } from "@preact/signals"
import { queueActions } from "../domain/surfaces/operations/actions.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { ulid, ulidRandomness } from "../domain/words/text/ulid.ts"
import { ActionButtons, allowedOf } from "./Actions.tsx"
import { act, takeDraft } from "./connection.ts"
import { QueueRow } from "./QueueRow.tsx"
import { may } from "./store.ts"

/** What was sent, and perhaps not queued: for `sameMs` milliseconds the same text is the same message. */
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

export const Queue = ({ session: { pause, queue, state, tag } }: { readonly session: WebSession }) => {
  const draft = useSignal("")
  const sending = useSignal(false)
  const tried = useSignal<Tried | null>(null)
  const taking = useSignal(false)
  const actions = allowedOf(queueActions({ tag, state, queue, pauseEnd: pause?.end ?? null }))
  const send = async (): Promise<void> => {
    const text = draft.value
    if (text.trim() === "" || sending.value) return
    sending.value = true
    // The answer may be lost with the connection: with the same id, a repeated message is queued once.
    const { id } = (tried.value = idFor(tried.value, tag, text, Date.now()))
    if (await act(tag, { _tag: "Send", text, id, images: [], front: false, force: false })) {
      draft.value = ""
      tried.value = null
    }
    sending.value = false
  }
  const take = async (): Promise<void> => {
    taking.value = true
    const text = await takeDraft(tag)
    if (text !== null) draft.value = draft.value.trim() === "" ? text : `${draft.value}\n${text}`
    taking.value = false
  }
  const put = async (): Promise<void> => {
    taking.value = true
    if (await act(tag, { _tag: "PutDraft", text: draft.value })) draft.value = ""
    taking.value = false
  }
  return (
    <section class="sending" aria-labelledby="queue-heading">
      <div class="bar">
        <h3 id="queue-heading">Queue</h3>
        {queue.length === 0 ? <span class="hint">no message waits</span> : null}
        <span class="buttons">
          <ActionButtons tag={tag} actions={actions} />
        </span>
      </div>
      {pause === null ? null : <p class="problem">the queue waits: {pause.text}</p>}
      <ol class="queue">
        {queue.map((message) => (
          <QueueRow key={message.id} tag={tag} message={message} session={{ queue, state }} />
        ))}
      </ol>
      {!may("Send") || state === "exited" ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <label for="message" class="hidden">
            A message, typed when it is safe (Ctrl+Enter sends)
          </label>
          <span class="composer">
            <textarea
              id="message"
              rows={2}
              maxLength={32768}
              placeholder="A message, typed when it is safe (Ctrl+Enter sends)"
              value={draft.value}
              onInput={({ currentTarget }) => (draft.value = currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send()
              }}
            />
            <button type="submit" class="main" disabled={sending.value}>
              Send
            </button>
          </span>
          <span class="buttons quiet">
            <button type="button" disabled={taking.value} onClick={() => void take()}>
              Take what is typed in its box
            </button>
            <button type="button" disabled={taking.value || draft.value.trim() === ""} onClick={() => void put()}>
              Put it into its box, unsent
            </button>
          </span>
        </form>
      )}
    </section>
  )
}
