import { useSignal } from "@preact/signals"
import { modeActions, muteActions, stopActions } from "../domain/surfaces/operations/actions.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { ActionButtons } from "./Actions.tsx"
import { learn } from "./actions.ts"
import { may, now } from "./store.ts"

/** Why the session is in its state, once that is asked. */
const Why = ({ tag }: { readonly tag: string }) => {
  const text = useSignal<string | null>(null)
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) return
        text.value = null
        void learn(tag, { _tag: "Why" }).then((why) => {
          text.value = why
        })
      }}
    >
      <summary>Why</summary>
      <pre tabIndex={0}>{text.value ?? "…"}</pre>
    </details>
  )
}

/** What is set for the whole session, and its end. */
export const Manage = ({ session: { modes, state, tag } }: { readonly session: WebSession }) => (
  <>
    {state === "exited" ? null : <Why key={tag} tag={tag} />}
    {state === "exited" || !(may("SetModes") || may("Stop")) ? null : (
      <details>
        <summary>Modes and end</summary>
        <p class="buttons">
          <ActionButtons tag={tag} actions={modeActions(modes)} />
        </p>
        <p class="buttons">
          <ActionButtons tag={tag} actions={muteActions(modes, now.value)} />
        </p>
        <p class="buttons">
          <ActionButtons tag={tag} actions={stopActions(tag)} />
        </p>
      </details>
    )}
  </>
)
