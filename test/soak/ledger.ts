import type { TurnOutcome } from "../../src/domain/words/session/Message.ts"

/** What became of a call: `unknown` where its answer was lost, `absent` where there was no host to take it. */
export type CallOutcome = "done" | "refused" | "absent" | "unknown"

/** One line of what was done to the sessions and what they said of it, in order. */
export type Entry = { readonly tag: string } & (
  | { readonly do: "send"; readonly id: string; readonly text: string; readonly by: string; readonly came: CallOutcome }
  | { readonly do: "edit"; readonly id: string; readonly text: string; readonly came: CallOutcome }
  /** `heard`: it was held in doubt, and the CLI had heard it. */
  | { readonly do: "remove"; readonly id: string; readonly heard: boolean; readonly came: CallOutcome }
  | {
      readonly do: "receipt"
      readonly id: string
      readonly text: string
      readonly status: string
      readonly why: string | null
      readonly outcome: TurnOutcome | null
    }
  /** A person at an attached terminal. */
  | { readonly do: "type"; readonly text: string }
  /** All that needs no account: kills, stalls, starts. */
  | { readonly do: "act"; readonly what: string }
)

/** What a session's CLI says that it has received. */
export interface Heard {
  readonly event: string
  readonly text: string
}

/** The first word about an attached terminal that was told to end, and had not half a minute later. */
export const viewerStays = "viewer-stays"

interface Message {
  readonly tag: string
  readonly id: string
  /** All that it may have been at some time, the newest last. */
  readonly texts: ReadonlyArray<string>
  readonly receipts: ReadonlyArray<Extract<Entry, { do: "receipt" }>>
  readonly accepted: boolean
  /** Taken out by a client: a host that starts anew has no receipt of it any more. */
  readonly removed: boolean
  readonly removedHeard: boolean
  readonly last: string
}

const ends: ReadonlySet<string> = new Set(["done", "failed", "removed"])

const messagesOf = (ledger: ReadonlyArray<Entry>): ReadonlyArray<Message> => {
  const found = new Map<string, Message>()
  for (const entry of ledger) {
    if (!("id" in entry)) continue
    const key = `${entry.tag}\0${entry.id}`
    const before = found.get(key) ?? {
      tag: entry.tag,
      id: entry.id,
      texts: [],
      receipts: [],
      accepted: false,
      removed: false,
      removedHeard: false,
      last: ""
    }
    const isTaken = !("came" in entry) || entry.came === "done" || entry.came === "unknown"
    found.set(key, {
      ...before,
      texts:
        "text" in entry && isTaken && before.texts.at(-1) !== entry.text ? [...before.texts, entry.text] : before.texts,
      receipts: entry.do === "receipt" ? [...before.receipts, entry] : before.receipts,
      accepted: before.accepted || entry.do === "receipt" || (entry.do === "send" && entry.came === "done"),
      removed: before.removed || (entry.do === "remove" && isTaken),
      removedHeard: before.removedHeard || (entry.do === "remove" && entry.heard),
      last: "came" in entry ? `${entry.do}: ${entry.came}` : `${entry.do}: ${entry.status}`
    })
  }
  return [...found.values()]
}

/** How often the CLI has heard each text. */
export const countTexts = (heard: ReadonlyArray<Heard>, event: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const line of heard) if (line.event === event) counts.set(line.text, (counts.get(line.text) ?? 0) + 1)
  return counts
}

const times = (counts: ReadonlyMap<string, number>, texts: Iterable<string>): number =>
  [...new Set(texts)].reduce((sum, text) => sum + (counts.get(text) ?? 0), 0)

/** What is wrong with one message, when all is over. */
const judgeMessage = (
  message: Message,
  submitted: ReadonlyMap<string, number>,
  turns: Readonly<Record<TurnOutcome, ReadonlyMap<string, number>>>
): ReadonlyArray<string> => {
  const { accepted, receipts, removedHeard, texts } = message
  const last = receipts.at(-1)
  const heard = times(submitted, texts)
  if (heard > 1) return [`was heard ${heard} times`]
  if (last === undefined)
    return accepted
      ? ["was accepted, and there is no receipt of it"]
      : heard > 0
        ? ["was heard, and never accepted"]
        : []
  const found: Array<string> = []
  const first = receipts.findIndex(({ status }) => ends.has(status))
  if (first >= 0 && receipts[first]!.status !== last.status)
    found.push(`had ended as ${receipts[first]!.status}, and then was ${last.status}`)
  const isOver = ends.has(last.status)
  const isRemoved = last.status === "removed" || (message.removed && !isOver)
  if (!isOver && !isRemoved) found.push(`is still ${last.status} (${last.why})`)
  if (isRemoved && !message.removed) found.push("was removed, and nobody had asked for it")
  if (isRemoved && heard !== (removedHeard ? 1 : 0)) found.push(`was removed, and heard ${heard} times`)
  if ((last.status === "done" || last.status === "failed") && heard === 0)
    found.push(`is ${last.status} (${last.why}), and was never heard`)
  if (heard === 1 && !isRemoved && times(submitted, [last.text]) === 0)
    found.push("was heard with a text that it had before it was changed")
  if (last.status === "done" && last.outcome !== null && times(turns[last.outcome], [last.text]) !== 1)
    found.push(`is said to have ${last.outcome}, and its turn has not`)
  return found
}

const turnsOf = (heard: ReadonlyArray<Heard>): Record<TurnOutcome, ReadonlyMap<string, number>> => ({
  completed: countTexts(heard, "turn_ended"),
  interrupted: countTexts(heard, "turn_interrupted"),
  failed: countTexts(heard, "turn_failed")
})

/** The last things that were done to a session, for people. */
const lastActs = (ledger: ReadonlyArray<Entry>, tag: string): string =>
  ledger
    .flatMap((entry) => (entry.do === "act" && entry.tag === tag ? [entry.what] : []))
    .slice(-6)
    .join(", ")

/**
 * What is not as it must be once all sessions rest: each message that was accepted is heard once by the CLI that it was
 * for, or was removed and never heard; nothing else is heard but what was typed; no receipt goes on after its end. And
 * each attached terminal that was told to end has ended.
 */
export const judge = (
  ledger: ReadonlyArray<Entry>,
  heardBy: ReadonlyMap<string, ReadonlyArray<Heard>>
): ReadonlyArray<string> => {
  const messages = messagesOf(ledger)
  const found = ledger.flatMap((entry) =>
    entry.do === "act" && entry.what.startsWith(viewerStays)
      ? [`${entry.tag}: an attached terminal did not end: ${entry.what}`]
      : []
  )
  for (const [tag, heard] of heardBy) {
    const say = (what: string) => void found.push(`${tag}: ${what}; what was done to it last: ${lastActs(ledger, tag)}`)
    const submitted = countTexts(heard, "submitted")
    const turns = turnsOf(heard)
    const own = messages.filter((message) => message.tag === tag)
    const known = new Set(own.flatMap(({ texts }) => texts))
    for (const message of own)
      for (const fault of judgeMessage(message, submitted, turns))
        say(`message ${message.id} “${message.texts.at(-1)}” ${fault} (last: ${message.last})`)
    const typed = ledger.flatMap((entry) => (entry.do === "type" && entry.tag === tag ? [entry.text] : []))
    for (const [text, count] of submitted) {
      if (known.has(text)) continue
      // keys go where the session is: the first of them may have gone to a dialog
      const isTyped = text !== "" && typed.some((own) => own.endsWith(text))
      if (!isTyped) say(`its CLI heard “${text}”, which nobody sent to it`)
      else if (count > 1 && typed.includes(text)) say(`its CLI heard “${text}” ${count} times, which was typed once`)
    }
  }
  return found
}

/** How many messages ended how, and what was done, for the line that a run prints. */
export const tally = (ledger: ReadonlyArray<Entry>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  const add = (what: string) => void (counts[what] = (counts[what] ?? 0) + 1)
  for (const { receipts } of messagesOf(ledger)) add(`messages ${receipts.at(-1)?.status ?? "not taken"}`)
  for (const entry of ledger) {
    if (entry.do === "act") add(entry.what.replace(/ .*/, ""))
    else if (entry.do !== "receipt") add(`${entry.do} ${"came" in entry ? entry.came : ""}`.trim())
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)))
}
