import { useComputed, useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { letters } from "../domain/store/worktrees/changeKinds.ts"
import { type PatchLine, type Remark, remarksText } from "../domain/store/worktrees/patchLines.ts"
import type { FoundAs } from "../domain/surfaces/web/Frames.ts"
import { act } from "./connection.ts"
import {
  blockRows,
  lineOf,
  nextChange,
  nextLine,
  type Place,
  remarks as allRemarks,
  type ReviewFile,
  reviewFile,
  setRemarks
} from "./reviewModel.ts"
import { type Remarking, Rows, type View } from "./Rows.tsx"
import { announcement, may } from "./store.ts"
import { useKeys } from "./useKeys.ts"

/** From this width on, two files have room beside each other; narrower windows show one (page.css has it too). */
const wide = "(min-width: 900px)"
const splitName = "leap-side-by-side"
/** Pixels of a character, and of what is beside the text of a line. */
const charWidth = 7.25
const gutter = { unified: 96, split: 56 } as const

const isAside = matchMedia(wide)
/** Files whose list is open at first in a narrow window. */
const listedMost = 6

export const Counts = ({ file: { added, removed } }: { readonly file: ReviewFile["file"] }) =>
  added === null || removed === null ? null : (
    <span class="counts">
      <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
    </span>
  )

/** A name whose last part is read first. */
export const Name = ({ file: { from, kind, path } }: { readonly file: ReviewFile["file"] }) => {
  const at = path.replace(/\/$/, "").lastIndexOf("/") + 1
  return (
    <span class="name">
      <span class={`kind ${kind}`} aria-hidden="true">
        {letters[kind]}
      </span>
      <span class="hidden">{kind} </span>
      <span class="path">
        <span class="dir">{path.slice(0, at)}</span>
        {path.slice(at)}
        {from === null ? null : <span class="dir"> ← {from}</span>}
      </span>
    </span>
  )
}

const whyNone = ({ added, path }: ReviewFile["file"]): string => {
  if (path.endsWith("/")) return "a repository of its own: what is in it is not compared"
  return added === null ? "no text: its content is not shown" : "too long to be shown here: look at it in an editor"
}

interface FileOptions {
  readonly model: ReviewFile
  readonly n: number
  readonly view: View
}

const File = ({ model, n, view }: FileOptions) => {
  const { file, isOpen } = model
  const isEmpty = file.patch === null || file.added === null
  return (
    <section class="file" data-file={n} aria-label={file.path}>
      <h3>
        <button
          type="button"
          class="head"
          aria-expanded={isOpen.value}
          onFocus={() => (view.current.value = { file: n, row: -1 })}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <span class="arrow" aria-hidden="true">
            {isOpen.value ? "▾" : "▸"}
          </span>
          <Name file={file} />
          <Counts file={file} />
        </button>
      </h3>
      {!isOpen.value ? null : isEmpty ? (
        <p class="hint">{whyNone(file)}</p>
      ) : (
        <Rows model={model} file={n} view={view} />
      )}
    </section>
  )
}

/** A key that does the same as a button. */
export const key = (name: string) => <kbd aria-hidden="true">{name}</kbd>

/** Buttons to the thing before and behind. */
const steps = (what: string, keyBefore: string, previous: () => void, keyNext: string, next: () => void) => (
  <>
    <button type="button" onClick={previous}>
      <span aria-hidden="true">↑ </span>
      <span class="hidden">Previous </span>
      {what}
      {key(keyBefore)}
    </button>
    <button type="button" onClick={next}>
      <span aria-hidden="true">↓ </span>
      <span class="hidden">Next </span>
      {what}
      {key(keyNext)}
    </button>
  </>
)

/** Gives the focus to a row, or to a file's head, as soon as it is drawn. */
const focusOn = ({ file, row }: Place, tries = 10): void => {
  const section = document.querySelector(`[data-file="${file}"]`)
  // side by side the present file is the last
  const found = section?.querySelectorAll<HTMLElement>(row < 0 ? ".head" : `[data-row="${row}"] button.at`)
  const element = [...(found ?? [])].at(-1)
  if (element === undefined) {
    if (tries > 0) requestAnimationFrame(() => focusOn({ file, row }, tries - 1))
    return
  }
  element.focus({ preventScroll: true })
  if (row < 0) section?.scrollIntoView()
  else element.scrollIntoView({ block: "center" })
}

interface FilesOptions {
  readonly found: FoundAs<"Changes">
  readonly tag: string
}

/** The list of the files, and the files: with keys, and a bar for thumbs, from change to change. */
export const Files = ({ found, tag }: FilesOptions) => {
  const models = useMemo(() => found.files.map((file) => reviewFile(file)), [found])
  const isWide = useSignal(isAside.matches)
  const isWanted = useSignal(localStorage.getItem(splitName) === "yes")
  const isSplit = isWide.value && isWanted.value
  const columns = useSignal(80)
  const current = useSignal<Place | null>(null)
  const writing = useSignal<PatchLine | null>(null)
  /** The remark that is being changed: it stays until the change is kept. */
  const changed = useRef<Remark | null>(null)
  const draft = useSignal("")
  const remarks = useComputed(() => allRemarks.value.get(tag) ?? [])
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const look = (): void => void (isWide.value = isAside.matches)
    isAside.addEventListener("change", look)
    return () => isAside.removeEventListener("change", look)
  }, [])
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      const text = isSplit ? width / 2 - gutter.split : width - gutter.unified
      columns.value = Math.max(10, Math.floor(text / charWidth))
    })
    watch.observe(place.current!)
    return () => watch.disconnect()
  }, [isSplit])

  const here = (): Place => current.value ?? { file: 0, row: -1 }
  const go = (to: Place | null): void => {
    const model = to === null ? undefined : models[to.file]
    if (to === null || model === undefined) return
    current.value = to
    if (to.row >= 0) {
      model.isOpen.value = true
      model.rows(isSplit).near[Math.floor(to.row / blockRows)]!.value = true
    }
    focusOn(to)
  }
  const goFile = (file: number): void => go({ file: Math.max(0, Math.min(models.length - 1, file)), row: -1 })
  const change = (step: 1 | -1) => () => go(nextChange(models, isSplit, here(), step))
  const line = (step: 1 | -1) => () => go(nextLine(models, isSplit, here(), step))
  const previousFile = (): void => goFile(here().row >= 0 ? here().file : here().file - 1)
  const nextFile = (): void => goFile(current.value === null ? 0 : here().file + 1)
  const remarking: Remarking = {
    writing,
    draft,
    remarks,
    write: (at, line) => {
      if (!may("Send")) return
      changed.current = null
      current.value = at
      if (writing.value !== line) draft.value = ""
      writing.value = writing.value === line ? null : line
    },
    keep: ({ path }, line) => {
      if (draft.value.trim() === "") return
      const others = remarks.value.filter((one) => one !== changed.current)
      setRemarks(tag, [...others, { name: path, line, text: draft.value }])
      remarking.cancel()
    },
    cancel: () => {
      changed.current = null
      writing.value = null
      draft.value = ""
      focusOn(here())
    },
    // the remark may be older than what is shown: its own line is of an earlier look
    change: (remark, at, line) => {
      changed.current = remark
      current.value = at
      draft.value = remark.text
      writing.value = line
    },
    remove: (remark) =>
      setRemarks(
        tag,
        remarks.value.filter((one) => one !== remark)
      )
  }
  const view: View = { isSplit, columns, current, remarking }
  const comment = (): void => {
    const { file, row } = here()
    const its = models[file]?.rows(isSplit).all[row]
    const line = its === undefined ? null : lineOf(its)
    if (line === null) go(nextChange(models, isSplit, here(), 1))
    else remarking.write(here(), line)
  }
  const split = (wanted: boolean): void => {
    localStorage.setItem(splitName, wanted ? "yes" : "no")
    isWanted.value = wanted
    current.value = null
    writing.value = null
  }
  useKeys({
    n: change(1),
    p: change(-1),
    j: line(1),
    k: line(-1),
    "]": nextFile,
    "[": previousFile,
    c: comment,
    u: () => split(!isWanted.value)
  })
  const count = remarks.value.length
  const send = async (): Promise<void> => {
    const call = { _tag: "Send", text: remarksText(remarks.value), images: [], front: false, force: false } as const
    if (await act(tag, call)) setRemarks(tag, [])
  }
  const on = ({ path }: ReviewFile["file"]): number => remarks.value.filter(({ name }) => name === path).length
  return (
    <>
      <div class="review-body">
        <nav class="filelist" aria-label="Files">
          <p class="buttons views" role="group" aria-label="View">
            <button type="button" aria-pressed={!isSplit} onClick={() => split(false)}>
              Unified
            </button>
            <button type="button" aria-pressed={isSplit} onClick={() => split(true)}>
              Side by side
            </button>
          </p>
          {/* hundreds of names would stand before all else on a phone */}
          <details open={isWide.value || models.length <= listedMost}>
            <summary>
              {models.length} {models.length === 1 ? "file" : "files"}
            </summary>
            <ol>
              {models.map(({ file }, n) => (
                // A name occurs once.
                <li key={file.path}>
                  <button
                    type="button"
                    aria-current={current.value?.file === n ? "true" : undefined}
                    onClick={() => goFile(n)}
                  >
                    <Name file={file} />
                    {on(file) === 0 ? null : (
                      <span class="remarked">
                        {on(file)}
                        <span class="hidden"> remarks</span>
                      </span>
                    )}
                    <Counts file={file} />
                  </button>
                </li>
              ))}
            </ol>
          </details>
          {found.unlisted === 0 ? null : <p class="hint">… and {found.unlisted} more files, which are not listed</p>}
        </nav>
        <div class="diffs" ref={place}>
          {models.map((model, n) => (
            <File key={model.file.path} model={model} n={n} view={view} />
          ))}
          {count === 0 ? null : (
            <section aria-label="Your remarks">
              <h3>Your remarks, as one message</h3>
              <pre tabIndex={0}>{remarksText(remarks.value)}</pre>
            </section>
          )}
        </div>
      </div>
      <div class="tools" role="toolbar" aria-label="Changes">
        {steps("File", "[", previousFile, "]", nextFile)}
        {steps("Change", "p", change(-1), "n", change(1))}
        {!may("Send") ? null : (
          <button type="button" onClick={comment}>
            Remark{key("c")}
          </button>
        )}
        <span class="grow" aria-hidden="true">
          {announcement.value}
        </span>
        {count === 0 ? null : (
          <Unsent remarks={remarks.value} send={() => void send()} drop={() => setRemarks(tag, [])} />
        )}
      </div>
    </>
  )
}

interface UnsentOptions {
  readonly remarks: ReadonlyArray<Remark>
  readonly send: () => void
  readonly drop: () => void
}

const Unsent = ({ drop, remarks, send }: UnsentOptions) => (
  <>
    <button type="button" class="main" onClick={send}>
      {remarks.length === 1 ? "Queue the remark" : `Queue ${remarks.length} remarks`}
    </button>
    <button type="button" onClick={drop}>
      Drop<span class="hidden"> {remarks.length === 1 ? "the remark" : "the remarks"}</span>
    </button>
  </>
)
