import { useSignal } from "@preact/signals"
import { needActions } from "../domain/surfaces/operations/actions.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { ActionButtons } from "./Actions.tsx"
import { act } from "./connection.ts"
import { later } from "./later.ts"
import { may } from "./store.ts"

export type Edit = NonNullable<NonNullable<WebSession["proposal"]>["edit"]>

const useFiles = later(async () => (await import("./ProposedFiles.tsx")).ProposedFiles)

/** An edit as a text, until what draws it is there. */
const textOf = ({ files }: Edit): string => files.flatMap(({ lines, path }) => [path, ...lines]).join("\n")

const EditView = ({ edit }: { readonly edit: Edit }) => {
  const View = useFiles()
  return typeof View === "string" ? <pre tabIndex={0}>{textOf(edit)}</pre> : <View edit={edit} />
}

interface DialogOptions {
  readonly tag: string
  readonly question: NonNullable<WebSession["question"]>
  readonly proposal: WebSession["proposal"]
  /** The session's needs that come from the dialog; none if they were dismissed. */
  readonly needs: WebSession["needs"]
}

/** The dialog on a session's screen, with all that it asks for, and its options as buttons. */
export const Dialog = ({ needs, proposal, question, tag }: DialogOptions) => {
  const sending = useSignal(false)
  const answer = async (text: string): Promise<void> => {
    sending.value = true
    await act(tag, { _tag: "Answer", answer: text, question })
    sending.value = false
  }
  const edit = proposal?.edit ?? null
  const subject = proposal?.command ?? question.subject
  return (
    <section class="dialog" aria-labelledby="dialog-heading">
      <h3 id="dialog-heading">▲ {question.title === "" ? "It asks something" : question.title}</h3>
      {edit !== null ? <EditView edit={edit} /> : subject === undefined ? null : <pre tabIndex={0}>{subject}</pre>}
      {question.options.length === 0 ? <p>its options cannot be read: answer on its screen</p> : null}
      <ol class="options">
        {question.options.map(({ label, number }, option) => (
          <li key={option}>
            <button
              type="button"
              disabled={!may("Answer") || sending.value}
              onClick={() => void answer(number === null ? label : String(number))}
            >
              {number === null ? "" : `${number}. `}
              {label}
            </button>
          </li>
        ))}
      </ol>
      <p class="buttons quiet">
        <ActionButtons tag={tag} actions={needActions(needs)} to="the question" />
      </p>
    </section>
  )
}
