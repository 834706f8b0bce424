import { useComputed, useSignal } from "@preact/signals"
import {
  type PatchFile,
  patchFiles,
  type PatchLine,
  type Remark,
  remarksText
} from "../domain/store/worktrees/patchLines.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { act, type FoundAs, takeFocus, ask } from "./connection.ts"
import { Finish } from "./Finish.tsx"
import { may } from "./store.ts"

/** Files that are open at first, at most: the browser lays out no more than somebody reads. */
const openMost = 20

const signs: Readonly<Record<PatchLine["kind"], string>> = { added: "+", removed: "−", same: " ", hunk: "", about: "" }

interface FileOptions {
  readonly file: PatchFile
  readonly isOpen: boolean
  readonly remark: (line: PatchLine, text: string) => void
}

const File = ({ file: { added, lines, name, removed }, isOpen, remark }: FileOptions) => {
  const chosen = useSignal<number | null>(null)
  const open = useSignal(isOpen)
  const text = useSignal("")
  return (
    <details class="file" open={isOpen} onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
      <summary>
        <code>{name}</code> +{added} −{removed}
      </summary>
      {!open.value ? null : (
        <ol>
          {lines.map((line, n) => (
            <li key={n} class={line.kind}>
              {line.at === null || !may("Send") ? (
                <span class="at">{line.at ?? ""}</span>
              ) : (
                <button
                  type="button"
                  class="at"
                  aria-label={`remark on line ${line.at} of ${name}`}
                  aria-expanded={chosen.value === n}
                  onClick={() => (chosen.value = chosen.value === n ? null : n)}
                >
                  {line.at}
                </button>
              )}
              <code>
                {signs[line.kind]}
                {line.at === null ? line.text : line.text.slice(1)}
              </code>
              {chosen.value !== n ? null : (
                <form
                  onSubmit={(event) => {
                    event.preventDefault()
                    if (text.value.trim() === "") return
                    remark(line, text.value)
                    text.value = ""
                    chosen.value = null
                  }}
                >
                  <textarea
                    aria-label={`your remark on line ${line.at} of ${name}`}
                    value={text.value}
                    onInput={({ currentTarget }) => (text.value = currentTarget.value)}
                    ref={takeFocus}
                  />
                  <button type="submit">Keep</button>
                </form>
              )}
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}

/** The changes in the session's work tree. Remarks go to its queue as one message; a worktree can be finished. */
export const Changes = ({ session: { lastMessage, state, tag } }: { readonly session: WebSession }) => {
  const worktree = useSignal<FoundAs<"Worktree"> | null>(null)
  const isOpen = useSignal(false)
  const said = useSignal<string | null>(null)
  const remarks = useSignal<ReadonlyArray<Remark>>([])
  const look = async (): Promise<void> => {
    said.value = null
    const { found, isDone, said: why, text } = await ask(tag, { _tag: "Changes", against: null })
    said.value = isDone ? (text ?? why) : `not known: ${why}`
    worktree.value = found?._tag === "Worktree" ? found : null
  }
  const send = async (): Promise<void> => {
    const call = { _tag: "Send", text: remarksText(remarks.value), images: [], front: false, force: false } as const
    if (await act(tag, call)) remarks.value = []
  }
  const read = useComputed(() => {
    const text = said.value ?? "…"
    const start = text.search(/(?<![^\n])diff --/)
    return start < 0 ? { list: text, files: [] } : { list: text.slice(0, start), files: patchFiles(text.slice(start)) }
  })
  const shown = () => (
    <>
      <p class="buttons">
        <button type="button" onClick={() => void look()}>
          Look again
        </button>
      </p>
      <pre tabIndex={0}>{read.value.list.trimEnd()}</pre>
      {worktree.value === null || !may("Finish") ? null : (
        <Finish
          tag={tag}
          isOver={state === "exited"}
          proposal={lastMessage?.split("\n", 1)[0]?.slice(0, 72) ?? ""}
          worktree={worktree.value}
          onDone={() => void look()}
        />
      )}
      {read.value.files.map((file, n) => (
        <File
          // A file with a new type occurs twice.
          key={`${n} ${file.name}`}
          file={file}
          isOpen={n < openMost && file.lines.length < 1_000}
          remark={(line, its) => (remarks.value = [...remarks.value, { name: file.name, line, text: its }])}
        />
      ))}
      {remarks.value.length === 0 ? null : (
        <section aria-label="Your remarks">
          <pre>{remarksText(remarks.value)}</pre>
          <p class="buttons">
            <button type="button" onClick={() => void send()}>
              {remarks.value.length === 1 ? "Queue the remark" : `Queue ${remarks.value.length} remarks`}
            </button>
            <button type="button" onClick={() => (remarks.value = [])}>
              Drop
            </button>
          </p>
        </section>
      )}
    </>
  )
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
        if (currentTarget.open) void look()
      }}
    >
      <summary>Changes</summary>
      {isOpen.value ? shown() : null}
    </details>
  )
}
