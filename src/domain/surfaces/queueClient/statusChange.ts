import { mayAnswer, underWay } from "../../words/session/states.ts"
import { shownText } from "../../words/wording/shownText.ts"
import { deliveredText } from "../../engine/queue/MessageText.ts"
import { isFailed } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { shortId } from "../../words/session/shortId.ts"
import { type SessionStatus, turnOver } from "../../words/session/Session.ts"
import { oneLine } from "../../words/text/printable.ts"
import {
  type ClientCommand,
  type ClientState,
  firstOf,
  doing,
  type LogEntry,
  logged,
  unfinished,
  type Updated
} from "./ClientState.ts"

const toldMost = 500
const ended: ReadonlySet<string> = new Set(["done", "failed", "removed"])

/** The number of last log entries in which a prompt is not repeated. */
const repeatedWithin = 6
/** A CLI may report a prompt with another end: with its pictures, or with a folded paste. */
const sameBeginning = (a: string, b: string): boolean => a.trim().slice(0, 40) === b.trim().slice(0, 40)

const answerMost = 20_000

/** An answer as the log shows it. A command shows the rest of a long one. */
export const answerText = (text: string, tag: string): string =>
  text.length <= answerMost
    ? text.trim()
    : `${text.slice(0, answerMost).trim()}\n… ${text.length - answerMost} more characters: leap last ${tag}`

const named = (message: Pick<QueuedMessage, "id" | "text" | "from">): string =>
  `${shortId(message.id)} ${oneLine(shownText(message), 70)}`

const sameQuestion = (a: SessionStatus | null, b: SessionStatus): boolean =>
  a !== null && JSON.stringify(a.question ?? null) === JSON.stringify(b.question ?? null) && a.state === b.state

/** Whether the reason of a held message is logged: not if the user held it, or if it waits behind a failed message. */
const isNewsOfHeld = ({ cause }: QueuedMessage): boolean =>
  cause?._tag !== "HeldByUser" && cause?._tag !== "BehindFailure"

const isOver = (status: SessionStatus): boolean =>
  turnOver.has(status.state) && !status.queue.some((message) => message.status === "started")

/** The log of a client that joins: the last exchange, without an answer to an earlier prompt. */
const entriesOnJoin = (state: ClientState, status: SessionStatus): ReadonlyArray<LogEntry> => [
  ...(status.lastMessage === null ? [] : [{ kind: "sent" as const, text: status.lastMessage }]),
  ...(status.lastResponse === null || !isOver(status) || status.state === "interrupted"
    ? []
    : [{ kind: "answer" as const, text: answerText(status.lastResponse, state.tag) }])
]

/** The client with a new status: logs the changes, and asks for the answers to done messages. */
export const came = (before: ClientState, status: SessionStatus, at: number): Updated => {
  const former = before.status
  const entries: Array<LogEntry> = []
  const commands: Array<ClientCommand> = []
  const told = [...before.told]
  const asked = new Map(before.asked)
  const known = new Map(former?.queue.map((message) => [message.id, message.status]))
  if (former === null) entries.push(...entriesOnJoin(before, status))
  else if (before.link._tag === "Away") {
    entries.push({
      kind: "note",
      text: `'${before.tag}' runs again${status.cwd === former.cwd ? "" : `, now in ${status.cwd}`}`
    })
  }
  for (const message of status.queue) {
    const was = known.get(message.id)
    if (!ended.has(message.status) && told.includes(message.id)) told.splice(told.indexOf(message.id), 1)
    if (message.status === was || told.includes(message.id)) continue
    if (ended.has(message.status)) told.push(message.id)
    // Messages that were over before the client joined are not logged.
    if (former === null) continue
    if (message.status === "done") {
      if (was !== "started" && before.tellsSent) entries.push({ kind: "sent", text: shownText(message) })
      commands.push({ _tag: "Ask", id: message.id })
      asked.set(message.id, message.text)
      if (message.outcome === "interrupted") entries.push({ kind: "bad", text: `${named(message)}: interrupted` })
    }
    if (message.status === "started" && before.tellsSent) entries.push({ kind: "sent", text: shownText(message) })
    if (message.status === "removed") entries.push({ kind: "note", text: `removed: ${named(message)}` })
    const isHeld = message.status === "held" && was !== undefined && isNewsOfHeld(message)
    const isBack = message.status === "queued" && isFailed(message) && was !== undefined
    if (message.status === "failed" || isHeld || isBack) {
      const how = isBack ? "queued again" : message.status
      entries.push({ kind: "bad", text: `${how}: ${named(message)} (${message.why ?? "no reason known"})` })
    }
  }
  // A prompt that was typed at the CLI is not a message of the queue: it and its answer come with the status.
  const prompt = status.lastMessage
  const isTyped =
    former !== null &&
    prompt !== null &&
    prompt !== former.lastMessage &&
    !status.queue.some((message) => underWay.has(message.status) || sameBeginning(deliveredText(message), prompt)) &&
    !before.log.slice(-repeatedWithin).some(({ kind, text }) => kind === "sent" && sameBeginning(text, prompt))
  if (isTyped) entries.push({ kind: "sent", text: prompt })
  const answer = status.lastResponse
  const isNews = former !== null && isOver(status) && asked.size === 0 && answer !== null && answer !== before.lastShown
  if (isNews) entries.push({ kind: "answer", text: answerText(answer, before.tag) })
  const asking = mayAnswer(status)
  const state: ClientState = {
    ...before,
    status,
    now: at,
    link: { _tag: "Live" },
    askedAt: !asking ? null : sameQuestion(former, status) && before.askedAt !== null ? before.askedAt : at,
    told: told.slice(-toldMost),
    asked,
    lastShown: former === null || isNews ? answer : before.lastShown,
    scroll: before.scroll
  }
  return doing(logged(withValidSelection(state), ...entries), ...commands)
}

const withValidSelection = (state: ClientState): ClientState => {
  const { mode, status } = state
  if (mode._tag !== "List" || status === null) return state
  const listed = unfinished({ status })
  if (listed.some(({ id }) => id === mode.selected)) return state
  return { ...state, mode: { _tag: "List", selected: firstOf(state)?.id ?? null } }
}

/** The client with the answer to a message. If a slash command has no answer, no older answer is repeated. */
export const answered = (
  before: ClientState,
  { failure, id, text }: { readonly id: string; readonly text: string | null; readonly failure: string | null }
): ClientState => {
  const message = before.asked.get(id) ?? ""
  const asked = new Map(before.asked)
  asked.delete(id)
  const repeats = message.startsWith("/") && text === before.lastShown
  const entries: ReadonlyArray<LogEntry> = [
    ...(text === null || text.trim() === "" || repeats
      ? []
      : [{ kind: "answer" as const, text: answerText(text, before.tag) }]),
    ...(failure === null ? [] : [{ kind: "bad" as const, text: `${oneLine(message, 40)}: ${failure}` }])
  ]
  return logged({ ...before, asked, lastShown: text ?? before.lastShown }, ...entries)
}
