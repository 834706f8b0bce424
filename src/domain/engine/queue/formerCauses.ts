import type { MessageCause } from "../../words/session/MessageCause.ts"
import type { QueuedMessage, TurnOutcome } from "../../words/session/Message.ts"
import type { QueueEntry, QueueRecord } from "./QueueRecord.ts"

/** The kind of each failure before a message, by its former text. */
const problems = {
  "the usage limit is reached": "rate_limited",
  "the service fails": "overloaded",
  "the service cannot be reached": "network",
  "the account is refused (login, credit or rights)": "auth",
  "the conversation is full": "context",
  "the model, or a tool of the session's, is refused": "model",
  "message after message is refused": "refused",
  "the CLI crashed": "crashed",
  "the session is stuck": "stuck"
} as const

const behind = /^it waits behind a turn that failed(?:: (.*))?$/s
const failed = "its turn failed: "

interface Told {
  readonly cause?: MessageCause
  readonly outcome?: TurnOutcome
  readonly status?: string
  readonly why: string | null
}

/** The causes of texts in logs from before causes were recorded; these texts must not be changed. */
const meant = ({ outcome, status, why }: Told): MessageCause | null => {
  if (why === null) return null
  if (outcome === "failed" && why.startsWith(failed)) return { _tag: "TurnFailed", failure: why.slice(failed.length) }
  if (status !== "held") return null
  if (why === "you held it") return { _tag: "HeldByUser" }
  if (why === "left over from an earlier run") return { _tag: "LeftOver" }
  const [isBehind, words = ""] = behind.exec(why) ?? []
  if (isBehind === undefined) return null
  return { _tag: "BehindFailure", problem: problems[words as keyof typeof problems] ?? "unknown" }
}

const withCause = <A extends Told>(told: A): A => {
  const cause = told.cause === undefined ? meant(told) : null
  return cause === null ? told : { ...told, cause }
}

const entryWithCause = (entry: QueueEntry): QueueEntry => {
  const message: QueuedMessage = withCause(entry.message)
  return message === entry.message ? entry : { ...entry, message }
}

export const withFormerCauses = (record: QueueRecord): QueueRecord => {
  switch (record._tag) {
    case "StatusChanged":
    case "Requeued":
      return withCause(record)
    case "Kept":
      return { ...record, entry: entryWithCause(record.entry) }
    case "Restated":
      return {
        ...record,
        entries: record.entries.map(entryWithCause),
        finished: record.finished.map(entryWithCause)
      }
    default:
      return record
  }
}
