import * as Capture from "./Capture.ts"
import * as Menu from "./Menu.ts"
import { rowsOf as rowsOfMenu } from "./MenuRows.ts"
import { shorten } from "../tui/Cells.ts"
import type { Key } from "../tui/Keys.ts"
import type { Size } from "../tui/Layout.ts"
import { span } from "../tui/Paint.ts"
import type { OverlayContext, OverlayRows, Turned } from "./OverlayContext.ts"

export type Overlay = Menu.MenuView | Capture.Capture

export type { OverlayContext, OverlayDoing, OverlayRows } from "./OverlayContext.ts"

export const press = (overlay: Overlay, key: Key, context: OverlayContext, now: number): Turned<Overlay> =>
  overlay._tag === "Capture"
    ? written(overlay, Capture.press(overlay, key, context, now))
    : Menu.press(overlay, key, context, now)

/** After a change of a message, its list is shown again. */
const written = ({ edits }: Capture.Capture, turned: Turned<Capture.Capture>): Turned<Overlay> =>
  edits === null || turned.overlay !== null ? turned : { ...turned, overlay: { ...Menu.queueView, selected: edits.id } }

/** The overlay with the text that it waited for, if it still waits. */
export const read = (overlay: Overlay, text: string): Overlay =>
  overlay._tag === "Text" && overlay.text === null ? { ...overlay, text } : overlay

export const tell = (overlay: Overlay, note: string): Overlay => ({ ...overlay, note })

export const rowsOf = (overlay: Overlay, context: OverlayContext, size: Size): OverlayRows =>
  overlay._tag === "Capture" ? Capture.rowsOf(overlay, context, size) : rowsOfMenu(overlay, context, size)

/** A line that takes no key: the cursor stays with the CLI. */
export const hintRow = (text: string, cols: number): OverlayRows => ({
  lines: [[span(shorten(text, cols), "match")]],
  cursor: null,
  beside: true
})

/** Keeps the former height if only one row is gone: another height would redraw the session. */
export const steady = (rows: OverlayRows, before: number): OverlayRows =>
  rows.lines.length === before - 1 ? { ...rows, lines: [...rows.lines, []] } : rows
