import { shownText } from "../../words/wording/shownText.ts"
import { isGivenUp, waitingOf } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { shortId } from "../../words/session/shortId.ts"
import { oneLine } from "../../words/text/printable.ts"
import { clean, shorten, wrap } from "../tui/Cells.ts"
import { entryRows, scrolledRows, topAround } from "../tui/List.ts"
import { ruleLine, span, type Style, type StyledLine } from "../tui/Paint.ts"
import { bangCommands } from "./BangCommands.ts"
import { type ClientState, failed, isAsking, unfinished } from "./ClientState.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { besideDialog, needLine, needWords, currentLine, stateWords } from "../../words/attention/needWords.ts"
import { limitLasts } from "../../words/wording/limitText.ts"
import { exitText } from "../../words/session/exitText.ts"
import { blockedText, failedText, heldText } from "../../words/wording/StateLine.ts"
import { contextShort, costText } from "../../words/wording/Format.ts"

/** The most rows of a subject: a command is rarely longer. */
const subjectMost = 6

/** The dialog with its options. With little room the options come first. */
export const dialogRows = (state: ClientState, most: number): ReadonlyArray<StyledLine> => {
  const { size, status } = state
  if (!isAsking(state) || status === null || most <= 0) return []
  const question = status.question ?? null
  const title = question?.title ?? status.message ?? "it asks something"
  const inner = Math.max(1, size.cols - 2)
  const options = (question?.options ?? []).flatMap(({ label, number }): ReadonlyArray<StyledLine> => {
    const mark = number === null ? "  - " : `${String(number).padStart(3)} `
    return wrap(label, Math.max(1, size.cols - 4), 2).map((row, i) => [
      span(i === 0 ? mark : "    ", "accent"),
      span(row)
    ])
  })
  const none: ReadonlyArray<StyledLine> =
    options.length > 0 ? [] : [[span(shorten(`  leap attach ${state.tag} shows it`, size.cols), "faint")]]
  const subject = wrap(question?.subject ?? "", inner, subjectMost).map((row): StyledLine => [
    span(`  ${row}`, "plain")
  ])
  const heads: ReadonlyArray<StyledLine> = [
    ruleLine("dialog", size.cols, "match"),
    ...wrap(title, size.cols, 3).map((row): StyledLine => [span(row, "plain", true)]),
    ...subject
  ]
  const tail = [...options, ...none]
  const head = heads.slice(0, Math.max(1, most - tail.length))
  return [...head, ...scrolledRows(tail, 0, most - head.length)].slice(0, most)
}

const marks: Readonly<Record<QueuedMessage["status"], { readonly mark: string; readonly style: Style }>> = {
  queued: { mark: " ", style: "plain" },
  held: { mark: "‖", style: "bad" },
  typed: { mark: "→", style: "accent" },
  submitted: { mark: "→", style: "accent" },
  started: { mark: "▶", style: "live" },
  done: { mark: "✓", style: "faint" },
  failed: { mark: "!", style: "bad" },
  removed: { mark: "-", style: "faint" }
}

const messageRow = (message: QueuedMessage, selected: boolean, cols: number): StyledLine => {
  const { mark, style } = isGivenUp(message) ? marks.failed : marks[message.status]
  const images =
    message.images.length === 0 ? "" : `[${message.images.length} image${message.images.length > 1 ? "s" : ""}] `
  const why = message.why === null ? "" : ` (${oneLine(message.why, 60)})`
  const lines = message.text.split("\n").length
  const text = clean(`${images}${oneLine(shownText(message), 300)}${lines > 3 ? ` [${lines} lines]` : ""}${why}`)
  const start = `${selected ? "❯" : " "}${mark} `
  return [
    span(start, selected ? "match" : style),
    span(`${shortId(message.id)} `, "faint"),
    span(message.force ? "now " : "", "accent"),
    span(shorten(text, Math.max(1, cols - 9 - (message.force ? 4 : 0))), style, selected)
  ]
}

export const queueRows = (state: ClientState, most: number): ReadonlyArray<StyledLine> => {
  const { mode, size } = state
  const messages = unfinished(state)
  const hasKeys = mode._tag === "List"
  if (most < 2 || (messages.length === 0 && !hasKeys)) return []
  const title = ruleLine(
    `queue${hasKeys ? `: e d f h J K c${failed(state).length > 0 ? " t" : ""}` : ""}`,
    size.cols,
    hasKeys ? "match" : "faint"
  )
  if (messages.length === 0) return [title, [span(" nothing waits", "faint")]]
  const selected = hasKeys ? messages.findIndex(({ id }) => id === mode.selected) : -1
  const room = most - 1
  const shown = messages.length > room ? Math.max(1, room - 1) : messages.length
  const top = topAround(selected, shown, messages.length)
  const rows = messages
    .slice(top, top + shown)
    .map((message) => messageRow(message, hasKeys && message.id === mode.selected, size.cols))
  const rest = messages.length - shown
  return [title, ...rows, ...(rest > 0 && rows.length < room ? [[span(`   … ${rest} more`, "faint")]] : [])]
}

export const completionRows = (state: ClientState, most: number): ReadonlyArray<StyledLine> => {
  const { completion, size } = state
  if (completion === null || completion.items.length === 0 || most <= 0) return []
  const { items, kind, selected } = completion
  const top = topAround(selected, most, items.length)
  return items.slice(top, top + most).map((item, i) => {
    const chosen = top + i === selected
    const text = shorten(clean(`${kind === "command" ? "/" : "@"}${item}`), Math.max(1, size.cols - 4))
    return [span(chosen ? " ❯ " : "   ", "match"), span(text, chosen ? "match" : "faint")]
  })
}

const editorKeys: ReadonlyArray<readonly [string, string]> = [
  ["Enter", "queue it; while a dialog is open: answer it"],
  ["Alt+Enter", "a line break (also Ctrl+J, Shift+Enter)"],
  ["Tab", "the queue gets the keys; else completes /commands and @files"],
  ["↑ ↓", "what was entered before"],
  ["Ctrl+V", "attach the clipboard's picture; a pasted path attaches its file"],
  ["PgUp PgDn", "scroll back and forth"],
  ["Ctrl+W U K", "cut a word, to the line's start, to its end; Ctrl+Y puts it back"],
  ["Ctrl+_", "undo"],
  ["Esc", "back"],
  ["Ctrl+C", "clear the text; without one: leave"],
  ["Ctrl+D", "leave; the session goes on"]
]

export const helpRows = (cols: number): ReadonlyArray<StyledLine> => {
  const keysAt = 12
  const commandsAt = cols < 60 ? 12 : 22
  return [
    [span("Keys", "plain", true)],
    ...editorKeys.flatMap(([name, does]) => entryRows(name, does, keysAt, cols)),
    [span("Commands (and their keys in the queue)", "plain", true)],
    ...bangCommands
      .filter(({ names }) => !names.includes("slack"))
      .flatMap(({ does, key, names, takes }) =>
        entryRows(
          `!${names[0] ?? ""}${takes === undefined ? "" : ` ${takes}`}`,
          key === undefined ? does : `${does} (${key})`,
          commandsAt,
          cols
        )
      )
  ]
}

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
    if (link.runs === true) return { word: needWords.stuck, figures: "", reason }
    const ended = status?.exit === null || status === null ? "" : ` (${exitText(status.exit)})`
    return { word: `not running${ended}`, figures: "", reason }
  }
  if (status === null) return { word: "…", figures: "", reason: "" }
  const since = Date.parse(status.since)
  const messages = unfinished(state)
  const queued = waitingOf(messages)
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
