import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { messageActions, waitingOf } from "../domain/surfaces/operations/actions.ts"
import { isFailed } from "../domain/words/session/failedMessage.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { ActionButtons, allowedOf } from "./Actions.tsx"
import { act } from "./connection.ts"
import { receiptWords } from "./words.ts"

interface RowOptions {
  readonly tag: string
  readonly message: WebSession["queue"][number]
  readonly session: Pick<WebSession, "queue" | "state">
}

export const QueueRow = ({ message, session, tag }: RowOptions) => {
  const { id, text, whole, why } = message
  const draft = useSignal<string | null>(null)
  const name = `the message ${text.slice(0, 40)}`
  const save = async (): Promise<void> => {
    const changed = draft.value
    if (changed === null || changed.trim() === "") return
    if (changed === text || (await act(tag, { _tag: "QueueEdit", id, text: changed }))) draft.value = null
  }
  const actions = allowedOf(messageActions(session, message))
  const mayChange = actions.length > 0 && waitingOf([message]).length > 0
  const isChanging = mayChange && draft.value !== null
  // The focus goes into the text, and back to where it came from.
  const [box, opener] = [useRef<HTMLTextAreaElement>(null), useRef<HTMLButtonElement>(null)]
  useLayoutEffect(() => {
    if (!isChanging) return
    box.current?.focus()
    return () => opener.current?.focus()
  }, [isChanging])
  // A message on its way can no longer be saved.
  if (isChanging) {
    return (
      <li class="changing">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <textarea
            aria-label={`The message ${text.slice(0, 40)}`}
            rows={3}
            maxLength={32768}
            value={draft.value ?? ""}
            ref={box}
            onInput={({ currentTarget }) => (draft.value = currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save()
              if (event.key === "Escape") draft.value = null
            }}
          />
          <span class="buttons">
            <button type="submit">Save</button>
            <button
              type="button"
              onClick={() => {
                draft.value = null
              }}
            >
              Leave it
            </button>
          </span>
        </form>
      </li>
    )
  }
  return (
    <li class={isFailed(message) ? "failed" : undefined}>
      <span class="receipt">{receiptWords(message)}</span>
      <span class="message">{text}</span>
      {why === null ? null : <span class="why">{why}</span>}
      {actions.length === 0 ? null : (
        <span class="buttons">
          {whole && mayChange ? (
            <button
              type="button"
              ref={opener}
              onClick={() => {
                draft.value = text
              }}
            >
              Edit<span class="hidden"> {name}</span>
            </button>
          ) : null}
          <ActionButtons tag={tag} actions={actions} to={name} />
        </span>
      )}
    </li>
  )
}
