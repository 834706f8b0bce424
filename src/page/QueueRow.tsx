import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { isFailed, isGivenUp } from "../domain/session/failedMessage.ts"
import type { WebSession } from "../domain/web/Frames.ts"
import { act } from "./actions.ts"
import { readOnly } from "./store.ts"
import { receiptWords } from "./words.ts"

/** A message that the user may still change. */
export const isWaiting = ({ status }: WebSession["queue"][number]): boolean => status === "queued" || status === "held"

interface RowOptions {
  readonly tag: string
  readonly message: WebSession["queue"][number]
  /** Its place among the messages that wait, from 1; 0 where it does not wait. */
  readonly place: number
}

/** One message of the queue: what became of it, and what can still be done about it. */
export const QueueRow = ({ message, place, tag }: RowOptions) => {
  const { id, status, text, whole, why } = message
  /** Its text while it is changed; null while it is not. */
  const draft = useSignal<string | null>(null)
  const name = <span class="hidden"> the message {text.slice(0, 40)}</span>
  const save = async (): Promise<void> => {
    const changed = draft.value
    if (changed === null || changed.trim() === "") return
    if (changed === text || (await act({ _tag: "Edit", tag, message: id, text: changed }, "changed")))
      draft.value = null
  }
  const mayChange = place > 0 && !readOnly.value
  const hasFailed = isFailed(message)
  const isThere = (mayChange || isGivenUp(message)) && !readOnly.value
  const isChanging = mayChange && draft.value !== null
  // the keyboard goes into the text, and back to where it came from
  const [box, opener] = [useRef<HTMLTextAreaElement>(null), useRef<HTMLButtonElement>(null)]
  useLayoutEffect(() => {
    if (!isChanging) return
    box.current?.focus()
    return () => opener.current?.focus()
  }, [isChanging])
  // once it is on its way there is nothing to save it to
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
            onInput={({ currentTarget }) => {
              draft.value = currentTarget.value
            }}
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
    <li class={hasFailed ? "failed" : undefined}>
      <span class="receipt">{receiptWords(message)}</span>
      <span class="message">{text}</span>
      {why === null ? null : <span class="why">{why}</span>}
      {isThere ? (
        <span class="buttons">
          {hasFailed ? (
            <button type="button" onClick={() => void act({ _tag: "Retry", tag, message: id }, "goes out again")}>
              Retry{name}
            </button>
          ) : null}
          {status === "held" && !hasFailed ? (
            <button type="button" onClick={() => void act({ _tag: "Release", tag, message: id }, "released")}>
              Release{name}
            </button>
          ) : null}
          {place > 1 ? (
            <button
              type="button"
              onClick={() => void act({ _tag: "Move", tag, message: id, position: place - 1 }, "moved")}
            >
              Earlier{name}
            </button>
          ) : null}
          {whole && mayChange ? (
            <button
              type="button"
              ref={opener}
              onClick={() => {
                draft.value = text
              }}
            >
              Edit{name}
            </button>
          ) : null}
          <button type="button" onClick={() => void act({ _tag: "Remove", tag, message: id }, "removed")}>
            Remove{name}
          </button>
        </span>
      ) : null}
    </li>
  )
}
