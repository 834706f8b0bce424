import type { WebSession } from "../domain/web/Frames.ts"
import { shareOf } from "../domain/web/Timeline.ts"
import { act, select } from "./actions.ts"
import { Charts } from "./Charts.tsx"
import { Dialog } from "./Dialog.tsx"
import { Queue } from "./Queue.tsx"
import { Screen } from "./Screen.tsx"
import { clashes, now, readOnly } from "./store.ts"
import { clashWords, duration, shareSigns, stateWords } from "./words.ts"

const Text = ({ name, text }: { readonly name: string; readonly text: string | null }) =>
  text === null || text === "" ? null : (
    <details>
      <summary>{name}</summary>
      <p class="whole">{text}</p>
    </details>
  )

const clashMost = 3

/** One session: what it does and asks, its screen, its queue. */
export const Session = ({ session }: { readonly session: WebSession }) => {
  const { branch, cli, cwd, lastMessage, lastResponse, problem, reason, since, state, tag } = session
  return (
    <section class="session" aria-labelledby="session-heading">
      <div class="bar">
        <h2 id="session-heading">{tag}</h2>
        {state === "running" && !readOnly.value ? (
          <button type="button" onClick={() => void act({ _tag: "Interrupt", tag }, `${tag} is interrupted`)}>
            Interrupt
          </button>
        ) : null}
        <button type="button" onClick={() => select(null)}>
          Close
        </button>
      </div>
      <p class={shareOf(state)}>
        <span aria-hidden="true">{shareSigns[shareOf(state)]}</span> <strong>{stateWords(session)}</strong> (
        {duration(now.value - since)}): {reason}
      </p>
      {problem === null ? null : <p class="problem">! {problem}</p>}
      {(clashes.value.get(tag) ?? []).slice(0, clashMost).map((clash) => (
        <p key={clash.path} class="clash">
          {clashWords(clash, true)}
        </p>
      ))}
      <p class="place">
        {cli} in {cwd}
        {branch === null ? "" : ` on ${branch}`}
      </p>
      {session.question === null ? null : <Dialog tag={tag} question={session.question} />}
      <Screen session={session} />
      <Queue session={session} />
      <Charts tag={tag} />
      <Text name="Your last message" text={lastMessage} />
      <Text name="Its last answer" text={lastResponse} />
    </section>
  )
}
