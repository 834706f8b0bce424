import { useSignal } from "@preact/signals"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { needActions } from "../domain/surfaces/operations/actions.ts"
import { ActionButtons } from "./Actions.tsx"
import { act } from "./connection.ts"
import { may } from "./store.ts"

interface DialogOptions {
  readonly tag: string
  readonly question: NonNullable<WebSession["question"]>
  /** Its needs that come from the dialog; none if they were dismissed. */
  readonly needs: WebSession["needs"]
}
export const Dialog = ({ needs, question, tag }: DialogOptions) => {
  const asking = useSignal(false)
  const answer = async (text: string): Promise<void> => {
    asking.value = true
    await act(tag, { _tag: "Answer", answer: text, question })
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
            <button
              type="button"
              disabled={!may("Answer") || asking.value}
              onClick={() => void answer(number === null ? label : String(number))}
            >
              {number === null ? "" : `${number}. `}
              {label}
            </button>
          </li>
        ))}
      </ol>
      <p class="buttons">
        <ActionButtons tag={tag} actions={needActions(needs)} to="the question" />
      </p>
    </section>
  )
}
