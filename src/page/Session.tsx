import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { besideDialog, needWords } from "../domain/words/attention/needWords.ts"
import { needActions, turnActions } from "../domain/surfaces/operations/actions.ts"
import { ActionButtons } from "./Actions.tsx"
import { changesAddress, select } from "./connection.ts"
import { Charts } from "./Charts.tsx"
import { Dialog } from "./Dialog.tsx"
import { Manage, otherActions } from "./Manage.tsx"
import { Queue } from "./Queue.tsx"
import { Screen } from "./Screen.tsx"
import { clashes, inGroup, may, now, shown } from "./store.ts"
import { clashWords, duration, groupClass, groupSigns, isFigure, stateWords } from "./words.ts"

const Text = ({ name, text }: { readonly name: string; readonly text: string | null }) =>
  text === null || text === "" ? null : (
    <details>
      <summary>{name}</summary>
      <p class="whole">{text}</p>
    </details>
  )

const clashMost = 3

export const Session = ({ session }: { readonly session: WebSession }) => {
  const { branch, cli, cwd, lastMessage, lastResponse, needs, problem, reason, since, tag } = session
  // A dialog's question is shown with its options.
  const plainNeeds = session.question === null ? needs : besideDialog(needs)
  const group = inGroup(session)
  const isTyping = shown.value?.tag === tag && shown.value.typing
  return (
    <section class={isTyping ? "session typing" : "session"} aria-labelledby="session-heading">
      <div class="bar title">
        <button type="button" class="close" onClick={() => select(null)}>
          Close
        </button>
        <h2 id="session-heading">{tag}</h2>
        <span class="place">
          {[cli, branch ?? "", ...[session.context, session.cost].filter(isFigure)]
            .filter((fact) => fact !== "")
            .join(" · ")}
          <br />
          {cwd}
        </span>
        <span class="buttons">
          {!may("Changes") ? null : (
            <button type="button" onClick={() => (location.hash = changesAddress(tag))}>
              Changes
            </button>
          )}
          <ActionButtons tag={tag} actions={[...turnActions(session), ...otherActions(session)]} />
        </span>
      </div>
      <p class={groupClass(group)} title={reason}>
        <span aria-hidden="true">{groupSigns[group]}</span> <strong>{stateWords(session)}</strong> ·{" "}
        {duration(now.value - since)}
        {needs.length > 0 || session.now === problem ? "" : ` · ${session.now}`}
      </p>
      {plainNeeds.map((need) => (
        <p key={`${need.kind}${need.since}${need.text}`} class="need">
          <strong>▲ {needWords[need.kind]}:</strong> {need.text}{" "}
          <span class="buttons">
            <ActionButtons tag={tag} actions={needActions([need])} to={needWords[need.kind]} />
          </span>
        </p>
      ))}
      {problem === null ? null : <p class="problem">! {problem}</p>}
      {(clashes.value.get(tag) ?? []).slice(0, clashMost).map((clash) => (
        <p key={clash.path} class="clash">
          {clashWords(clash, true)}
        </p>
      ))}
      {session.question === null ? null : (
        <Dialog
          tag={tag}
          question={session.question}
          proposal={session.proposal}
          needs={needs.filter((need) => !plainNeeds.includes(need))}
        />
      )}
      <div class="body">
        <Screen session={session} />
        <Manage session={session} />
        <Charts key={tag} tag={tag} />
        <Text name="Your last message" text={lastMessage} />
        <Text name="Its last answer" text={lastResponse} />
      </div>
      <Queue session={session} />
    </section>
  )
}
