import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { worktreeLine } from "../domain/store/worktrees/Finish.ts"
import { comparisons, type Moment, nextComparison } from "../domain/store/worktrees/moments.ts"
import type { FoundAs, WebSession } from "../domain/surfaces/web/Frames.ts"
import { needWords } from "../domain/words/attention/needWords.ts"
import { ask, select } from "./connection.ts"
import { Finish } from "./Finish.tsx"
import { Files, key } from "./ReviewFiles.tsx"
import { may } from "./store.ts"
import { useKeys } from "./useKeys.ts"

/**
 * The changes in the session's work tree, in the place of all else. Remarks go to its queue as one message; a worktree
 * can be finished.
 */
export const Review = ({ session }: { readonly session: WebSession }) => {
  const { lastMessage, needs, state, tag } = session
  const found = useSignal<FoundAs<"Changes"> | string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const against = useSignal<Moment | null>(null)
  const look = async (): Promise<void> => {
    const asked = against.value
    const { found: its, said } = await ask(tag, { _tag: "Changes", against: asked })
    // another comparison was chosen meanwhile
    if (asked !== against.value) return
    found.value = its?._tag === "Changes" ? its : `not known: ${said}`
  }
  useEffect(() => {
    heading.current?.focus()
    void look()
  }, [])
  const compare = (wanted: Moment | null): void => {
    against.value = wanted
    found.value = null
    void look()
  }
  useKeys({ Escape: () => select(tag), t: () => compare(nextComparison(against.value).against) })
  const its = found.value
  const [need] = needs
  return (
    <section class="review" aria-labelledby="review-heading">
      <div class="bar">
        <h2 id="review-heading" tabIndex={-1} ref={heading}>
          Changes of {tag}
        </h2>
        <span class="grow">{its === null ? "…" : typeof its === "string" ? its : its.summary}</span>
        <button type="button" onClick={() => void look()}>
          Look again
        </button>
        <button type="button" onClick={() => select(tag)}>
          Back to the session{key("Esc")}
        </button>
      </div>
      <p class="buttons since" role="group" aria-label="Changes since">
        <span class="hint" aria-hidden="true">
          since
        </span>
        {comparisons.map((one) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={one.against === against.value}
            onClick={() => compare(one.against)}
          >
            {one.name}
          </button>
        ))}
        {key("t")}
      </p>
      {need === undefined ? null : (
        <p class="need">
          ▲ {needWords[need.kind]}: {need.text}{" "}
          <button type="button" onClick={() => select(tag)}>
            Answer it
          </button>
        </p>
      )}
      {its === null || typeof its === "string" || its.worktree === null ? null : (
        <>
          <p class="place">{worktreeLine(its.worktree)}</p>
          {!may("Finish") ? null : (
            <Finish
              tag={tag}
              isOver={state === "exited"}
              proposal={lastMessage?.split("\n", 1)[0]?.slice(0, 72) ?? ""}
              worktree={its.worktree}
              onDone={() => void look()}
            />
          )}
        </>
      )}
      {its === null || typeof its === "string" || its.files.length === 0 ? null : <Files found={its} tag={tag} />}
    </section>
  )
}
