import type { QueuedMessage } from "../../words/session/Message.ts"
import { oneLine } from "../../words/text/printable.ts"
import { isWithinText, burstMs, pauseMs } from "./InputPath.ts"
import * as Editor from "../tui/Editor.ts"
import { shownRows } from "../tui/Editor.ts"
import { bareOf, type Key } from "../tui/Keys.ts"
import { hintsIn, stepOf } from "../tui/List.ts"
import type { Size } from "../tui/Layout.ts"
import { fitLine, span, type StyledLine } from "../tui/Paint.ts"
import { header, type OverlayContext, type OverlayDoing, type OverlayRows, type Turned } from "./OverlayContext.ts"

export interface Capture {
  readonly _tag: "Capture"
  readonly note: string | null
  readonly written: Editor.Editor
  /** Send immediately, not when the session is ready. Without a text: send the next waiting message. */
  readonly force: boolean
  /** The text that was taken out of the CLI's box. */
  readonly taken: string | null
  /** The earlier message on show, counted from the newest (0), and what was written before it was shown. */
  readonly recalled: { readonly index: number; readonly before: Editor.Editor } | null
  /** The last typed character and its time, for characters typed twice. `apart`: a pause came before it. */
  readonly last: { readonly char: string; readonly at: number; readonly apart: boolean } | null
  readonly at: number | null
  /** The queued message to change; null for a new message. */
  readonly edits: { readonly id: string; readonly was: string } | null
  /** The bytes (latin1) of the keys that opened it, until another key is pressed. */
  readonly begun: string | null
}

export const start: Capture = {
  _tag: "Capture",
  note: null,
  written: Editor.empty,
  force: false,
  taken: null,
  recalled: null,
  last: null,
  at: null,
  edits: null,
  begun: null
}

export const begunBy = (begun: string): Capture => ({ ...start, begun })

/** A message that could not be sent, to edit again. */
export const again = (text: string, force: boolean, note: string, images: ReadonlyArray<string> = []): Capture => ({
  ...start,
  force,
  note,
  written: Editor.of(text, images)
})

export const edit = ({ id, text }: Pick<QueuedMessage, "id" | "text">): Capture => ({
  ...start,
  edits: { id, was: text },
  written: Editor.of(text)
})

export const pictured = (capture: Capture, path: string): Capture => ({
  ...capture,
  note: null,
  recalled: null,
  begun: null,
  written: Editor.attach(capture.written, path)
})

/** Puts the text of the CLI's box before the text written meanwhile. */
export const takenOver = (capture: Capture, text: string): Capture => {
  const behind = (written: Editor.Editor): Editor.Editor => {
    const before = written.text === "" || /^\s/.test(written.text) ? text : `${text} `
    return { ...written, text: before + written.text, cursor: before.length + written.cursor, past: [] }
  }
  const { recalled, written } = capture
  return recalled === null
    ? { ...capture, taken: text, written: behind(written) }
    : { ...capture, taken: text, recalled: { ...recalled, before: behind(recalled.before) } }
}

/** The text that closing would lose. */
export const draftOf = (capture: Capture): string => Editor.contentOf(capture.recalled?.before ?? capture.written).text

/** Milliseconds within which a character must be repeated to count as typed twice. */
const twiceMs = 200

const stay = (capture: Capture): Turned<Capture> => ({ overlay: capture, doing: [] })
/** On closing, the taken text returns to the CLI's box, and the written text can be recalled. */
const closed = (capture: Capture): ReadonlyArray<OverlayDoing> => {
  const { edits, taken } = capture
  const draft = draftOf(capture)
  return [
    ...(draft.trim() === "" || draft === taken || draft === edits?.was ? [] : [{ _tag: "Keep", text: draft } as const]),
    ...(taken === null ? [] : [{ _tag: "PutBack", text: taken } as const])
  ]
}

/** The characters that opened it were text after all: they go to the box or the CLI. */
const givenBack = ({ taken }: Capture, begun: string, captureKey: string | null): Turned<Capture> => ({
  overlay: null,
  doing: [
    taken === null ? { _tag: "Type", data: begun } : { _tag: "PutBack", text: taken + (captureKey ?? "").repeat(2) }
  ]
})

export const press = (before: Capture, key: Key, context: OverlayContext, now: number): Turned<Capture> => {
  if ("x" in key) return stay(before)
  const capture: Capture = { ...before, note: null, last: null, begun: null, at: now }
  const { force, written } = capture
  const edited = (to: Editor.Editor): Turned<Capture> => stay({ ...capture, written: to, recalled: null })
  if (key.key === "backspace" && before.begun !== null) return givenBack(capture, before.begun, context.captureKey)
  if (key.key === "text" && "text" in key) return typed(capture, before, key.text, context, now)
  switch (key.key) {
    case "escape":
    case "ctrl+c":
      return { overlay: null, doing: closed(capture) }
    case "enter": {
      const { images, text } = Editor.contentOf(written)
      if (capture.edits !== null) return changed(capture, capture.edits, text, context)
      if (text.trim() !== "" || images.length > 0)
        return { overlay: null, doing: [{ _tag: "Send", text, force, ...(images.length > 0 ? { images } : {}) }] }
      return { overlay: null, doing: [...(force ? [{ _tag: "ForceNext" } as const] : []), ...closed(capture)] }
    }
    case "ctrl+v":
      if (capture.edits !== null) return stay({ ...capture, note: "a picture goes with a new message only" })
      return { overlay: capture, doing: [{ _tag: "TakeImage" }] }
    case "tab":
      return edited(Editor.insert(written, "\t"))
  }
  const by = stepOf(key, 1)
  const isArrow = by !== null && Math.abs(by) === 1
  const isRecall = isArrow && (capture.recalled !== null || bareOf(key).startsWith("page-"))
  const moved = isRecall ? null : Editor.press(written, key, textCols(context))
  if (moved !== null) return edited(moved)
  return stay(isArrow ? recall(capture, by > 0, context.saved) : before)
}

/** Changes the queued message, unless the text is empty. If it was changed elsewhere, that change is shown first. */
const changed = (
  capture: Capture,
  { id, was }: NonNullable<Capture["edits"]>,
  text: string,
  { status }: OverlayContext
): Turned<Capture> => {
  const there = status?.queue.find((message) => message.id === id)?.text
  if (there !== undefined && there !== was && there !== text) {
    const note = `it was changed meanwhile to “${oneLine(there, 50)}”: Enter puts yours in its place`
    return stay({ ...capture, note, edits: { id, was: there } })
  }
  const isSame = text.trim() === "" || text === was
  return { overlay: null, doing: isSame ? [] : [{ _tag: "Do", call: { _tag: "QueueEdit", id, text } }] }
}

/** Types a text. A repeated character in it may be a command, whether it came in two reads or in one. */
const typed = (
  capture: Capture,
  before: Capture,
  text: string,
  { captureKey }: OverlayContext,
  now: number
): Turned<Capture> => {
  const { force, written } = capture
  const { last } = before
  const isTwice = last !== null && last.char === text && now - last.at <= twiceMs
  const isBoth = (char: string): boolean => text === char.repeat(2)
  const saves =
    captureKey !== null &&
    ((isTwice && text === captureKey && last.apart) || (isBoth(captureKey) && !isWithinText(before.at, burstMs, now)))
  if (saves) {
    const content = Editor.contentOf(
      isTwice ? (Editor.press(written, { key: "backspace" }, 1) ?? written) : written
    ).text
    if (content.trim() !== "")
      return { overlay: { ...start, note: "saved; ↑ brings it back" }, doing: [{ _tag: "Save", text: content }] }
  }
  const isNew = capture.edits === null
  if (isNew && ((isTwice && text === "!" && written.text === "!") || (isBoth("!") && written.text === "")))
    return stay({ ...capture, written: Editor.empty, force: !force })
  return stay({
    ...capture,
    written: Editor.insert(written, text),
    recalled: null,
    last: { char: text, at: now, apart: !isWithinText(before.at, pauseMs, now) }
  })
}

/** Shows an older or newer saved or unfinished message; after the newest comes the written text. */
const recall = (capture: Capture, newer: boolean, saved: ReadonlyArray<string>): Capture => {
  const { recalled, written } = capture
  const index = (recalled?.index ?? -1) + (newer ? -1 : 1)
  const text = saved.at(-1 - index)
  if (newer && recalled === null) return capture
  if (index < 0) return { ...capture, written: recalled?.before ?? written, recalled: null }
  if (text === undefined)
    return { ...capture, note: saved.length === 0 ? "there is no earlier message" : "that is the oldest one" }
  const put = Editor.put({ ...Editor.empty, pieces: written.pieces }, text)
  return { ...capture, written: put, recalled: { index, before: recalled?.before ?? written } }
}

/** The least width with a sign before the text, and the columns of the sign. */
const signFrom = 8
const signCols = 3
const textCols = ({ cols }: { readonly cols: number }): number => Math.max(1, cols < signFrom ? cols : cols - signCols)

export const rowsOf = (capture: Capture, context: OverlayContext, { cols, rows }: Size): OverlayRows => {
  const { force, note, recalled, written } = capture
  const hint =
    note ??
    (recalled !== null
      ? `earlier message ${recalled.index + 1} of ${context.saved.length}`
      : capture.edits !== null
        ? "Enter saves · Esc back · Ctrl+J new line"
        : written.text !== "" || force
          ? null
          : context.left
            ? "↑ brings back what was being written when a terminal closed · Enter queues · Esc back"
            : [
                "Enter queues · Esc back",
                ...(capture.begun === null ? [] : [`⌫ types ${context.names.capture ?? ""}`]),
                "Ctrl+J new line · !! at once · ↑ earlier ones",
                ...(context.names.capture === null ? [] : [`${context.names.capture} saves`])
              ].join(" · "))
  // With little room, the text takes all of it.
  const title = capture.edits !== null ? "change a message" : force ? "send at once" : "message"
  const heads = rows >= 3 ? [header(title, context, cols)] : []
  const room = Math.max(1, rows - heads.length - (hint === null ? 0 : 1))
  const sign = span(cols < signFrom ? "" : force ? "!! " : " ❯ ", "accent", true)
  const shown = shownRows(written, { cols: textCols({ cols }), rows: room, sign })
  const hints =
    hint === null ? [] : [[span(` ${note ?? hintsIn(hint.split(" · "), cols - 1)}`, note === null ? "faint" : "match")]]
  // In a single row, the note is shown until the next key.
  const lines: ReadonlyArray<StyledLine> =
    rows === 1 && note !== null && written.text === "" ? hints : [...heads, ...shown.lines, ...hints]
  return {
    lines: lines.slice(0, Math.max(1, rows)).map((line) => fitLine(line, cols)),
    cursor: { x: Math.min(cols - 1, shown.cursor.x), y: Math.min(rows - 1, heads.length + shown.cursor.y) }
  }
}
