import { graphemeAfter, graphemeBefore } from "../tui/EditorText.ts"

/** A text that is written, and the place in it where the next character goes. */
export interface CaptureText {
  readonly text: string
  readonly at: number
}

export const empty: CaptureText = { text: "", at: 0 }

export const insert = ({ at, text }: CaptureText, more: string): CaptureText => ({
  text: text.slice(0, at) + more + text.slice(at),
  at: at + more.length
})

/** The place one character, as people count them, before or after. */
const before = ({ at, text }: CaptureText): number => graphemeBefore(text, at)
const after = ({ at, text }: CaptureText): number => graphemeAfter(text, at)
const wordBefore = ({ at, text }: CaptureText): number => at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0)
const wordAfter = ({ at, text }: CaptureText): number => at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0)
const lineStart = ({ at, text }: CaptureText): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)
const lineEnd = ({ at, text }: CaptureText): number => {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : end
}

const without = ({ text }: CaptureText, from: number, to: number): CaptureText => ({
  text: text.slice(0, from) + text.slice(to),
  at: from
})

/** What each editing key does; up and down are null where there is no line. */
export const edits = {
  backspace: (it: CaptureText) => without(it, before(it), it.at),
  delete: (it: CaptureText) => without(it, it.at, after(it)),
  "delete-word": (it: CaptureText) => without(it, wordBefore(it), it.at),
  clear: (it: CaptureText) => without(it, lineStart(it), it.at),
  left: (it: CaptureText) => ({ ...it, at: before(it) }),
  right: (it: CaptureText) => ({ ...it, at: after(it) }),
  "word-left": (it: CaptureText) => ({ ...it, at: wordBefore(it) }),
  "word-right": (it: CaptureText) => ({ ...it, at: wordAfter(it) }),
  home: (it: CaptureText) => ({ ...it, at: it.at === 0 ? 0 : lineStart(it) }),
  end: (it: CaptureText) => ({ ...it, at: lineEnd(it) })
} as const satisfies Record<string, (it: CaptureText) => CaptureText>

/** The same column of the line above or below; null where there is none. */
export const vertical = (it: CaptureText, down: boolean): CaptureText | null => {
  const from = it.at === 0 ? 0 : lineStart(it)
  const column = it.at - from
  if (!down) {
    if (from === 0) return null
    const above = lineStart({ ...it, at: from - 1 })
    return { ...it, at: Math.min(from - 1 === 0 ? 0 : above + column, from - 1) }
  }
  const end = lineEnd(it)
  if (end === it.text.length) return null
  const below = end + 1
  return { ...it, at: Math.min(below + column, lineEnd({ ...it, at: below })) }
}
