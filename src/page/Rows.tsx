import { type Signal, useComputed } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { PatchLine, Remark } from "../domain/store/worktrees/patchLines.ts"
import type { Pair } from "../domain/store/worktrees/sideBySide.ts"
import type { Parts } from "./colours.ts"
import { takeFocus } from "./connection.ts"
import { blockRows, isAbout, type Place, type ReviewFile } from "./reviewModel.ts"
import { may } from "./store.ts"

/** Characters of a line that are drawn: a file of one line would be a page of its own. */
const lineMost = 2_000

/** What all rows of a view have in common. */
export interface View {
  readonly isSplit: boolean
  /** How many characters fit into a line. */
  readonly columns: Signal<number>
  readonly current: Signal<Place | null>
  /** Null where nothing can be remarked: lines have no numbers there. */
  readonly remarking: Remarking | null
}

export interface Remarking {
  /** The line that a remark is written on. */
  readonly writing: Signal<PatchLine | null>
  readonly draft: Signal<string>
  readonly remarks: Signal<ReadonlyArray<Remark>>
  readonly write: (place: Place, line: PatchLine) => void
  readonly keep: (file: ReviewFile["file"], line: PatchLine) => void
  readonly cancel: () => void
  readonly change: (remark: Remark, place: Place, line: PatchLine) => void
  readonly remove: (remark: Remark) => void
}

/** Pixels of a line, as page.css has them. */
const lineHeight = 20

/** Who is to be told when an element comes into sight, or goes out of it. */
const watchers = new Map<Element, (entry: IntersectionObserverEntry) => void>()
const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) watchers.get(entry.target)?.(entry)
  },
  { rootMargin: "1200px 0px" }
)

const lineText = (line: PatchLine): string => (line.at === null ? line.text : line.text.slice(1))

/** How high rows will be, before they are drawn. */
const heightOf = (rows: ReadonlyArray<Pair>, columns: number): number => {
  const linesOf = (line: PatchLine | null): number =>
    line === null ? 1 : Math.max(1, Math.ceil(Math.min(line.text.length - 1, lineMost) / columns))
  return rows.reduce((all, { left, right }) => all + Math.max(linesOf(left), linesOf(right)), 0) * lineHeight
}

interface LineOptions {
  readonly model: ReviewFile
  readonly line: PatchLine
}

/** The parts of a text from one character to another, each in its colour. */
const coloured = (text: string, parts: Parts, from: number, to: number): ReadonlyArray<ComponentChildren> => {
  let at = 0
  return parts.flatMap(([colour, length]) => {
    const its = text.slice(Math.max(at, from), Math.max(from, Math.min(at + length, to)))
    at += length
    return its === "" ? [] : [colour === "" ? its : <span class={`is-${colour}`}>{its}</span>]
  })
}

/** The text of a line; what has changed in it is marked. Texts of files are text nodes and nothing else. */
const Code = ({ line, model }: LineOptions) => {
  const text = lineText(line)
  const [from, to] = model.differences().get(line) ?? [0, 0]
  const shown = text.slice(0, lineMost)
  const parts: Parts = model.colours(line) ?? [["", shown.length]]
  return (
    <code>
      {coloured(shown, parts, 0, from)}
      {from === to ? null : <mark>{coloured(shown, parts, from, to)}</mark>}
      {coloured(shown, parts, to, shown.length)}
      {text.length > lineMost ? <i> … {text.length - lineMost} more characters</i> : null}
    </code>
  )
}

const nameOf = ({ at, kind }: PatchLine, { path }: ReviewFile["file"]): string =>
  `${kind === "removed" ? "removed line" : "line"} ${at} of ${path}`

interface NumberOptions extends LineOptions {
  readonly place: Place
  readonly view: View
}

/** The number of a line, which opens a remark on it; in one column both numbers. */
const LineNumber = ({ line, model: { file }, place, view }: NumberOptions) =>
  view.remarking === null ? null : (
    <button
      type="button"
      class="at"
      data-was={view.isSplit ? undefined : (line.was ?? "")}
      // the keys j and k lead from line to line: Tab would go through thousands
      tabIndex={-1}
      aria-label={may("Send") ? `remark on ${nameOf(line, file)}` : nameOf(line, file)}
      aria-disabled={!may("Send")}
      onFocus={() => (view.current.value = place)}
      onClick={() => view.remarking?.write(place, line)}
    >
      {line.kind === "removed" && !view.isSplit ? null : line.at}
    </button>
  )

/** The remarks on a line, and the form for one. */
const Remarks = ({ line, model: { file }, place, view: { remarking } }: NumberOptions) => {
  if (remarking === null) return null
  const its = remarking.remarks.value.filter((remark) => isAbout(remark, file, line))
  if (its.length === 0 && remarking.writing.value !== line) return null
  return (
    <div class="remarks">
      {its.map((remark, n) => (
        <div key={n} class="remark">
          <p class="whole">{remark.text}</p>
          <span class="buttons">
            <button type="button" onClick={() => remarking.change(remark, place, line)}>
              Change<span class="hidden"> the remark on {nameOf(line, file)}</span>
            </button>
            <button type="button" onClick={() => remarking.remove(remark)}>
              Remove<span class="hidden"> the remark on {nameOf(line, file)}</span>
            </button>
          </span>
        </div>
      ))}
      {remarking.writing.value !== line ? null : (
        <form
          class="remark"
          onSubmit={(event) => {
            event.preventDefault()
            remarking.keep(file, line)
          }}
        >
          <textarea
            rows={3}
            aria-label={`your remark on ${nameOf(line, file)}`}
            value={remarking.draft.value}
            onInput={({ currentTarget }) => (remarking.draft.value = currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
              if (event.key !== "Escape") return
              event.stopPropagation()
              remarking.cancel()
            }}
            ref={takeFocus}
          />
          <span class="buttons">
            <button type="submit">Keep</button>
            <button type="button" onClick={remarking.cancel}>
              Cancel
            </button>
          </span>
        </form>
      )}
    </div>
  )
}

interface RowOptions {
  readonly model: ReviewFile
  readonly row: Pair
  readonly place: Place
  readonly isCurrent: boolean
  readonly view: View
}

const Half = ({
  line,
  model,
  place,
  side,
  view
}: Omit<NumberOptions, "line"> & {
  readonly line: PatchLine | null
  readonly side: "left" | "right"
}) => {
  if (line === null) return <div class="half none" />
  const number = side === "left" ? line.was : line.kind === "removed" ? null : line.at
  return (
    <div class={`half ${line.kind}`}>
      {number === null || (side === "left" && line.kind === "same") ? (
        <span class="at">{number}</span>
      ) : (
        <LineNumber line={line} model={model} place={place} view={view} />
      )}
      <Code line={line} model={model} />
    </div>
  )
}

export const Row = ({ isCurrent, model, place, row, view }: RowOptions) => {
  const { left, right } = row
  const line = (right ?? left)!
  const current = isCurrent ? " current" : ""
  if (line.at === null && (left === right || !view.isSplit))
    return (
      <li class={`${line.kind}${current}`}>
        <code>{line.text}</code>
      </li>
    )
  // a thumb does not hit a number
  const tap = (event: MouseEvent): void => {
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch"
    const { target } = event
    if (!isTouch || !(target instanceof Element) || target.closest("code") === null) return
    const its = target.closest(".half") === null || target.closest(".half:last-child") !== null ? line : left
    if (its !== null && its.at !== null) view.remarking?.write(place, its)
  }
  const shown = view.isSplit ? (
    <div class="pair" onClick={tap}>
      <Half line={left} side="left" model={model} place={place} view={view} />
      <Half line={right} side="right" model={model} place={place} view={view} />
    </div>
  ) : (
    <div class="half" onClick={tap}>
      <LineNumber line={line} model={model} place={place} view={view} />
      <Code line={line} model={model} />
    </div>
  )
  return (
    <li data-row={place.row} class={`${view.isSplit ? "" : line.kind}${current}`}>
      {shown}
      {left === null || left === right || left.at === null ? null : (
        <Remarks line={left} model={model} place={place} view={view} />
      )}
      {right === null || right.at === null ? null : <Remarks line={right} model={model} place={place} view={view} />}
    </li>
  )
}

interface BlockOptions {
  readonly model: ReviewFile
  readonly file: number
  readonly block: number
  readonly view: View
}

/** Some rows of a file. They are drawn while they are in sight, or nearly; out of sight there is room for them. */
const Block = ({ block, file, model, view }: BlockOptions) => {
  const { all, near } = model.rows(view.isSplit)
  const from = block * blockRows
  const rows = all.slice(from, from + blockRows)
  const isNear = near[block]!
  const place = useRef<HTMLOListElement>(null)
  const drawn = useRef<number | null>(null)
  const current = useComputed(() => {
    const its = view.current.value
    return its?.file === file ? its.row : null
  })
  useLayoutEffect(() => {
    const element = place.current!
    watchers.set(element, ({ boundingClientRect, isIntersecting }) => {
      // what has the focus, or is written in, stays
      if (!isIntersecting && element.querySelector("form, :focus") !== null) return
      if (!isIntersecting && isNear.value) drawn.current = boundingClientRect.height
      isNear.value = isIntersecting
    })
    observer.observe(element)
    return () => {
      watchers.delete(element)
      observer.unobserve(element)
    }
  }, [isNear])
  if (!isNear.value)
    return (
      <ol ref={place} class="rows" style={{ height: `${drawn.current ?? heightOf(rows, view.columns.value)}px` }} />
    )
  return (
    <ol ref={place} class="rows">
      {rows.map((row, n) => (
        <Row
          key={from + n}
          model={model}
          row={row}
          place={{ file, row: from + n }}
          isCurrent={current.value === from + n}
          view={view}
        />
      ))}
    </ol>
  )
}

/** All rows of a file. */
export const Rows = ({ file, model, view }: Omit<BlockOptions, "block">) => (
  <>
    {model.rows(view.isSplit).near.map((_, block) => (
      <Block key={`${view.isSplit} ${block}`} block={block} file={file} model={model} view={view} />
    ))}
  </>
)
