import { makeWidths } from "./CharWidth.ts"
import type { QueuedMessage } from "./Message.ts"
import type { SessionState, SessionStatus } from "./Session.ts"

/** ANSI colour of a state (SGR parameter). */
const colours: Readonly<Record<SessionState, number>> = {
  starting: 90,
  idle: 32,
  running: 34,
  needs_permission: 33,
  needs_input: 33,
  interrupted: 35,
  churning: 36,
  exited: 90
}

/** Control characters and invisible formatting that a CLI's text must not carry onto the user's terminal. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g

/** A text of several lines without what a terminal would obey. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, "")

/** One printable line of at most `limit` characters. */
export const oneLine = (text: string, limit = 80): string => {
  const line = [...text.replace(unsafe, " ").replace(/\s+/g, " ").trim()]
  return line.length <= limit ? line.join("") : `${line.slice(0, limit - 1).join("")}…`
}

const waitingStatuses: ReadonlySet<string> = new Set(["queued", "typed"])

export const paint = (text: string, sgr: number, colour: boolean): string => colour ? `\u001b[${sgr}m${text}\u001b[0m` : text

/** Why queued messages of a session at rest do not go out; null while they are about to, or wait for a turn to end. */
export const waitsFor = (status: SessionStatus): string | null => {
  if (status.state === "interrupted") return "waits since you interrupted ('leap send --force' goes on)"
  if (status.ready || status.state !== "idle" && status.state !== "churning") return null
  const why = status.reason.split("; not ready: ")[1]
  return why === undefined ? null : `waits: ${oneLine(why, 60)}`
}

/** What a session does, in one line: `● running · Reading files · 2 queued`. */
export const stateLine = (status: SessionStatus, colour: boolean): string => {
  const queued = status.queue.filter((message) => waitingStatuses.has(message.status)).length
  const held = status.queue.filter((message) => message.status === "held").length
  const parts = [paint(`● ${status.state.replace("_", " ")}`, colours[status.state], colour)]
  const says = status.problem?.message ?? status.message
  if (says !== null && says !== "") parts.push(oneLine(says, 60))
  if (queued > 0) parts.push(`${queued} queued`)
  const why = waitsFor(status)
  if (queued > 0 && why !== null) parts.push(why)
  if (held > 0) parts.push(`${held} held`)
  if (status.state === "exited" && status.exit !== null) parts.push(exitText(status.exit))
  return parts.join(" · ")
}

export const exitText = (exit: { readonly code: number | null; readonly signal: string | null }): string =>
  exit.signal !== null ? `killed by ${exit.signal}` : `exit code ${exit.code ?? "unknown"}`

/** One message in a list: its id, its receipt and its beginning. */
export const messageLine = (message: QueuedMessage): string =>
  `${message.id}  ${message.status.padEnd(9)}  ${oneLine(message.text, 70)}${message.why === null ? "" : `  (${oneLine(message.why, 80)})`}`

// oxlint-disable-next-line no-control-regex
const painted = /\u001b\[[0-9;]*m/g

/** Columns aligned to their widest cell, as a terminal shows them; the last is left as it is. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const width = makeWidths()
  const wide = (cell: string) => [...cell.replace(painted, "")].reduce((sum, char) => sum + width(char.codePointAt(0)!), 0)
  const widths: Array<number> = []
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, wide(cell))))
  return rows.map((row) =>
    row.map((cell, i) => i === row.length - 1 ? cell : cell + " ".repeat(widths[i]! - wide(cell))).join("  ").trimEnd()
  ).join("\n")
}
