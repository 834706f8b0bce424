import { useSignal } from "@preact/signals"
import type { WebSession } from "../domain/web/Frames.ts"
import { act } from "./actions.ts"
import { readOnly } from "./store.ts"

interface DialogOptions {
  readonly tag: string
  readonly question: NonNullable<WebSession["question"]>
}
/** What the session asks, and a button for each of its options. */
export const Dialog = ({ question, tag }: DialogOptions) => {
  const asking = useSignal(false)
  const answer = async (option: number, label: string): Promise<void> => {
    asking.value = true
    await act({ _tag: "Answer", tag, question, option }, `${tag} was answered: ${label}`)
    asking.value = false
  }
  return (
    <section class="dialog" aria-labelledby="dialog-heading">
      <h3 id="dialog-heading">▲ {question.title === "" ? "It asks something" : question.title}</h3>
      {question.subject === undefined ? null : <pre tabIndex={0}>{question.subject}</pre>}
      {question.options.length === 0 ? <p>its options cannot be read: answer on its screen</p> : null}
      <ol>
        {question.options.map(({ label, number }, option) => (
          <li key={option}>
            <button type="button" disabled={readOnly.value || asking.value} onClick={() => void answer(option, label)}>
              {number === null ? "" : `${number}. `}
              {label}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
