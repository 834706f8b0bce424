import { Schema } from "effect"

/** Pieces of terminal streams, whole and broken; a stream is any sequence of them. */
export const fragments = [
  "a",
  "hello world",
  "\r\n",
  "\n",
  "\t",
  "\x07",
  "\x0e",
  "\x0f",
  "\x7f",
  "\x00",
  "é",
  "日本",
  "🎉",
  "\xff",
  "\x1b[31m",
  "\x1b[38;2;1;2;3m",
  "\x1b[4:3m",
  "\x1b[m",
  "\x1b[2J",
  "\x1b[10;20H",
  "\x1b[?25l",
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[?2026h",
  "\x1b[?2026l",
  "\x1b[6n",
  "\x1b[c",
  "\x1b[?u",
  "\x1b[>1u",
  "\x1b[<u",
  "\x1b[>q",
  "\x1b[?2004$p",
  "\x1b[1\n2m",
  "\x1b7",
  "\x1b8",
  "\x1b(0",
  "\x1b(B",
  "\x1bM",
  "\x1bc",
  "\x1b=",
  "\x1b>",
  "\x1b",
  "\x1b[",
  "\x1b]",
  "\x1bP",
  "\x1b\\",
  "[",
  "O",
  "A",
  "\x18",
  "\x1a",
  "\x1b]0;title\x07",
  "\x1b]2;title\x1b\\",
  "\x1b]11;?\x07",
  "\x1b]4;1;?\x1b\\",
  "\x1b]8;;http://a\x1b\\",
  "\x1b]52;c;aGk=\x07",
  "\x1b]7501;?\x1b\\",
  "\x1b]7501;state=working:app=x\x1b\\",
  "\x1b]7501;state=clear\x07",
  "\x1b]7501;state=",
  "\x1bP+q544e\x1b\\",
  "\x1bP$qm\x1b\\",
  "\x1b_Ga=q;AAAA\x1b\\",
  "\x1bXsos\x1b\\",
  "\x1b^pm\x1b\\",
  "\x1bP1;2qdata\x07more\x1b\\",
  "\x1b]0;cut\x1b[31m",
  "\x1b[31\xff",
  "\x1b]broken\x18",
  `\x1b]52;c;${"A".repeat(9000)}\x07`,
  `\x1bP${"q".repeat(8190)}\x1b\\`,
  "x".repeat(100)
] as const

const bytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("")

/** A fragment that is text becomes its UTF-8 bytes; one with a raw 0xff stays as it is. */
const latin1 = (fragment: string): string => (fragment.includes("\xff") ? fragment : bytes(fragment))

/** Bytes that a program wrote, in the chunks in which they came. */
export const Stream = Schema.Array(Schema.Literals(fragments))
/** Where a stream is cut, as parts of a thousand. */
export const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 })))

/** The chunks of a stream in one. */
export const join = (stream: ReadonlyArray<string>): string => stream.map(latin1).join("")

/** A text in pieces. */
export const cut = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const points = [...new Set(cuts.map((part) => Math.floor((part * text.length) / 1000)))].sort((a, b) => a - b)
  return [...points, text.length].map((to, i) => text.slice(i === 0 ? 0 : points[i - 1], to))
}

/** Neighbours of one kind joined, for kinds whose borders mean nothing. */
export const merge = <A extends object>(list: ReadonlyArray<A>, same: (a: A, b: A) => A | null): ReadonlyArray<A> => {
  const out: Array<A> = []
  for (const item of list) {
    const joined = out.length === 0 ? null : same(out[out.length - 1]!, item)
    if (joined === null) out.push(item)
    else out[out.length - 1] = joined
  }
  return out
}
