import { keyLabel, turnActions, waitingOf } from "../operations/actions.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { failedWhy, isFailed } from "../../words/session/failedMessage.ts"
import { shortId } from "../../words/session/Message.ts"
import { clean, shorten } from "../tui/Cells.ts"
import { isEmpty, shownLine } from "../tui/Editor.ts"
import type { Size } from "../tui/Layout.ts"
import { choiceRows, optionRows, scrolledRows, topAround } from "../tui/List.ts"
import { fitLine, type Span, span, type StyledLine } from "../tui/Paint.ts"
import { shownText } from "../../words/wording/shownText.ts"
import { receiptWord } from "../../words/wording/StateLine.ts"
import { header, type OverlayContext, type OverlayRows } from "./OverlayContext.ts"
import { actionsOf, allActions, linesOf, listed, type MenuView, type QueueView, selectedAt } from "./Menu.ts"

const noted = (note: string | null): ReadonlyArray<StyledLine> =>
  note === null ? [] : [[span(` ${clean(note)}`, "match")]]
const flow = (pairs: ReadonlyArray<readonly [string, string]>, cols: number): ReadonlyArray<StyledLine> => {
  const lines: Array<Array<Span>> = [[]]
  let used = 0
  for (const [key, does] of pairs) {
    const takes = key.length + does.length + 3
    if (used + takes > cols && used > 0) {
      lines.push([])
      used = 0
    }
    lines.at(-1)!.push(span(` ${key}`, "accent", true), span(` ${does} `))
    used += takes
  }
  return lines
}

/** The list of messages with the selected one in sight, and the actions on it and on all. */
const queueLines = (
  view: QueueView,
  context: OverlayContext,
  room: number,
  cols: number
): ReadonlyArray<StyledLine> => {
  const queue = listed(context)
  const { pause } = context.status ?? {}
  const at = selectedAt(view, queue)
  const message = queue[at]
  const isWaiting = message !== undefined && waitingOf([message]).length > 0
  const actions = context.readOnly ? [] : [...actionsOf(context, message), ...allActions(context)]
  const pairs: ReadonlyArray<readonly [string, string]> = [
    ...(isWaiting && !context.readOnly ? [["e", "edit"] as const] : []),
    ...actions.map((action) => [action.key, keyLabel(action)] as const)
  ]
  const heads = pause ? [[span(` waits: ${shorten(clean(pause.text), cols - 8)}`, "bad")]] : []
  const feet = pairs.length === 0 ? [] : flow(pairs, cols)
  const lines = queue.map((message, i): StyledLine => [
    span(i === at && queue.length > 1 ? "❯" : " ", "accent", true),
    span(`${i + 1}. `, "faint"),
    span(`${shortId(message.id)} `, "accent"),
    span(`${receiptWord(message)} `, message.status === "held" || isFailed(message) ? "bad" : "faint"),
    span(shorten(clean(`${shownText(message).replaceAll("\n", " ⏎ ")}${failedWhy(message)}`), Math.max(8, cols - 20)))
  ])
  const rows = lines.length === 0 ? [[span(" nothing waits", "faint")]] : lines
  const left = room - heads.length - feet.length
  // With little room, the messages take all of it.
  const shown = left >= 1 ? feet : []
  const most = Math.max(1, left >= 1 ? left : room - heads.length)
  return [...heads, ...scrolledRows(rows, topAround(at, most, rows.length), most), ...shown]
}

export const rowsOf = (view: MenuView, context: OverlayContext, { cols, rows }: Size): OverlayRows => {
  const room = Math.max(1, rows - 1 - (view.note === null ? 0 : 1))
  /** `needed`: the line that is shown when only one fits, unless there is a note. */
  const of = (
    title: string,
    lines: ReadonlyArray<StyledLine>,
    cursor: OverlayRows["cursor"] = null,
    needed = lines[0] ?? []
  ): OverlayRows => ({
    lines: (rows >= 3
      ? [header(title, context, cols), ...noted(view.note), ...lines].slice(0, rows)
      : [...noted(view.note), needed].slice(0, 1)
    ).map((line) => fitLine(line, cols)),
    cursor: rows >= 3 ? cursor : null
  })
  switch (view._tag) {
    case "Menu": {
      const pairs: ReadonlyArray<readonly [string, string]> = [
        ["a", context.status?.question ? "answer (asked now)" : "answer"],
        ["m", "message"],
        ["q", "queue"],
        ...(context.status !== null && turnActions(context.status).length > 0 ? [["i", "interrupt"] as const] : []),
        ...(context.status !== null && needsOf(context.status).length > 0 ? [["z", "dismiss"] as const] : []),
        ["o", "modes"],
        ["c", "diff"],
        ["w", "why"],
        ["x", "stop"],
        ["n", "next session"],
        ["d", "detach"],
        ["?", "help"],
        ["Esc", "leave"]
      ]
      return of("leap", flow(pairs, cols))
    }
    case "Answer": {
      const question = context.status?.question ?? null
      const options = question?.options ?? []
      const writes = !isEmpty(view.own)
      // With few rows, either options or text are shown, and the cursor is where the user writes.
      const titles = room >= 3 ? 1 : 0
      const owns = room >= 2 || writes ? 1 : 0
      const count = room - titles - owns
      const shown = count <= 0 ? [] : optionRows(options, writes ? null : view.selected, cols, count)
      const label = "  in words: "
      const words = shownLine(view.own, Math.max(1, cols - label.length - 1))
      const own: StyledLine = [
        span(label, "faint"),
        span(words.text),
        span(writes ? "" : "Enter gives the answer that is marked", "faint")
      ]
      const title: StyledLine = [span(` ${shorten(clean(view.title), cols - 2)}`, "plain", true)]
      const y = 1 + (view.note === null ? 0 : 1) + titles + shown.length
      const cursor = owns === 0 ? null : { x: Math.min(label.length + words.x, cols - 1), y }
      const lines = [...(titles === 0 ? [] : [title]), ...shown, ...(owns === 0 ? [] : [own])]
      return of("answer", lines, cursor, writes ? own : optionRows(options, view.selected, cols, 1)[0])
    }
    case "Choose": {
      const choices = view.actions.map((action) => ({ key: action.key, label: keyLabel(action) }))
      const lines = choiceRows(` ${view.question}`, [...choices, { key: "n", label: "no" }], cols)
      return of(
        "leap",
        lines.map((row): StyledLine => [span(row)])
      )
    }
    case "Queue":
      return of("queue", queueLines(view, context, room, cols))
    case "Text":
    case "Help": {
      const lines = linesOf(view, context).map((line): StyledLine => [span(` ${line}`)])
      return of(view._tag === "Help" ? "help" : view.title, scrolledRows(lines, view.top, room))
    }
  }
}
