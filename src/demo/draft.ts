import type { Key } from "./keys.ts"

/** One thing the caret steps over: a character, or a whole folded paste. */
export interface Atom {
  readonly text: string
  readonly shown: string
}

/** The unsent text in the input box. */
export interface Draft {
  readonly atoms: ReadonlyArray<Atom>
  readonly caret: number
}

export const emptyDraft: Draft = { atoms: [], caret: 0 }

// A paste beyond either is folded: the box keeps its size.
const maxLines = 4
const maxChars = 600

const segmenter = new Intl.Segmenter()
const atomsOf = (text: string): ReadonlyArray<Atom> =>
  Array.from(segmenter.segment(text), ({ segment }) => ({ text: segment, shown: segment }))

/** The text that Enter would submit. */
export const textOf = (draft: Draft): string => draft.atoms.map((atom) => atom.text).join("")

const insert = (draft: Draft, atoms: ReadonlyArray<Atom>): Draft => ({
  atoms: draft.atoms.toSpliced(draft.caret, 0, ...atoms),
  caret: draft.caret + atoms.length
})

const remove = (draft: Draft, at: number): Draft =>
  at < 0 || at >= draft.atoms.length ? draft : { atoms: draft.atoms.toSpliced(at, 1), caret: at }

/** A draft that holds this text, the caret behind it. */
export const draftOf = (text: string): Draft => insert(emptyDraft, atomsOf(text))

const paste = (draft: Draft, text: string): Draft => {
  const lines = text.split("\n").length
  const folded = lines > maxLines ? `[pasted ${lines} lines]` : text.length > maxChars ? `[pasted ${text.length} characters]` : null
  return insert(draft, folded === null ? atomsOf(text) : [{ text, shown: folded }])
}

/** What a key does to the draft; keys with no meaning here leave it as it is. */
export const edit = (draft: Draft, key: Key): Draft => {
  switch (key.key) {
    case "text": return insert(draft, atomsOf(key.text))
    case "paste": return paste(draft, key.text)
    case "newline": return insert(draft, [{ text: "\n", shown: "\n" }])
    case "backspace": return remove(draft, draft.caret - 1)
    case "delete": return remove(draft, draft.caret)
    case "clear": return emptyDraft
    case "left": return { ...draft, caret: Math.max(0, draft.caret - 1) }
    case "right": return { ...draft, caret: Math.min(draft.atoms.length, draft.caret + 1) }
    case "home": return { ...draft, caret: 0 }
    case "end": return { ...draft, caret: draft.atoms.length }
    default: return draft
  }
}
