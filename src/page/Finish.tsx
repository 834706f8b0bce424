import { useSignal } from "@preact/signals"
import { type Finish as How, finishLabel, offeredFinishes } from "../domain/store/worktrees/Finish.ts"
import type { FoundAs } from "../domain/surfaces/web/Frames.ts"
import { takeFocus, ask } from "./connection.ts"
import { announcement } from "./store.ts"

interface FinishOptions {
  readonly tag: string
  readonly isOver: boolean
  /** A message for the commit. */
  readonly proposal: string
  readonly worktree: NonNullable<FoundAs<"Changes">["worktree"]>
  readonly onDone: () => void
}

/** The ways to finish a session's worktree: a button for each, after a list of the losses. */
export const Finish = ({ isOver, onDone, proposal, tag, worktree: { base, uncommitted } }: FinishOptions) => {
  const message = useSignal(proposal)
  const losses = useSignal<FoundAs<"Losses"> | null>(null)
  const why = useSignal("")
  const isDoing = useSignal(false)
  const finish = async (how: How, agreed: string | null): Promise<void> => {
    isDoing.value = true
    const text = uncommitted === 0 || how === "discard" ? null : message.value
    const { found, isDone, said } = await ask(tag, { _tag: "Finish", how, message: text, base, losses: agreed })
    isDoing.value = false
    losses.value = found?._tag === "Losses" ? found : null
    why.value = isDone ? "" : `not done: ${said}`
    if (!isDone || losses.value !== null) return
    announcement.value = `${tag}: ${said}`
    onDone()
  }
  return (
    <section aria-label="Finish the worktree">
      {uncommitted === 0 ? null : (
        <label class="field">
          The commit's message
          <textarea
            rows={2}
            value={message.value}
            onInput={({ currentTarget }) => (message.value = currentTarget.value)}
          />
        </label>
      )}
      <p class="buttons">
        {offeredFinishes({ base, uncommitted }, isOver).map((how) => (
          <button key={how} type="button" disabled={isDoing.value} onClick={() => void finish(how, null)}>
            {finishLabel(how, base)}
          </button>
        ))}
      </p>
      {isDoing.value ? <p class="hint">git is at work, and so are its hooks …</p> : null}
      {why.value === "" ? null : <p class="problem">{why.value}</p>}
      {losses.value === null ? null : (
        <div class="asking" role="group" aria-label="What would be lost">
          <ul>
            {losses.value.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <button type="button" onClick={() => void finish("discard", losses.value?.id ?? null)}>
            Lose that
          </button>
          <button type="button" ref={takeFocus} onClick={() => (losses.value = null)}>
            Keep it
          </button>
        </div>
      )}
    </section>
  )
}
