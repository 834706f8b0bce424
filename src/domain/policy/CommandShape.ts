import type { Likelihood } from "./Likelihood.ts"
import { baseName, type ShellWord } from "./ShellWords.ts"
import { matches, type TextGlob, textGlob } from "./TextGlob.ts"

/**
 * What a command pattern means whatever the order and grouping of options: `rm -rf *` is a program, the letters r and f, and
 * operands. Null for a pattern that names no program.
 */
export interface CommandShape {
  readonly program: string
  readonly letters: ReadonlySet<string>
  readonly longs: ReadonlyArray<TextGlob>
  readonly operands: TextGlob
}

/** `-rf` is two options; `-exec` and `-name` are one. */
const cluster = /^-[A-Za-z]{1,3}$/

/** The shape of a pattern. */
export const shapeOf = (pattern: string): CommandShape | null => {
  const [program = "", ...words] = pattern.split(/ +/)
  if (/[*?\\]/.test(program) || program === "") return null
  const letters = new Set<string>()
  const longs: Array<TextGlob> = []
  const operands: Array<string> = []
  for (const word of words) {
    if (cluster.test(word)) for (const letter of word.slice(1)) letters.add(letter)
    else if (/^-[^*?]/.test(word) && word !== "--") {
      const glob = textGlob(word)
      if (glob !== null) longs.push(glob)
    } else operands.push(word)
  }
  if (pattern.endsWith("*") && operands.at(-1)?.endsWith("*") !== true) operands.push("*")
  const glob = textGlob(operands.join(" "))
  return { program: baseName(program), letters, longs, operands: glob ?? { parts: [[]], short: null } }
}

/** How many options with values of their own are thought of before the first operand. */
const mostValues = 16

/**
 * Whether a command has that shape. `maybe` where a long option may stand for a short one (`--recursive`), or a word may be
 * the value of an option before it (`git -C /x push`).
 */
export const hasShape = (shape: CommandShape, words: ReadonlyArray<ShellWord>): Likelihood => {
  if (baseName(words[0]?.text ?? "") !== shape.program) return "no"
  const letters = new Set<string>()
  const longs: Array<string> = []
  const operands: Array<string> = []
  let options = true
  let before = 0
  for (const { text } of words.slice(1)) {
    if (options && text === "--") options = false
    else if (options && text.startsWith("-") && text.length > 1) {
      if (!text.startsWith("--")) for (const letter of text.slice(1, 65)) letters.add(letter)
      longs.push(text)
      if (operands.length <= before) before++
    } else operands.push(text)
  }
  const missing = [...shape.letters].filter((letter) => !letters.has(letter))
  if (missing.some((letter) => !longs.some((long) => long.startsWith(`--${letter}`)))) return "no"
  if (!shape.longs.every((glob) => longs.some((long) => matches(glob, long)))) return "no"
  for (let values = 0; values <= Math.min(before, mostValues, operands.length); values++) {
    if (matches(shape.operands, operands.slice(values).join(" "))) return values === 0 && missing.length === 0 ? "yes" : "maybe"
  }
  return "no"
}
