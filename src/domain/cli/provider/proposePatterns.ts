import { Result } from "effect"
import { isWheel, matchRow, rowPattern } from "../../words/reading/RowPattern.ts"
import { patternProblem, restingBox } from "../../store/settings/screenPatterns.ts"
import type { ScreenPatterns } from "../../store/settings/Settings.ts"

/** A sample of a watched screen. Times are milliseconds from any origin. */
export interface ScreenSample {
  readonly at: number
  readonly lines: ReadonlyArray<string>
  readonly title: string
}

/** What the user typed and sent: from its first key to Enter. */
export interface WatchedPrompt {
  readonly from: number
  readonly at: number
  readonly text: string
}

/** Patterns for a screen, and notes for its user, one line each. */
export interface PatternProposal {
  readonly screen: ScreenPatterns
  readonly notes: ReadonlyArray<string>
}

const stopHint = /\b(?:esc(?:ape)?|ctrl[+-]c)\b[^()\d]{0,20}?\b(?:cancel|interrupt|stop)\b/i
const sign = /^[^\p{L}\p{N}\s]$/u
/** Work is visible within this many milliseconds after Enter. */
const lag = 1_000
/** A row in a smaller share of all turns' samples is no sign of work. */
const leastShare = 0.2

const escaped = (text: string): string => text.replaceAll(/[\\*{]/g, "\\$&").replaceAll(/ +/g, " ")
const fits = (source: string, row: string): ReturnType<typeof matchRow> => {
  const read = rowPattern(source)
  return Result.isSuccess(read) && row.trim() !== "" ? matchRow(read.success, row.trimEnd()) : null
}
const shows = (source: string, { lines, title }: ScreenSample): boolean =>
  source.startsWith("title:") ? fits(source, title) !== null : lines.some((row) => fits(source, row) !== null)

const before = (samples: ReadonlyArray<ScreenSample>, at: number): ScreenSample | undefined =>
  samples.findLast((sample) => sample.at <= at)

/** Proposes a screen's patterns from watched turns: rows that are present during work and absent at rest. Total. */
export const proposePatterns = (
  samples: ReadonlyArray<ScreenSample>,
  prompts: ReadonlyArray<WatchedPrompt>
): PatternProposal => {
  const asked = prompts.filter(({ text }) => /\p{L}.*\p{L}/u.test(text))
  const box = [...new Set(asked.flatMap((prompt) => boxOf(samples, prompt)))]
  const rests = asked.flatMap(({ from }) => before(samples, from - 1) ?? [])
  const placeholders = [...new Set(rests.flatMap((sample) => placeholderOf(box, prompts, sample)))]
  const turns = asked.map(({ at }, n) => {
    const end = asked[n + 1]?.from ?? Infinity
    return samples.filter((sample) => sample.at > at && sample.at < end)
  })
  const last = samples.at(-1)
  const still = last === undefined ? rests : [...rests, last]
  const busy = busyOf(turns, still)
  const isThroughout = box.length > 0 && busy.length > 0 && turns.every((turn) => isBusyThroughout(busy, turn))
  const usable = (kind: "box" | "busy", sources: ReadonlyArray<string>) =>
    sources.filter((source) => patternProblem(kind, source) === null)
  const [boxes, works] = [usable("box", [...placeholders, ...box]), usable("busy", busy)]
  return {
    screen: {
      ...(boxes.length === 0 ? {} : { box: boxes }),
      ...(works.length === 0 ? {} : { busy: works }),
      ...(isThroughout ? { done: [restingBox] } : {})
    },
    notes: [
      ...(asked.length === 0 ? ["no turn was watched: type a prompt, and wait for its end"] : []),
      ...(asked.length > 0 && boxes.length === 0
        ? ["no sign was seen before what you typed: its box is not known"]
        : []),
      ...(asked.length > 0 && works.length === 0
        ? ["no sign of work was seen: only a still screen tells its rest"]
        : []),
      ...(works.length > 0 && !isThroughout
        ? ["its sign of work was not there throughout the turn: after it, leap waits for a still screen"]
        : []),
      "a dialog is seen where it has a pointer before its options; for others add --dialog"
    ]
  }
}

/** The row of the prompt before it was sent, with `{draft}` in place of the prompt; empty if no sign precedes it. */
const boxOf = (samples: ReadonlyArray<ScreenSample>, { at, text }: WatchedPrompt): ReadonlyArray<string> => {
  const typed = (text.split("\n")[0] ?? "").trim().slice(0, 30)
  const lines = samples.findLast((sample) => sample.at <= at && sample.lines.some((row) => row.includes(typed)))?.lines
  const row = lines?.findLast((line) => line.includes(typed))
  if (row === undefined || typed === "") return []
  const from = row.indexOf(typed)
  const border = /[│┃║|]\s*$/.exec(row.slice(from + typed.length))?.[0].trim()
  const prefix = row.slice(0, from)
  if (!/\S/.test(prefix)) return []
  return [`${escaped(prefix)}{draft}${border === undefined ? "" : ` ${border}`}`]
}

/** The box's text while nothing was typed; a sent prompt is only in the conversation. */
const placeholderOf = (
  box: ReadonlyArray<string>,
  prompts: ReadonlyArray<WatchedPrompt>,
  { lines }: ScreenSample
): ReadonlyArray<string> => {
  for (const row of lines.toReversed())
    for (const source of box) {
      const draft = fits(source, row)?.draft
      if (draft == null) continue
      const text = row.slice(draft.from, draft.to).trim()
      if (text !== "" && prompts.some((prompt) => prompt.text.includes(text))) continue
      return text === "" ? [] : [source.replace("{draft}", () => escaped(text))]
    }
  return []
}

/** A pattern for a row of work: its spinner and its hint how to stop. */
const workOf = (row: string): string | null => {
  const [, blanks = "", first = ""] = /^(\s*)(\S)(?=\s)/u.exec(row) ?? []
  const turning = isWheel(first) ? `${blanks === "" ? "" : " "}{wheel} ` : ""
  const hint = stopHint.exec(row)?.[0]
  if (hint !== undefined) return `${turning}*${escaped(hint)}*`
  return turning === "" ? null : `${turning}*`
}

const busyOf = (
  turns: ReadonlyArray<ReadonlyArray<ScreenSample>>,
  still: ReadonlyArray<ScreenSample>
): ReadonlyArray<string> => {
  const count = new Map<string, number>()
  let total = 0
  for (const turn of turns) {
    const [turning, titles] = [turningSigns(turn), new Set(turn.map(({ title }) => title))]
    const ends = turn.findLastIndex((sample) => sample.lines.some((row) => workOf(row) !== null))
    for (const { lines, title } of turn.slice(0, ends < 0 ? turn.length : ends + 1)) {
      total++
      const found = new Set(lines.flatMap((row) => workOf(row) ?? []))
      if (titles.size > 1 && isWheel(title[0] ?? "")) found.add("title: {wheel} *")
      for (const other of turning) if (lines.some((row) => fits(other, row) !== null)) found.add(other)
      for (const source of found) count.set(source, (count.get(source) ?? 0) + 1)
    }
  }
  const seen = [...count]
    .filter(([source, times]) => times >= 2 && times >= total * leastShare && !still.some((it) => shows(source, it)))
    .toSorted(([, a], [, b]) => b - a)
    .map(([source]) => source)
  // A row with its spinner and a hint needs no second pattern for the hint alone.
  return seen.filter((source) => !seen.some((other) => other !== source && other.endsWith(source))).slice(0, 6)
}

/** Signs, of no known spinner, that replaced each other before a row that stayed. */
const turningSigns = (turn: ReadonlyArray<ScreenSample>): ReadonlyArray<string> => {
  const signs = new Map<string, Set<string>>()
  for (const { lines } of turn)
    for (const row of lines) {
      const [, blanks = "", first = "", rest = ""] = /^(\s*)(\S) (\S.*)$/u.exec(row) ?? []
      if (!sign.test(first) || isWheel(first)) continue
      const same = `${blanks}${rest.replaceAll(/\d+/g, "0")}`
      signs.set(same, (signs.get(same) ?? new Set()).add(`${blanks === "" ? "" : " "}${escaped(first)} *`))
    }
  return [...signs.values()].flatMap((found) => (found.size >= 3 && found.size <= 8 ? [...found] : []))
}

const lettersIn = ({ lines }: ScreenSample): number =>
  lines.reduce((sum, row) => sum + (row.match(/\p{L}/gu)?.length ?? 0), 0)

/** The turn showed work from beginning to end, and nothing was written after that. */
const isBusyThroughout = (busy: ReadonlyArray<string>, turn: ReadonlyArray<ScreenSample>): boolean => {
  const works = turn.map((sample) => busy.some((source) => shows(source, sample)))
  const end = works.lastIndexOf(true)
  const begin = turn[0]?.at ?? 0
  const [after, last] = [turn[end + 1], turn.at(-1)]
  if (end < 0 || after === undefined || last === undefined) return false
  const gap = turn.some((sample, n) => n < end && sample.at > begin + lag && works[n] === false)
  return !gap && lettersIn(last) <= lettersIn(after) + 20
}
