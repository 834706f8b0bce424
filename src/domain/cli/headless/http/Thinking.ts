/** The state of reading reasoning between tags. Some servers send only the closing tag. Tags after it are text. */
export interface Thinking {
  /** `before`: blanks, and at most a part of an opening tag, have come; `opened`: until the tag `closing` comes. */
  readonly at: "before" | "opened" | "answer"
  readonly closing: string
  /** The end of the text. It is held back because it may begin a tag, or be blanks before one. */
  readonly held: string
  /** Blanks after the closing tag are not part of the answer. */
  readonly trims: boolean
  /** No tag has come yet, not even a quoted one: a closing tag without an opening one still ends the reasoning. */
  readonly closable: boolean
}

export const initialThinking: Thinking = { at: "before", closing: "", held: "", trims: false, closable: true }

/** A piece of a text. `AllThought`: all text before this piece is reasoning, too. */
export type ThinkingPiece =
  | { readonly _tag: "Thought"; readonly text: string }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "AllThought" }

const pairs: ReadonlyArray<readonly [opening: string, closing: string]> = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"]
]
const openings = pairs.map(([opening]) => opening)
const closings = pairs.map(([, closing]) => closing)
const tags = [...openings, ...closings]
const tag = /<\/?(?:think|thinking|thought|seed:think)>|\[\/?THINK\]|◁\/?think▷/g

const mayBegin = /[<[◁]/

/** Where a suffix may begin one of these tags, of at most 13 characters; the text's length if there is none. */
const tagStart = (text: string, tags: ReadonlyArray<string>): number => {
  const from = Math.max(0, text.length - 12)
  for (let at = from; at < text.length; at++) if (tags.some((tag) => tag.startsWith(text.slice(at)))) return at
  return text.length
}

type Step = readonly [Thinking, ReadonlyArray<ThinkingPiece>]

const piece = (kind: "Thought" | "Text", text: string): ReadonlyArray<ThinkingPiece> =>
  text === "" ? [] : [{ _tag: kind, text }]

const isQuoted = (before: string, after: string): boolean =>
  /[`'"“‘«]$/.test(before) || /^[`'"”’»]/.test(after) || before.split("```").length % 2 === 0

/** Reads more text of an answer. `said`: its text so far. */
export const readThinking = (state: Thinking, more: string, said: string): Step => {
  const text = state.held + more
  if (state.at === "before") {
    const begun = text.trimStart()
    const [opening, closing] = pairs.find(([opening]) => begun.startsWith(opening)) ?? []
    if (opening !== undefined && closing !== undefined)
      return readThinking({ ...state, at: "opened", closing, held: "" }, begun.slice(opening.length), said)
    return openings.some((opening) => opening.startsWith(begun))
      ? [{ ...state, held: text }, []]
      : readThinking({ ...state, at: "answer", held: "" }, text, said)
  }
  if (state.at === "opened") {
    const at = text.indexOf(state.closing)
    if (at < 0) {
      const to = tagStart(text, [state.closing])
      return [{ ...state, held: text.slice(to) }, piece("Thought", text.slice(0, to))]
    }
    const rest = text.slice(at + state.closing.length)
    const [next, pieces] = readThinking({ ...state, at: "answer", held: "", trims: true, closable: false }, rest, said)
    return [next, [...piece("Thought", text.slice(0, at)), ...pieces]]
  }
  // Most pieces take this path.
  if (!state.trims && !mayBegin.test(text)) return [state, piece("Text", text)]
  const answer = state.trims ? text.trimStart() : text
  const trims = state.trims && answer === ""
  if (!state.closable) return [{ ...state, held: "", trims }, piece("Text", answer)]
  const found = answer.search(tag)
  if (found < 0) {
    const to = tagStart(answer, tags)
    return [{ ...state, held: answer.slice(to), trims }, piece("Text", answer.slice(0, to))]
  }
  const name = tags.find((tag) => answer.startsWith(tag, found)) ?? ""
  const end = found + name.length
  const before = answer.slice(0, found)
  const afterTag = { ...state, held: "", closable: false, trims: false }
  if (!closings.includes(name) || isQuoted(said + before, answer.slice(end))) return [afterTag, piece("Text", answer)]
  const [next, pieces] = readThinking({ ...afterTag, trims: true }, answer.slice(end), "")
  return [next, [{ _tag: "AllThought" }, ...piece("Thought", before), ...pieces]]
}

export const endThinking = ({ at, held }: Thinking): ReadonlyArray<ThinkingPiece> =>
  piece(at === "opened" ? "Thought" : "Text", held)
