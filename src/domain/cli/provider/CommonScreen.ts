import type { CommonReading, Dialog, DialogOption, InputBox, ScreenView } from "../../words/session/Screen.ts"

const unframed = (row: string): string => row.replaceAll(/[│┃║|▌▐█╎╏┆┇┊┋]/gu, " ").trimEnd()

const pointerRow = /^( *)([❯›▶▸➤→⏵●◉>*]) {0,3}(?=\S)(?:(?:[[(]?(\d{1,2})[\]).:]) +)?(.*)$/u
const optionRow = /^( *)(?:(?:[[(]?(\d{1,2})[\]).:]) +)?(\S.*)$/u
const numbered = /^ *(?:[❯›▶▸➤→⏵●◉>*] ?)? {0,3}[[(]?(\d{1,2})[\]).:] +(\S.*)$/u
/** A numbered option with a pointer belongs to a dialog, even below an old input box: no CLI's footer has one. */
export const isPointedOption = (row: string): boolean => /^[\s│┃]{0,4}[❯›▶▸➤→⏵●◉>] {1,3}\d{1,2}[.)] \S/u.test(row)

const keyHint = new RegExp(
  String.raw`(?:^|[\s(·•|])(?:esc|enter|return|tab|space|⏎|↵|↑\s?\/?\s?↓|←\s?\/?\s?→|⇆|arrow keys?|y\/n|ctrl.[a-z])` +
    String.raw`(?:\/\w+)?\)?:?\s+(?:twice )?(?:to |or )?\w`,
  "iu"
)
const stopHint = /\besc(?:ape)?(?: esc)? (?:to )?(?:interrupt|cancel|stop)\b|\bctrl.c (?:to )?(?:interrupt|stop)\b/i
/** A spinner's glyph at the start of the title, or before the words of a row. */
const spinnerTitle = /^[\u2801-\u28ff◐-◓◜-◟◴-◷✢✶✻✽] ?/u
const spinnerRow = /(?:^ {0,3}|· )[\u2801-\u28ff◐-◓◜-◟◴-◷·✢✳✶✻✽*∗●◉◎○∙∘◦•] (?:\p{Lu}\p{L}*ing\b|[^….]{1,60}…)/u
const caretRow = /^ {0,3}[❯›>](?: (.*)|)$/u
const ruleRow = /^[\s│╭╮╰╯┌┐└┘├┤]*[─━═▀▄╌]{8,}[^a-z]*$/u

/**
 * Reads what all CLIs share, by geometry and glyphs. What looks like a dialog may be a list; an input box does not
 * prove idleness.
 */
export const readCommon = (view: ScreenView): CommonReading => {
  const rows = view.lines.map(unframed)
  const last = rows.findLastIndex((row) => row.trim() !== "")
  const pointed = pointedOptions(rows, last)
  const box = pointed === null ? readBox(view, rows, last) : null
  const dialog = pointed ?? (box === null ? hintedOptions(rows, last) : null)
  const tail = rows.slice(Math.max(0, last - 9), last + 1)
  return {
    dialog,
    box,
    working:
      dialog === null &&
      (spinnerTitle.test(view.title) || tail.some((row) => stopHint.test(row) || spinnerRow.test(row))),
    ownsKeys: tail.slice(-3).some((row) => keyHint.test(row))
  }
}

/** A hint that Enter confirms a choice. */
const enterHint =
  /(?:^|[\s(·•])(?:enter|return|⏎|↵):? (?:to )?(?:confirm|select|submit|accept|choose|continue|open|save)\b/iu
const sideBySide = /^ *\S+(?: \S+)*(?: {2,}\S+(?: \S+)*)+$/u

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
  // A list with a gap in its numbers is no menu.
  if (list.length >= 2 && Object.keys(labels).length === list.length)
    return { kind: "other", title: titleAbove(rows, top), options: list }
  const row = rows.slice(Math.max(0, hint - 2), hint + 1).find((row) => sideBySide.test(row))
  const labelsInRow = (row ?? "")
    .trim()
    .split(/ {2,}/)
    .filter((label) => !keyHint.test(label))
  const options = labelsInRow.length < 2 ? [] : labelsInRow.map((label) => ({ number: null, label, selected: false }))
  return { kind: "other", title: titleAbove(rows, hint), options }
}

/** How many rows upwards a part of a dialog is searched for. */
const reach = 30

const pointedOptions = (rows: ReadonlyArray<string>, last: number): Dialog | null => {
  for (let y = last; y >= Math.max(0, last - reach); y--) {
    const options = optionsAt(rows, y, last)
    if (options === null) continue
    return { kind: "other", title: titleAbove(rows, options.top), options: options.list }
  }
  return null
}

/** The options around a pointer. One without a number may be an input box's caret, so it needs key hints below. */
const optionsAt = (
  rows: ReadonlyArray<string>,
  y: number,
  last: number
): { readonly top: number; readonly list: ReadonlyArray<DialogOption> } | null => {
  const pointed = pointerRow.exec(rows[y] ?? "")
  if (pointed === null || (pointed[4] ?? "") === "") return null
  if (pointed[3] !== undefined) return withNumbers(rows, y, last, Number(pointed[3]))
  return rows.slice(y + 1, last + 1).some((row) => keyHint.test(row)) ? unnumbered(rows, y) : null
}

const withNumbers = (rows: ReadonlyArray<string>, y: number, last: number, number: number) => {
  const list: Array<DialogOption> = []
  const optionIn = (row: number) => {
    const match = numbered.exec(rows[row] ?? "")
    return match === null ? null : { number: Number(match[1]), label: (match[2] ?? "").trim(), selected: row === y }
  }
  let top = y
  for (let at = y, want = number; at >= 0 && want >= 1 && y - at < reach; at--) {
    const option = optionIn(at)
    if (option?.number !== want) continue
    list.unshift(option)
    top = at
    want--
  }
  for (let at = y + 1, want = number + 1; at <= last; at++) {
    const option = optionIn(at)
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

/** An input box is a row with a caret that has edges above and below, or the cursor in it. */
const readBox = ({ cursor }: ScreenView, rows: ReadonlyArray<string>, last: number): InputBox | null => {
  for (let y = last; y >= Math.max(0, last - 10); y--) {
    const caret = caretRow.exec(rows[y] ?? "")
    if (caret === null) continue
    const above = ruleRow.test(rows[y - 1] ?? "")
    const below = rows.slice(y + 1, y + 6).some((row) => ruleRow.test(row))
    // A box with only one of its two edges is half drawn.
    if (above !== below) return null
    if (above || (cursor.visible && cursor.y === y)) return { draft: (caret[1] ?? "").trim() }
  }
  return null
}
