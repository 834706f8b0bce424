import { shownText } from "../wording/shownText.ts"
import { isFailed, isGivenUp } from "../session/failedMessage.ts"
import { type QueuedMessage, shortId } from "../session/Message.ts"
import { latinOf } from "../terminal/keyLayouts.ts"
import { receiptWord, waitsForWord } from "../wording/StateLine.ts"
import { clean, shorten, width } from "../tui/Cells.ts"
import { fitLine, span, type StyledLine } from "../tui/Paint.ts"
import { edits, empty, insert, type CaptureText } from "./CaptureText.ts"
import * as Capture from "./Capture.ts"
import { header } from "./header.ts"
import type { OverlayContext, OverlayRows, Turned } from "./OverlayContext.ts"
import type { OverlayKey } from "./OverlayKeys.ts"

/** The views that the command key opens. `note`: what became of the last thing done. */
export type MenuView =
  | { readonly _tag: "Menu"; readonly note: string | null }
  | {
      readonly _tag: "Answer"
      readonly note: string | null
      /** The title of the dialog that it is for: another one is not answered by it. */
      readonly title: string
      readonly selected: number
      /** An answer in words, where one is written. */
      readonly own: CaptureText
    }
  | { readonly _tag: "Queue"; readonly note: string | null; readonly top: number }
  | { readonly _tag: "Help"; readonly note: string | null; readonly top: number }

export const menu: MenuView = { _tag: "Menu", note: null }

const stay = (overlay: MenuView): Turned<MenuView | Capture.Capture> => ({ overlay, doing: [] })
const closed: Turned<never> = { overlay: null, doing: [] }

const letterOf = (key: OverlayKey): string => (key.key === "text" ? latinOf(key.text) : "")

export const press = (view: MenuView, key: OverlayKey, context: OverlayContext): Turned<MenuView | Capture.Capture> => {
  if (key.key === "cancel") return closed
  if (key.key === "escape") return view._tag === "Menu" ? closed : stay(menu)
  switch (view._tag) {
    case "Menu":
      return choose(letterOf(key), context)
    case "Answer":
      return answer(view, key, context)
    case "Queue":
    case "Help": {
      if (view._tag === "Queue" && letterOf(key) === "t" && mayRetry(context))
        return { overlay: view, doing: [{ _tag: "Retry" }] }
      if (key.key === "up" || key.key === "page-up")
        return stay({ ...view, top: Math.max(0, view.top - (key.key === "up" ? 1 : 8)) })
      if (key.key === "down" || key.key === "page-down")
        return stay({ ...view, top: view.top + (key.key === "down" ? 1 : 8) })
      return key.key === "enter" || letterOf(key) === "q" ? stay(menu) : stay(view)
    }
  }
}

const choose = (letter: string, context: OverlayContext): Turned<MenuView | Capture.Capture> => {
  if (context.readOnly && "am".includes(letter) && letter !== "")
    return stay({ _tag: "Menu", note: "this terminal only watches" })
  switch (letter) {
    case "a": {
      const question = context.status?.question ?? null
      return question === null
        ? stay({ _tag: "Menu", note: "nothing is asked that can be answered from here" })
        : stay({ _tag: "Answer", note: null, title: question.title, selected: 0, own: empty })
    }
    case "m":
      return { overlay: Capture.start, doing: [] }
    case "q":
      return stay({ _tag: "Queue", note: null, top: 0 })
    case "n":
      return { overlay: null, doing: [{ _tag: "Next" }] }
    case "d":
      return { overlay: null, doing: [{ _tag: "Detach" }] }
    case "k":
      return { overlay: null, doing: [{ _tag: "PressCommandKey" }] }
    case "?":
    case "h":
      return stay({ _tag: "Help", note: null, top: 0 })
    default:
      return stay(menu)
  }
}

const answer = (
  view: Extract<MenuView, { readonly _tag: "Answer" }>,
  key: OverlayKey,
  { status }: OverlayContext
): Turned<MenuView | Capture.Capture> => {
  const question = status?.question ?? null
  if (question === null || question.title !== view.title)
    return stay({ _tag: "Menu", note: "that question is not asked any more" })
  const { options } = question
  const give = (text: string): Turned<MenuView | Capture.Capture> => ({
    overlay: null,
    doing: [{ _tag: "Answer", answer: text }]
  })
  const { own, selected } = view
  const writes = own.text !== ""
  switch (key.key) {
    case "enter": {
      if (writes) return give(own.text.trim())
      const option = options[selected]
      return option === undefined ? stay(view) : give(option.number === null ? option.label : String(option.number))
    }
    case "up":
    case "down": {
      const to = selected + (key.key === "up" ? -1 : 1)
      return stay({ ...view, selected: Math.max(0, Math.min(options.length - 1, to)) })
    }
    case "text":
    case "paste": {
      // a digit selects; only Enter answers, so that no slip of a finger allows anything
      const at = writes ? -1 : options.findIndex((option) => String(option.number) === key.text)
      return stay(at >= 0 ? { ...view, selected: at } : { ...view, own: insert(own, key.text.replace(/\s+/g, " ")) })
    }
    case "backspace":
    case "delete":
    case "delete-word":
    case "clear":
    case "left":
    case "right":
    case "word-left":
    case "word-right":
    case "home":
    case "end":
      return stay({ ...view, own: edits[key.key](own) })
    default:
      return stay(view)
  }
}

const noted = (note: string | null): ReadonlyArray<StyledLine> =>
  note === null ? [] : [[span(` ${clean(note)}`, "match")]]
const keyed = (pairs: ReadonlyArray<readonly [string, string]>): StyledLine =>
  pairs.flatMap(([key, does]) => [span(` ${key}`, "accent", true), span(` ${does} `)])

/** Pairs on as many lines as they need. */
const flow = (pairs: ReadonlyArray<readonly [string, string]>, cols: number): ReadonlyArray<StyledLine> => {
  const lines: Array<Array<readonly [string, string]>> = [[]]
  let used = 0
  for (const pair of pairs) {
    const takes = pair[0].length + pair[1].length + 3
    if (used + takes > cols && used > 0) {
      lines.push([])
      used = 0
    }
    lines.at(-1)!.push(pair)
    used += takes
  }
  return lines.map(keyed)
}

/** The messages that are not finished, behind those that are given up. */
const listed = ({ status }: OverlayContext): ReadonlyArray<QueuedMessage> =>
  status?.queue.filter(
    (message) => (message.status !== "done" && message.status !== "removed") || isGivenUp(message)
  ) ?? []

/** Why its turn failed, behind its text. */
const failureOf = (message: QueuedMessage): string =>
  isFailed(message) && message.why !== null ? ` (${message.why})` : ""

const mayRetry = (context: OverlayContext): boolean =>
  !context.readOnly && context.status !== null && (listed(context).some(isFailed) || waitsForWord(context.status))

const helpLines = ({ names }: OverlayContext): ReadonlyArray<string> => [
  ...(names.command === null ? [] : [`${names.command}    leap's menu; then`]),
  "  a   answer the dialog that is open, by its options or in words",
  "  m   write a message for the queue",
  "  q   the messages that wait; t there tries again what failed",
  "  n   the next session, in this terminal",
  "  d   detach; the session goes on",
  ...(names.command === null ? [] : [`  k   ${names.command} for the CLI itself`]),
  ...(names.capture === null
    ? []
    : [`${names.capture}        write a message: Enter queues, Esc leaves, Ctrl+J breaks the line,`]),
  ...(names.capture === null
    ? []
    : [
        `          !! first sends it at once, ${names.capture} saves it, ↑ and ↓ bring saved ones and those`,
        "          that were left; Ctrl+V a picture; ⌫ first gives the characters to the CLI"
      ]),
  `${names.detach}    detach`,
  "All other keys are the CLI's. attach.commandKey and attach.capture in leap's settings change these keys."
]

/** The rows of a view that is scrolled, with how many more there are. */
const scrolled = (lines: ReadonlyArray<StyledLine>, top: number, rows: number): ReadonlyArray<StyledLine> => {
  if (lines.length <= rows) return lines
  const room = Math.max(1, rows - 1)
  const from = Math.min(top, lines.length - room)
  const below = lines.length - room - from
  return [...lines.slice(from, from + room), [span(` ${from} above, ${below} below: ↑ ↓`, "faint")]]
}

export const rowsOf = (
  view: MenuView,
  context: OverlayContext,
  { cols, rows }: { readonly cols: number; readonly rows: number }
): OverlayRows => {
  const room = Math.max(1, rows - 1 - (view.note === null ? 0 : 1))
  /** `needed`: the line that stands where there is room for no more, unless something is said. */
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
        ["n", "next session"],
        ["d", "detach"],
        ["?", "help"],
        ["Esc", "back"]
      ]
      return of("leap", flow(pairs, cols))
    }
    case "Answer": {
      const question = context.status?.question ?? null
      const options = question?.options ?? []
      const fixed = 2
      const lines = options.map((option, i): StyledLine => {
        const label = `${option.number === null ? "-" : `${option.number}.`} ${clean(option.label)}`
        return i === view.selected && view.own.text === ""
          ? [span(" ❯ ", "accent", true), span(shorten(label, cols - 3), "plain", true)]
          : [span(`   ${shorten(label, cols - 3)}`)]
      })
      const shown = scrolled(lines, Math.max(0, view.selected - 2), Math.max(1, room - fixed))
      const words = `   in words: ${clean(view.own.text.slice(0, view.own.at))}`
      const own: StyledLine = [
        span("   in words: ", "faint"),
        span(clean(view.own.text)),
        span(view.own.text === "" ? "Enter gives the answer that is marked" : "", "faint")
      ]
      const title: StyledLine = [span(` ${shorten(clean(view.title), cols - 2)}`, "plain", true)]
      const y = 1 + (view.note === null ? 0 : 1) + 1 + shown.length
      const cursor = { x: Math.min(width(words), cols - 1), y: Math.min(y, rows - 1) }
      return of("answer", [title, ...shown, own], cursor, view.own.text === "" ? lines[view.selected] : own)
    }
    case "Queue": {
      const queue = listed(context)
      const { pause } = context.status ?? {}
      const heads: ReadonlyArray<StyledLine> = [
        ...(pause ? [[span(` waits: ${shorten(clean(pause.text), cols - 8)}`, "bad")]] : []),
        ...(mayRetry(context) ? [keyed([["t", "try again what failed"]])] : [])
      ]
      const lines = queue.map((message, i): StyledLine => [
        span(` ${i + 1}. `, "faint"),
        span(`${shortId(message.id)} `, "accent"),
        span(`${receiptWord(message)} `, message.status === "held" || isFailed(message) ? "bad" : "faint"),
        span(
          shorten(clean(`${shownText(message).replaceAll("\n", " ⏎ ")}${failureOf(message)}`), Math.max(8, cols - 20))
        )
      ])
      const rows = lines.length === 0 ? [[span(" nothing waits", "faint")]] : lines
      return of("queue", [...heads, ...scrolled(rows, view.top, Math.max(1, room - heads.length))])
    }
    case "Help":
      return of(
        "help",
        scrolled(
          helpLines(context).map((line): StyledLine => [span(` ${line}`)]),
          view.top,
          room
        )
      )
  }
}
