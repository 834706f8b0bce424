import { useSignal } from "@preact/signals"
import { useEffect, useId } from "preact/hooks"
import { find } from "./connection.ts"
import { verbatim } from "./words.ts"

/** Milliseconds after the last key until the typed text is looked up. */
const pause = 120

interface DirectoryOptions {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A directory of the machine that leap web runs on, with completion. */
export const Directory = ({ label, onChange, value }: DirectoryOptions) => {
  const id = useId()
  const paths = useSignal<ReadonlyArray<string>>([])
  const branch = useSignal<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => {
      void find("Folders", { _tag: "Folders", path: value }).then((found) => {
        paths.value = typeof found === "string" ? [] : found.paths
        branch.value = typeof found === "string" ? null : found.branch
      })
    }, pause)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <label class="field">
      <span>
        {label} {branch.value === null ? null : <span class="hint">(on {branch.value})</span>}
      </span>
      <input
        required
        list={id}
        value={value}
        maxLength={4096}
        {...verbatim}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={id}>
        {paths.value.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </label>
  )
}
