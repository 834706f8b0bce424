import type { DemoKey } from "./keys.ts"

/** A unit of caret movement: a character, or a complete folded paste. */
export interface Atom {
  readonly text: string
  readonly displayed: string
}

export interface DemoDraft {
  readonly atoms: ReadonlyArray<Atom>
  readonly caret: number
}

export const emptyDraft: DemoDraft = { atoms: [], caret: 0 }

// A paste beyond either limit is folded, so that the box keeps its size.
const maxLines = 4
const maxChars = 600

const segmenter = new Intl.Segmenter()
const atomsOf = (text: string): ReadonlyArray<Atom> =>
  Array.from(segmenter.segment(text), ({ segment }) => ({ text: segment, displayed: segment }))

export const textOf = (draft: DemoDraft): string => draft.atoms.map((atom) => atom.text).join("")

const insert = (draft: DemoDraft, atoms: ReadonlyArray<Atom>): DemoDraft => ({
  atoms: draft.atoms.toSpliced(draft.caret, 0, ...atoms),
  caret: draft.caret + atoms.length
})

const remove = (draft: DemoDraft, at: number): DemoDraft =>
  at < 0 || at >= draft.atoms.length ? draft : { atoms: draft.atoms.toSpliced(at, 1), caret: at }

export const draftOf = (text: string): DemoDraft => insert(emptyDraft, atomsOf(text))

const paste = (draft: DemoDraft, text: string): DemoDraft => {
  const lines = text.split("\n").length
  const folded =
    lines > maxLines ? `[pasted ${lines} lines]` : text.length > maxChars ? `[pasted ${text.length} characters]` : null
  return insert(draft, folded === null ? atomsOf(text) : [{ text, displayed: folded }])
}

export const edit = (draft: DemoDraft, key: DemoKey): DemoDraft => {
  switch (key.key) {
    case "text":
      return insert(draft, atomsOf(key.text))
    case "paste":
      return paste(draft, key.text)
    case "newline":
      return insert(draft, [{ text: "\n", displayed: "\n" }])
    case "backspace":
      return remove(draft, draft.caret - 1)
    case "delete":
      return remove(draft, draft.caret)
    case "clear":
      return emptyDraft
    case "left":
      return { ...draft, caret: Math.max(0, draft.caret - 1) }
    case "right":
      return { ...draft, caret: Math.min(draft.atoms.length, draft.caret + 1) }
    case "home":
      return { ...draft, caret: 0 }
    case "end":
      return { ...draft, caret: draft.atoms.length }
    default:
      return draft
  }
}
