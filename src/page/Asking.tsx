import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import type { ComponentChildren } from "preact"
import type { FoundAs } from "../domain/surfaces/web/Frames.ts"
import { find } from "./connection.ts"

/** A part that requests its content when it is opened. */
export const Asking = <Name extends "Choices" | "Earlier">({
  children,
  name,
  summary
}: {
  readonly name: Name
  readonly summary: string
  readonly children: (found: FoundAs<Name>, close: () => void) => ComponentChildren
}) => {
  const part = useRef<HTMLDetailsElement>(null)
  const close = (): void => {
    if (part.current !== null) part.current.open = false
  }
  const found = useSignal<FoundAs<Name> | string | null>(null)
  const look = async (): Promise<void> => {
    found.value = await find(name, { _tag: name })
  }
  const shown = () => {
    if (found.value === null) return <p>…</p>
    return typeof found.value === "string" ? <p class="problem">{found.value}</p> : children(found.value, close)
  }
  return (
    <details
      ref={part}
      onToggle={({ currentTarget }) => {
        found.value = null
        if (currentTarget.open) void look()
      }}
    >
      <summary>{summary}</summary>
      {shown()}
    </details>
  )
}
