export type FlagForm = "toggle" | "text" | "integer" | "number" | ReadonlyArray<string>

/** The number of operands (`most`: null for any number), and the flags. */
export interface QuickForm {
  readonly least: number
  readonly most: number | null
  readonly flags: Readonly<Record<string, FlagForm>>
}

export interface QuickCommand {
  /** The command's words: `queue hold`. */
  readonly name: string
  readonly operands: ReadonlyArray<string>
  /** The given flags by their names, with their values; "" for a flag without one. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

type Forms = Readonly<Record<string, QuickForm>>

/** The name of the command, and the number of words that form it; -1: not known. `leap queue <tag>` shows the queue. */
const nameIn = (forms: Forms, [first = "", second = ""]: ReadonlyArray<string>) => {
  const both = `${first} ${second}`
  if (Object.hasOwn(forms, both)) return { name: both, words: 2 }
  if (first === "queue") return { name: "queue show", words: second === "" ? -1 : 1 }
  return { name: first, words: Object.hasOwn(forms, first) ? 1 : -1 }
}

const isValue = (form: FlagForm, value: string): boolean => {
  if (form === "text") return true
  if (form === "integer") return /^\d{1,9}$/.test(value)
  if (form === "number") return /^\d{1,9}(\.\d{1,9})?$/.test(value)
  return form !== "toggle" && form.includes(value)
}

/**
 * Reads a command line in plain form: a command of these forms, each flag once and followed by its value. The result
 * equals the parser's. Null for every other line, right or wrong, which the parser must explain.
 */
export const quickCommand = (forms: Forms, argv: ReadonlyArray<string>): QuickCommand | null => {
  const { name, words } = nameIn(forms, argv)
  const form = forms[name]
  if (words < 0 || form === undefined) return null
  const operands: Array<string> = []
  const flags: Record<string, string> = {}
  for (let i = words; i < argv.length; i++) {
    const word = argv[i]!
    if (!word.startsWith("-")) {
      operands.push(word)
      continue
    }
    const flag = Object.hasOwn(form.flags, word) ? form.flags[word]! : null
    const key = word.slice(2)
    if (flag === null || Object.hasOwn(flags, key)) return null
    if (flag === "toggle") flags[key] = ""
    else {
      const value = argv[++i]
      if (value === undefined || value.startsWith("-") || !isValue(flag, value)) return null
      flags[key] = value
    }
  }
  const isEnough = operands.length >= form.least && operands.length <= (form.most ?? operands.length)
  return isEnough ? { name, operands, flags } : null
}
