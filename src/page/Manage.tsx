import { heldOf } from "../domain/words/session/failedMessage.ts"
import { useSignal } from "@preact/signals"
import { newTag } from "../domain/words/session/newTag.ts"
import {
  forgetQuestion,
  modeActions,
  moveQuestion,
  muteActions,
  stopActions
} from "../domain/surfaces/operations/actions.ts"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { ActionButton, ActionButtons, type PageAction } from "./Actions.tsx"
import { Asking } from "./Asking.tsx"
import { learn } from "./connection.ts"
import { Directory } from "./Directory.tsx"
import { may, now, sessions } from "./store.ts"

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

/** A form that moves the session. A running one is stopped for that, after a question. */
const Move = ({ session: { cwd, state, tag } }: { readonly session: WebSession }) => {
  const directory = useSignal(cwd)
  const restart = state !== "exited"
  const action: PageAction = {
    key: "v",
    label: "Move",
    call: { _tag: "Move", directory: directory.value, restart },
    ...(restart ? { confirm: moveQuestion(tag) } : {})
  }
  return (
    <>
      <Directory label="Its directory" value={directory.value} onChange={(value) => (directory.value = value)} />
      <p class="buttons">
        <ActionButton tag={tag} action={action} />
      </p>
    </>
  )
}

/** A button for each other CLI: the conversation goes on there, in a session of its own. */
const HandOver = ({ session: { cli, tag } }: { readonly session: WebSession }) => (
  <Asking name="Choices" summary="Go on in another CLI">
    {({ clis }) => (
      <p class="buttons">
        <ActionButtons
          tag={tag}
          actions={clis.flatMap(({ id, name }) =>
            id === cli
              ? []
              : [
                  {
                    key: id,
                    label: name,
                    call: { _tag: "Hand", cli: id, as: newTag(`${tag}-${id}`, new Set(sessions.value.keys())) }
                  }
                ]
          )}
        />
      </p>
    )}
  </Asking>
)

/** Actions beside the operations of a running session: resume, forget, open in an editor. */
export const otherActions = ({ queue, state, tag }: WebSession): ReadonlyArray<PageAction> => {
  const edit: PageAction = { key: "E", label: "Open in the editor", call: { _tag: "Edit" } }
  if (state !== "exited") return [edit]
  const held = heldOf(queue)
  return [
    { key: "r", label: "Go on", call: { _tag: "Resume" } },
    { key: "f", label: "Forget", call: { _tag: "Forget", force: held > 0 }, confirm: forgetQuestion(tag, held) },
    edit
  ]
}

export const Manage = ({ session }: { readonly session: WebSession }) => {
  const { modes, state, tag } = session
  const isOver = state === "exited"
  const actions = isOver ? [] : [modeActions(modes), muteActions(modes, now.value), stopActions(tag)]
  return (
    <>
      {isOver ? null : <Why key={tag} tag={tag} />}
      {!(may("SetModes") || may("Stop")) ? null : (
        <details>
          <summary>{isOver ? "Where it lives" : "Modes, place and end"}</summary>
          {actions.map((some, n) => (
            <p key={n} class="buttons">
              <ActionButtons tag={tag} actions={some} />
            </p>
          ))}
          {may("Move") ? <Move key={tag} session={session} /> : null}
          {may("Hand") ? <HandOver key={tag} session={session} /> : null}
        </details>
      )}
    </>
  )
}
