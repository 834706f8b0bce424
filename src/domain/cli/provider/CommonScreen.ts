import type { CommonReading, Dialog, DialogOption, InputBox, ScreenView } from "../../words/session/Screen.ts"

const bare = (row: string): string => row.replaceAll(/[│┃║|▌▐█╎╏┆┇┊┋]/gu, " ").trimEnd()

const pointerRow = /^( *)([❯›▶▸➤→⏵●◉>*]) {0,3}(?=\S)(?:(?:[[(]?(\d{1,2})[\]).:]) +)?(.*)$/u
const optionRow = /^( *)(?:(?:[[(]?(\d{1,2})[\]).:]) +)?(\S.*)$/u
const numbered = /^ *(?:[❯›▶▸➤→⏵●◉>*] ?)? {0,3}[[(]?(\d{1,2})[\]).:] +(\S.*)$/u
/** A numbered option with a pointer: no CLI's footer has one, and it may stand below an old input box. */
export const isPointedOption = (row: string): boolean => /^[\s│┃]{0,4}[❯›▶▸➤→⏵●◉>] {1,3}\d{1,2}[.)] \S/u.test(row)

const keyHint = new RegExp(
  String.raw`(?:^|[\s(·•|])(?:esc|enter|return|tab|space|⏎|↵|↑\s?\/?\s?↓|←\s?\/?\s?→|⇆|arrow keys?|y\/n|ctrl.[a-z])` +
    String.raw`(?:\/\w+)?\)?:?\s+(?:twice )?(?:to |or )?\w`,
  "iu"
)
const stopHint = /\besc(?:ape)?(?: esc)? (?:to )?(?:interrupt|cancel|stop)\b|\bctrl.c (?:to )?(?:interrupt|stop)\b/i
/** The glyphs of spinners, and the words after them. */
const wheelTitle = /^[\u2801-\u28ff◐-◓◜-◟◴-◷✢✶✻✽] ?/u
const wheelRow = /(?:^ {0,3}|· )[\u2801-\u28ff◐-◓◜-◟◴-◷·✢✳✶✻✽*∗●◉◎○∙∘◦•] (?:\p{Lu}\p{L}*ing\b|[^….]{1,60}…)/u
const caretRow = /^ {0,3}[❯›>](?: (.*)|)$/u
const ruleRow = /^[\s│╭╮╰╯┌┐└┘├┤]*[─━═▀▄╌]{8,}[^a-z]*$/u

/**
 * Reads what all CLIs share, by geometry and glyphs. What looks like a dialog may be a list; an input box does not
 * prove idleness.
 */
export const readCommon = (view: ScreenView): CommonReading => {
  const rows = view.lines.map(bare)
  const last = rows.findLastIndex((row) => row.trim() !== "")
  const pointed = pointedOptions(rows, last)
  const box = pointed === null ? readBox(view, rows, last) : null
  const dialog = pointed ?? (box === null ? hintedOptions(rows, last) : null)
  const tail = rows.slice(Math.max(0, last - 9), last + 1)
  return {
    dialog,
    box,
    working:
      dialog === null && (wheelTitle.test(view.title) || tail.some((row) => stopHint.test(row) || wheelRow.test(row))),
    ownsKeys: tail.slice(-3).some((row) => keyHint.test(row))
  }
}

/** The last rows name Enter for a choice, and another key. */
const enterHint =
  /(?:^|[\s(·•])(?:enter|return|⏎|↵):? (?:to )?(?:confirm|select|submit|accept|choose|continue|open|save)\b/iu
const chunkedRow = /^ *\S+(?: \S+)*(?: {2,}\S+(?: \S+)*)+$/u

/** A dialog without a pointer: a colour marks the choice. Its last rows name the key that confirms. */
const hintedOptions = (rows: ReadonlyArray<string>, last: number): Dialog | null => {
  const hint = rows.findLastIndex((row, y) => y > last - 4 && enterHint.test(row))
  if (hint < 0) return null
  const labels: Array<string> = []
  let top = hint
  for (let y = hint - 1; y > hint - reach && y >= 0; y--) {
    const match = numbered.exec(rows[y] ?? "")
    if (match === null) continue
    labels[Number(match[1]) - 1] ??= (match[2] ?? "").trim()
    top = y
    if (match[1] === "1") break
  }
  const list = labels.map((label, n) => ({ number: n + 1, label, selected: false }))
  if (list.length >= 2 && Object.keys(labels).length === list.length)
    return { kind: "other", title: titleAbove(rows, top), options: list }
  const row = rows.slice(Math.max(0, hint - 2), hint + 1).find((row) => chunkedRow.test(row))
  const side = (row ?? "")
    .trim()
    .split(/ {2,}/)
    .filter((label) => !keyHint.test(label))
  const options = side.length < 2 ? [] : side.map((label) => ({ number: null, label, selected: false }))
  return { kind: "other", title: titleAbove(rows, hint), options }
}

/** The limit of rows between a dialog's pointer and the last row. */
const reach = 30

const pointedOptions = (rows: ReadonlyArray<string>, last: number): Dialog | null => {
  for (let y = last; y >= Math.max(0, last - reach); y--) {
    const options = optionsAt(rows, y, last)
    if (options === null) continue
    return { kind: "other", title: titleAbove(rows, options.top), options: options.list }
  }
  return null
}

/** The options around a pointer. Without numbers there must be key hints below, or it might be an input box. */
const optionsAt = (
  rows: ReadonlyArray<string>,
  y: number,
  last: number
): { readonly top: number; readonly list: ReadonlyArray<DialogOption> } | null => {
  const pointed = pointerRow.exec(rows[y] ?? "")
  if (pointed === null || (pointed[4] ?? "") === "") return null
  const number = pointed[3] === undefined ? null : Number(pointed[3])
  const hinted = rows.slice(y + 1, last + 1).some((row) => keyHint.test(row))
  return number === null ? (hinted ? unnumbered(rows, y) : null) : withNumbers(rows, y, last, number)
}

const withNumbers = (rows: ReadonlyArray<string>, y: number, last: number, number: number) => {
  const list: Array<DialogOption> = []
  const add = (row: number) => {
    const match = numbered.exec(rows[row] ?? "")
    return match === null ? null : { number: Number(match[1]), label: (match[2] ?? "").trim(), selected: row === y }
  }
  let top = y
  for (let at = y, want = number; at >= 0 && want >= 1 && y - at < reach; at--) {
    const option = add(at)
    if (option?.number !== want) continue
    list.unshift(option)
    top = at
    want--
  }
  for (let at = y + 1, want = number + 1; at <= last; at++) {
    const option = add(at)
    if (option?.number !== want) continue
    list.push(option)
    want++
  }
  return list.length < 2 ? null : { top, list }
}

const unnumbered = (rows: ReadonlyArray<string>, y: number) => {
  const column = textColumn(rows[y] ?? "")
  const option = (at: number): DialogOption | null => {
    const row = rows[at] ?? ""
    const match = optionRow.exec(row)
    if (match === null || (at !== y && (match[1] ?? "").length !== column) || keyHint.test(row)) return null
    return { number: null, label: row.slice(column).trim(), selected: at === y }
  }
  let top = y
  while (y - top < reach && option(top - 1) !== null) top--
  const list: Array<DialogOption> = []
  for (let at = top; at < rows.length; at++) {
    const next = option(at)
    if (next === null) break
    list.push(next)
  }
  return list.length < 2 ? null : { top, list }
}

const textColumn = (row: string): number => /^ *\S +/u.exec(row)?.[0].length ?? 0

const titleAbove = (rows: ReadonlyArray<string>, top: number): string => {
  const above = rows.slice(Math.max(0, top - 12), top).map((row) => row.trim())
  const question = above.findLast((row) => row.endsWith("?")) ?? above.findLast((row) => /\p{L}/u.test(row))
  return (question ?? "a dialog").slice(0, 200)
}

/** A row with a caret, between rules or in a frame, or with the cursor in it. */
const readBox = ({ cursor }: ScreenView, rows: ReadonlyArray<string>, last: number): InputBox | null => {
  for (let y = last; y >= Math.max(0, last - 10); y--) {
    const caret = caretRow.exec(rows[y] ?? "")
    if (caret === null) continue
    const above = ruleRow.test(rows[y - 1] ?? "")
    const below = rows.slice(y + 1, y + 6).some((row) => ruleRow.test(row))
    // With only one of its two edges it is half drawn.
    if (above !== below) return null
    if (above || (cursor.visible && cursor.y === y)) return { draft: (caret[1] ?? "").trim() }
  }
  return null
}
