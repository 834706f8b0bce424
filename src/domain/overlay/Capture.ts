import { clean, clip, width } from "../tui/Cells.ts"
import { fitLine, span, type StyledLine } from "../tui/Paint.ts"
import { type CaptureText, edits, empty, insert, textOf, vertical } from "./CaptureText.ts"
import { header } from "./header.ts"
import type { OverlayContext, OverlayDoing, OverlayRows, Turned } from "./OverlayContext.ts"
import type { OverlayKey } from "./OverlayKeys.ts"

/** A message that is written over the CLI's screen. */
export interface Capture {
  readonly _tag: "Capture"
  readonly note: string | null
  readonly written: CaptureText
  /** It goes out at once, not when the session is ready; without a text: the next one that waits. */
  readonly force: boolean
  /** What of it stood in the CLI's box before. */
  readonly taken: string | null
  /** Which saved message it shows, from the newest (0), and what was written before. */
  readonly recalled: { readonly index: number; readonly before: CaptureText } | null
  /** The character typed last, and when: two of some within a moment mean something. */
  readonly last: { readonly char: string; readonly at: number } | null
}

export const start: Capture = {
  _tag: "Capture",
  note: null,
  written: empty,
  force: false,
  taken: null,
  recalled: null,
  last: null
}

/** A message that could not be sent, to be written on. */
export const again = (text: string, force: boolean, note: string): Capture => ({
  ...start,
  written: textOf(text),
  force,
  note
})

/** With the text that was in the CLI's box before what has been written meanwhile. */
export const takenOver = (capture: Capture, text: string): Capture => {
  const behind = (written: CaptureText): CaptureText => {
    const before = written.text === "" || /^\s/.test(written.text) ? text : `${text} `
    return { text: before + written.text, at: before.length + written.at }
  }
  const { recalled, written } = capture
  return recalled === null
    ? { ...capture, taken: text, written: behind(written) }
    : { ...capture, taken: text, recalled: { ...recalled, before: behind(recalled.before) } }
}

/** What would be lost with it. */
export const draftOf = ({ recalled, written }: Capture): string => (recalled?.before ?? written).text

/** Within this time a character must come again to mean what two of it mean. */
const twiceMs = 200

const stay = (capture: Capture): Turned<Capture> => ({ overlay: capture, doing: [] })
/** It is left: what it had taken over is the CLI's again. */
const closed = ({ taken }: Capture): ReadonlyArray<OverlayDoing> =>
  taken === null ? [] : [{ _tag: "PutBack", text: taken }]

export const press = (before: Capture, key: OverlayKey, context: OverlayContext, now: number): Turned<Capture> => {
  const capture: Capture = { ...before, note: null, last: null }
  const { force, written } = capture
  const edited = (to: CaptureText): Turned<Capture> => stay({ ...capture, written: to, recalled: null })
  switch (key.key) {
    case "escape":
    case "cancel":
      return { overlay: null, doing: closed(capture) }
    case "enter": {
      if (written.text.trim() !== "") return { overlay: null, doing: [{ _tag: "Send", text: written.text, force }] }
      return { overlay: null, doing: [...(force ? [{ _tag: "ForceNext" } as const] : []), ...closed(capture)] }
    }
    case "newline":
      return edited(insert(written, "\n"))
    case "tab":
      return edited(insert(written, "\t"))
    case "paste":
      return edited(insert(written, key.text))
    case "text": {
      const isTwice = before.last !== null && before.last.char === key.text && now - before.last.at <= twiceMs
      if (isTwice && key.text === context.captureKey) {
        const text = edits.backspace(written).text
        return text.trim() === ""
          ? stay({ ...capture, written: empty, note: "there is nothing to save yet" })
          : { overlay: { ...start, note: "saved; ↑ brings it back" }, doing: [{ _tag: "Save", text }] }
      }
      if (isTwice && key.text === "!" && written.text === "!")
        return stay({ ...capture, written: empty, force: !force })
      return stay({
        ...capture,
        written: insert(written, key.text),
        recalled: null,
        last: { char: key.text, at: now }
      })
    }
    case "up":
    case "down": {
      const down = key.key === "down"
      const moved = capture.recalled === null ? vertical(written, down) : null
      return stay(moved === null ? recall(capture, down, context.saved) : { ...capture, written: moved })
    }
    case "page-up":
    case "page-down":
      return stay(recall(capture, key.key === "page-down", context.saved))
    default:
      return edited(edits[key.key](written))
  }
}

/** Shows an older or a newer saved message; after the newest comes what was written. */
const recall = (capture: Capture, newer: boolean, saved: ReadonlyArray<string>): Capture => {
  const { recalled, written } = capture
  const index = (recalled?.index ?? -1) + (newer ? -1 : 1)
  const text = saved.at(-1 - index)
  if (newer && recalled === null) return capture
  if (index < 0) return { ...capture, written: recalled?.before ?? written, recalled: null }
  if (text === undefined)
    return { ...capture, note: saved.length === 0 ? "no message is saved yet" : "that is the oldest one" }
  return { ...capture, written: textOf(text), recalled: { index, before: recalled?.before ?? written } }
}

/** The rows of a text, each with where it begins in it; a row is cut where it is full. */
const wrapped = (text: string, cols: number): ReadonlyArray<{ readonly from: number; readonly text: string }> => {
  const rows: Array<{ from: number; text: string }> = []
  let from = 0
  for (const line of text.split("\n")) {
    let rest = line.replaceAll("\t", " ")
    let at = from
    for (;;) {
      const head = clip(rest, cols)
      const taken = head === "" && rest !== "" ? String.fromCodePoint(rest.codePointAt(0) ?? 32) : head
      rows.push({ from: at, text: taken })
      at += taken.length
      rest = rest.slice(taken.length)
      if (rest === "") break
    }
    from += line.length + 1
  }
  return rows
}

export const rowsOf = (
  capture: Capture,
  context: OverlayContext,
  { cols, rows }: { readonly cols: number; readonly rows: number }
): OverlayRows => {
  const { force, note, recalled, written } = capture
  const inner = Math.max(1, cols - 3)
  const all = wrapped(written.text, inner)
  const at = all.findLastIndex(({ from }) => from <= written.at)
  const row = all[at] ?? { from: 0, text: "" }
  const hint =
    note ??
    (recalled !== null
      ? `saved message ${recalled.index + 1} of ${context.saved.length}`
      : written.text !== "" || force
        ? null
        : context.left
          ? "↑ brings back what was being written when a terminal closed · Enter queues · Esc back"
          : `Enter queues · Esc back · Ctrl+J new line · !! at once · ↑ saved${
              context.names.capture === null ? "" : ` · ${context.names.capture} saves`
            }`)
  const room = Math.max(1, rows - 1 - (hint === null ? 0 : 1))
  const top = Math.max(0, Math.min(at - room + 1, all.length - room))
  const shown = all.slice(top, top + room)
  const title = force ? "send at once" : "message"
  const lines: ReadonlyArray<StyledLine> = [
    header(title, context, cols),
    ...shown.map(({ text }, i): StyledLine => [
      span(top + i === 0 ? (force ? "!! " : " ❯ ") : "   ", "accent", true),
      span(clean(text))
    ]),
    ...(hint === null ? [] : [[span(` ${hint}`, note === null ? "faint" : "match")]])
  ]
  return {
    lines: lines.slice(0, Math.max(1, rows)).map((line) => fitLine(line, cols)),
    cursor: {
      x: Math.min(cols - 1, 3 + width(clean(row.text.slice(0, written.at - row.from)))),
      y: Math.min(rows - 1, 1 + at - top)
    }
  }
}
