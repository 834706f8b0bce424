import type { QueueRecord } from "../queue/Queue.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { keptLine, keptText } from "./keptText.ts"
import type { RecordRow } from "./RecordRow.ts"

type Detail = "meta" | "full"

const accepted = (detail: Detail, at: number, message: QueuedMessage): ReadonlyArray<RecordRow> => {
  const { id, images, status, text } = message
  const queuedAt = Date.parse(message.queuedAt)
  const row: RecordRow = {
    _tag: "Message",
    id,
    at: Number.isNaN(queuedAt) ? at : queuedAt,
    length: text.length,
    images: images.length,
    status
  }
  return detail === "meta" ? [row] : [row, textOf(id, row.at, text)]
}

const textOf = (id: string, at: number, text: string): RecordRow => ({
  _tag: "Text",
  kind: "message",
  ref: id,
  at,
  text: keptText(text)
})

const stepOf = (
  detail: Detail,
  id: string,
  at: number,
  status: QueuedMessage["status"],
  why: string | null = null,
  outcome: Extract<RecordRow, { readonly _tag: "MessageStep" }>["outcome"] = null
): RecordRow => ({
  _tag: "MessageStep",
  id,
  at,
  status,
  why: why === null || detail === "meta" ? null : keptLine(why),
  outcome
})

/** The rows of a restored message, or of a line of the queue's log: its text, and each step of its receipt. */
export const messageRows = (detail: Detail, at: number, of: QueueRecord | QueuedMessage): ReadonlyArray<RecordRow> => {
  if (!("_tag" in of)) return accepted(detail, at, of)
  switch (of._tag) {
    case "Accepted":
      return accepted(detail, at, of.message)
    case "Edited": {
      const edited: RecordRow = { _tag: "MessageEdited", id: of.id, length: of.text.length }
      return detail === "meta" ? [edited] : [edited, textOf(of.id, at, of.text)]
    }
    case "Removed":
      return [stepOf(detail, of.id, of.at, "removed")]
    case "Cleared":
      return of.ids.map((id) => stepOf(detail, id, of.at, "removed"))
    case "Requeued":
      return [stepOf(detail, of.id, of.at, "queued", of.why, of.outcome ?? null)]
    case "Released":
    case "Retried":
    case "Forced":
      return [stepOf(detail, of.id, of.at, "queued")]
    case "StatusChanged":
      return [stepOf(detail, of.id, of.at, of.status, of.why, of.outcome ?? null)]
    // Positions, and repetitions in the log, are not recorded.
    case "Attempted":
    case "Conditioned":
    case "Kept":
    case "Moved":
    case "Restated":
      return []
  }
}
