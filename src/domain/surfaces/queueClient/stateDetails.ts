import { needsOf } from "../../words/attention/needsOf.ts"
import { besideDialog, needLine } from "../../words/attention/needWords.ts"
import { currentLine, stateWords } from "../../words/attention/stateWords.ts"
import { limitLasts } from "../../words/wording/limitText.ts"
import { exitText } from "../../words/session/exitText.ts"
import { blockedText, failedText, heldText } from "../../words/wording/StateLine.ts"
import { contextShort, costText } from "../../words/wording/Format.ts"
import { oneLine } from "../../words/text/printable.ts"
import { type ClientState, unfinished } from "./ClientState.ts"

/** How long ago: `12s`, `5m`, `2h05`, `3d`. */
export const ageText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (seconds < 60) return `${seconds}s`
  if (minutes < 60) return `${minutes}m`
  return hours < 48 ? `${hours}h${String(minutes % 60).padStart(2, "0")}` : `${Math.floor(hours / 24)}d`
}

/** The state in one word with its duration, figures beside it, and the reason. */
export const stateDetails = (
  state: ClientState
): { readonly word: string; readonly figures: string; readonly reason: string } => {
  const { link, now, status } = state
  if (link._tag === "Away") {
    const reason = `${link.why}; this client waits for it to come back`
    if (link.runs === true) return { word: "no answer", figures: "", reason }
    const ended = status?.exit === null || status === null ? "" : ` (${exitText(status.exit)})`
    return { word: `not running${ended}`, figures: "", reason }
  }
  if (status === null) return { word: "…", figures: "", reason: "" }
  const since = Date.parse(status.since)
  const messages = unfinished(state)
  const queued = messages.filter(({ status }) => status === "queued").length
  const held = heldText(messages)
  const word = `${stateWords(status)}${Number.isNaN(since) ? "" : ` ${ageText(now - since)}`}`
  const figures = [
    queued > 0 ? `${queued} queued` : "",
    held ?? "",
    failedText(messages) ?? "",
    status.modes.autoSend === "always" ? "auto-approve" : "",
    status.context === null ? "" : contextShort(status),
    costText(status.cost)
  ].filter((part) => part !== "")
  const needs = needsOf(status)
  const blocked = (queued > 0 || status.pause) && needs.length === 0 ? blockedText(status) : null
  const reasons = [
    // a dialog's question is shown with its options
    ...(needs.length === 0
      ? [currentLine(status) ?? ""]
      : (status.question == null ? needs : besideDialog(needs)).map(needLine)),
    limitLasts(status, now) ?? "",
    needs.some(({ kind }) => kind === "limit") ? "" : (status.night?.text ?? ""),
    blocked ?? status.reason,
    status.background.length > 0 ? `background: ${status.background.map(({ title }) => title).join(", ")}` : ""
  ].filter((part) => part !== "")
  return { word, figures: figures.map((part) => ` · ${part}`).join(""), reason: oneLine(reasons.join(" · "), 400) }
}
