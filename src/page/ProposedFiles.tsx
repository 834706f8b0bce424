import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { leftOut, proposalLines } from "../domain/surfaces/operations/proposalLines.ts"
import type { Edit } from "./Dialog.tsx"
import { Counts, Name } from "./ReviewFiles.tsx"
import { reviewFile } from "./reviewModel.ts"
import { Row, type View } from "./Rows.tsx"

/** The files of an edit that waits for an answer, as the view of changes shows them. */
export const ProposedFiles = ({ edit }: { readonly edit: Edit }) => {
  // Each frame has an edit of its own, mostly the same.
  const text = JSON.stringify(edit)
  const models = useMemo(
    () => edit.files.map((file) => reviewFile({ ...file, patch: null }, () => proposalLines(file))),
    [text]
  )
  const view: View = { isSplit: false, columns: useSignal(80), current: useSignal(null), remarking: null }
  const left = leftOut(edit)
  return (
    <div class="proposed" tabIndex={0} role="group" aria-label="What it would change">
      {models.map((model, file) => (
        <section key={file} class="file" aria-label={model.file.path}>
          <p class="head">
            <Name file={model.file} />
            <Counts file={model.file} />
          </p>
          <ol class="rows">
            {model.rows(false).all.map((row, n) => (
              <Row key={n} model={model} row={row} place={{ file, row: n }} isCurrent={false} view={view} />
            ))}
          </ol>
        </section>
      ))}
      {left === null ? null : <p class="hint">{left}: look at its screen</p>}
    </div>
  )
}
