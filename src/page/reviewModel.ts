import { computed, type Signal, signal } from "@preact/signals"
import { patchFile, type PatchLine, type Remark } from "../domain/store/worktrees/patchLines.ts"
import { differences, type Pair, type Part, sideBySide } from "../domain/store/worktrees/sideBySide.ts"
import type { FoundAs } from "../domain/surfaces/web/Frames.ts"
import { coloursOf, type Parts } from "./colours.ts"

/** Changed lines of a file that is open at first, at most: others are opened by who wants them. */
const openMost = 1_000
/** Rows that are drawn, or left out of sight, together. */
export const blockRows = 50

/** The rows of a file in one of its two views. */
export interface Rows {
  readonly all: ReadonlyArray<Pair>
  /** Where changes begin. */
  readonly starts: ReadonlyArray<number>
  /** For each block of rows: whether it is in sight, or nearly. */
  readonly near: ReadonlyArray<Signal<boolean>>
}

export interface ReviewFile {
  readonly file: FoundAs<"Changes">["files"][number]
  readonly isOpen: Signal<boolean>
  readonly rows: (isSplit: boolean) => Rows
  readonly differences: () => ReadonlyMap<PatchLine, Part>
  /** The parts of a line in their colours; null as long as they are not known. */
  readonly colours: (line: PatchLine) => Parts | null
}

const isChanged = ({ left, right }: Pair): boolean => left?.kind === "removed" || right?.kind === "added"

const rowsOf = (all: ReadonlyArray<Pair>): Rows => ({
  all,
  starts: all.flatMap((row, n) => (isChanged(row) && !(n > 0 && isChanged(all[n - 1]!)) ? [n] : [])),
  near: Array.from({ length: Math.ceil(all.length / blockRows) }, () => signal(false))
})

const patched = ({ patch }: ReviewFile["file"]) => (patch === null ? [] : patchFile(patch).lines)

/** A file of the list. What is not looked at is not read. */
export const reviewFile = (file: ReviewFile["file"], read = patched): ReviewFile => {
  const lines = computed(() => read(file))
  const pairs = computed(() => sideBySide(lines.value))
  const split = computed(() => rowsOf(pairs.value))
  const unified = computed(() =>
    rowsOf(
      lines.value.map((line) => (line.kind === "removed" ? { left: line, right: null } : { left: null, right: line }))
    )
  )
  const parts = computed(() => differences(pairs.value))
  const colours = computed(() => coloursOf(file.path, lines.value))
  return {
    file,
    isOpen: signal(file.patch !== null && (file.added ?? 0) + (file.removed ?? 0) <= openMost),
    rows: (isSplit) => (isSplit ? split.value : unified.value),
    differences: () => parts.value,
    colours: (line) => colours.value(line)
  }
}

/** A row of a file; row -1 is the file's head. */
export interface Place {
  readonly file: number
  readonly row: number
}

/** The lines of a row that remarks can be about, the present file's first. */
export const lineOf = ({ left, right }: Pair): PatchLine | null => {
  const line = right ?? left
  return line === null || line.at === null ? null : line
}

/** The next row from a place for which this holds, forwards (1) or backwards (-1); null if there is none. */
const nextRow = (
  files: ReadonlyArray<ReviewFile>,
  isSplit: boolean,
  { file, row }: Place,
  step: 1 | -1,
  rowsIn: (rows: Rows) => ReadonlyArray<number>
): Place | null => {
  for (let n = file; n >= 0 && n < files.length; n += step) {
    const its = rowsIn(files[n]!.rows(isSplit))
    const isBehind = (one: number): boolean => n !== file || (step > 0 ? one > row : one < row)
    const found = step > 0 ? its.find(isBehind) : its.findLast(isBehind)
    if (found !== undefined) return { file: n, row: found }
  }
  return null
}

export const nextChange = (files: ReadonlyArray<ReviewFile>, isSplit: boolean, from: Place, step: 1 | -1) =>
  nextRow(files, isSplit, from, step, ({ starts }) => starts)

export const nextLine = (files: ReadonlyArray<ReviewFile>, isSplit: boolean, from: Place, step: 1 | -1) =>
  nextRow(files, isSplit, from, step, ({ all }) => all.flatMap((row, n) => (lineOf(row) === null ? [] : [n])))

/** Remarks that are not sent yet, by sessions. */
export const remarks = signal<ReadonlyMap<string, ReadonlyArray<Remark>>>(new Map())

export const setRemarks = (tag: string, its: ReadonlyArray<Remark>): void => {
  remarks.value = new Map(remarks.value).set(tag, its)
}

/** Whether a remark is about this line, also after another look at the files. */
export const isAbout = ({ line: its, name }: Remark, file: ReviewFile["file"], line: PatchLine): boolean =>
  name === file.path && its.kind === line.kind && its.at === line.at && its.text === line.text
