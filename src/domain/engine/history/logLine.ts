import { shortId } from "../../words/session/shortId.ts"
import { oneLine } from "../../words/text/printable.ts"
import { causeText, exitText } from "../../words/session/exitText.ts"
import { paint } from "../../words/wording/StateLine.ts"
import { durationText } from "./durationText.ts"
import type { LogEntry } from "./LogEntry.ts"

const quoted = (text: string | null, limit: number): string => (text === null ? "" : `“${oneLine(text, limit)}”`)

const answerers: Readonly<Record<string, string>> = {
  rule: "answered by a rule",
  mode: "answered by the mode",
  client: "answered by you, through leap",
  terminal: "answered by you, at its terminal"
}

const stateWords: Readonly<Record<string, string>> = { needs_permission: "permission", needs_input: "question" }

const endText = (end: Extract<LogEntry, { readonly kind: "ended" }>): string =>
  end.lost
    ? `${end.why === null ? "its host died" : causeText(end.why)}: nothing is known after this`
    : `ended: ${exitText(end)}`

const colourOf = (entry: LogEntry): number | null => {
  switch (entry.kind) {
    case "problem":
    case "gap":
      return 31
    case "dialog":
      return 33
    case "ended":
      return entry.lost ? 31 : 90
    case "turn":
      return entry.outcome === "failed" ? 31 : null
    case "decision":
      return entry.verdict === "deny" ? 31 : 90
    default:
      return entry.kind === "message" ? null : 90
  }
}

/** The event, without its time and session. */
export const logText = (entry: LogEntry): string => {
  switch (entry.kind) {
    case "started": {
      const moved = entry.movedFrom === null ? "" : `, moved there from ${oneLine(entry.movedFrom, 200)}`
      return `started ${entry.cli} in ${oneLine(entry.cwd, 200)}${moved}`
    }
    case "ended":
      return endText(entry)
    case "turn": {
      const time = entry.until === null ? "turn, still running" : `turn of ${durationText(entry.until - entry.at)}`
      const how = entry.outcome === null || entry.outcome === "completed" ? "" : `, ${entry.outcome}`
      const texts = [quoted(entry.prompt, 100), quoted(entry.answer, 160)].filter((text) => text !== "")
      return `${time}${how}${texts.length === 0 ? "" : `: ${texts.join(" → ")}`}`
    }
    case "message": {
      const waited = entry.waitedMs === null ? "" : `, sent after ${durationText(entry.waitedMs)}`
      const outcome = entry.outcome !== null && entry.outcome !== "completed" ? ` (${entry.outcome})` : ""
      const why = entry.why === null ? "" : ` (${oneLine(entry.why, 100)})`
      const text = entry.text === null ? "" : `: ${quoted(entry.text, 120)}`
      return `message ${shortId(entry.id)} ${entry.status}${outcome}${waited}${why}${text}`
    }
    case "dialog": {
      const what = entry.asked === null ? "" : `: ${quoted(entry.asked, 120)}`
      const kind = stateWords[entry.state] ?? entry.state
      if (entry.until === null) return `${kind}${what}, still waiting`
      const by = entry.answeredBy === null ? "gone" : (answerers[entry.answeredBy] ?? entry.answeredBy)
      return `${kind}${what}, ${by} after ${durationText(entry.until - entry.at)}`
    }
    case "decision": {
      const rule = entry.rule === null ? ` by ${entry.by}` : ` by ${oneLine(entry.rule, 100)}`
      const verdict = entry.verdict === "deny" ? "refused" : entry.verdict === "allow" ? "allowed" : "left to you"
      return `${verdict}${rule}${entry.what === null ? "" : `: ${oneLine(entry.what, 160)}`}`
    }
    case "problem":
      return `problem: ${oneLine(entry.text ?? "", 200)}`
    case "over":
      // An unknown kind has no name for people.
      return entry.text === null || entry.text === "unknown"
        ? "problem over"
        : `problem over: ${entry.text.replaceAll("_", " ")}`
    case "conversation":
      return `conversation ${oneLine(entry.text ?? "", 80)}`
    case "continues":
      return `goes on with what was said in '${oneLine(entry.text ?? "", 200)}'`
    case "continued":
      return `its conversation goes on in '${oneLine(entry.text ?? "", 200)}'`
    case "night":
      return oneLine(entry.text ?? "", 200)
    case "gap":
      return `not recorded until here${entry.text === null ? "" : `: ${oneLine(entry.text, 100)}`}`
  }
}

export const logLines = (
  entries: ReadonlyArray<LogEntry>,
  clock: (at: number) => string,
  colour: boolean
): ReadonlyArray<string> => {
  const width = Math.min(24, Math.max(0, ...entries.map(({ tag }) => tag.length)))
  return entries.map((entry) => {
    const sgr = colourOf(entry)
    const text = sgr === null ? logText(entry) : paint(logText(entry), sgr, colour)
    return `${paint(clock(entry.at), 90, colour)}  ${oneLine(entry.tag, 200).padEnd(width)}  ${text}`
  })
}
