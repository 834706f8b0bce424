/** The words for states in traces, and leap's. `START` and `EXIT` are leap's own: the predecessor has neither. */
export const states = {
  IDLE: "idle",
  RUN: "running",
  PERM: "needs_permission",
  INPUT: "needs_input",
  INTR: "interrupted",
  CHURN: "churning",
  START: "starting",
  EXIT: "exited"
} as const
export type StateWord = keyof typeof states

/**
 * One row of a screen: `EscCan+Nav+·` has two hints and a separator, `txt~long` is prose of more than sixty characters.
 */
export interface Token {
  /** What stands in the row, in order: `txt`, `FOOT`, `❯row`, … */
  readonly parts: ReadonlyArray<string>
  readonly long: boolean
  /** Its parts are separated by a middle dot. */
  readonly dotted: boolean
  /** A row given as it is, in quotes; the text of a draft for `❯"…"`. */
  readonly text: string | null
}

export type Statement =
  | { readonly _tag: "At"; readonly second: number }
  | { readonly _tag: "After"; readonly seconds: number }
  | { readonly _tag: "Send"; readonly into: StateWord | null }
  | { readonly _tag: "Keys"; readonly chunks: ReadonlyArray<string>; readonly into: StateWord | null }
  | {
      readonly _tag: "Draw"
      /** Shows or hides the cursor; null leaves it. */
      readonly cursor: boolean | null
      readonly clear: boolean
      readonly rows: ReadonlyArray<Token>
      readonly into: StateWord | null
    }
  | { readonly _tag: "Look"; readonly state: ReadonlyArray<StateWord>; readonly composing: boolean }
  | { readonly _tag: "Ready"; readonly ready: boolean; readonly composing: boolean }
  | { readonly _tag: "Arrows"; readonly toCli: boolean }
  | {
      readonly _tag: "Marker"
      readonly data: string
      readonly asks: "permission" | "question" | null
      readonly into: StateWord | null
    }
  | {
      readonly _tag: "Transcript"
      readonly entry: string
      readonly second: number | null
      readonly into: StateWord | null
    }
  /** The CLI repaints its frame every second, as it does while something in it moves. */
  | { readonly _tag: "Paint"; readonly seconds: number }
  | { readonly _tag: "Resize"; readonly cols: number; readonly rows: number; readonly into: StateWord | null }
  | { readonly _tag: "Fresh" }

/** A statement, and the text that it was read from. */
export interface Step {
  readonly text: string
  readonly does: Statement
}

const open: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" }

/** Splits at a separator that stands outside quotes and brackets. */
const split = (text: string, separator: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  const closers: Array<string> = []
  let quoted = false
  let part = ""
  for (const letter of text) {
    if (letter === '"') quoted = !quoted
    else if (!quoted && open[letter] !== undefined) closers.push(open[letter])
    else if (!quoted && closers.at(-1) === letter) closers.pop()
    if (letter === separator && !quoted && closers.length === 0) {
      parts.push(part.trim())
      part = ""
    } else part += letter
  }
  return [...parts, part.trim()].filter((one) => one !== "")
}

const keys: Readonly<Record<string, string>> = {
  Esc: "\u001b",
  Tab: "\t",
  "⏎": "\r",
  "␊": "\n",
  "␛": "\u001b",
  "^C": "\u0003",
  "␀": "\u0000",
  "↑": "\u001b[A",
  "↓": "\u001b[B",
  "⌫": "\u007f"
}
const keyNames = /⏎|␊|␛|\^C|␀|↑|↓|⌫/g

const chunksOf = (text: string): ReadonlyArray<string> => {
  const byByte = text.endsWith(" one byte at a time")
  const body = byByte ? text.slice(0, -" one byte at a time".length) : text
  const quoted = /^"(.*)"(.*)$/s.exec(body)
  const named = (part: string) => part.replace(keyNames, (name) => keys[name] ?? name)
  const data = quoted === null ? (keys[body] ?? named(body)) : named(quoted[1] ?? "") + named(quoted[2] ?? "")
  if (quoted === null && keys[body] === undefined && !/^(?:⏎|␊|␛|\^C|␀|↑|↓|⌫)+$/.test(body))
    throw new Error(`no key is called ${body}`)
  return byByte ? [...data] : [data]
}

const stateOf = (word: string): StateWord => {
  if (word in states) return word as StateWord
  throw new Error(`no state is called ${word}`)
}

const tokenOf = (text: string): ReadonlyArray<Token> => {
  const [, row = "", times = "1"] = /^(.*?)(?:\s*×(\d+))?$/s.exec(text) ?? []
  const repeat = (token: Token) => Array.from({ length: Number(times) }, () => token)
  const given = /^(❯)?"(.*)"$/s.exec(row)
  if (given !== null)
    return repeat({ parts: given[1] === undefined ? [] : ["❯row"], long: false, dotted: false, text: given[2] ?? "" })
  const long = row.includes("~long")
  const parts = row.replace("~long", "").split("+")
  const dotted = parts.some((part) => part.endsWith("·"))
  return repeat({
    parts: parts.map((part) => part.replace(/·$/, "")).filter((part) => part !== ""),
    long,
    dotted,
    text: null
  })
}

const drawn = (body: string, into: StateWord | null): Statement => {
  const [, cursor, clear, rows = ""] = /^(c[+-])?\s*(clr)?:?\s*(.*)$/s.exec(body) ?? []
  const text = rows.replace("(control bytes only)", "").replace(/^–$/, "")
  return {
    _tag: "Draw",
    cursor: cursor === undefined ? null : cursor === "c+",
    clear: clear !== undefined,
    rows: split(text, "/").flatMap(tokenOf),
    into
  }
}

const signalled = (word: string, into: StateWord | null): Statement => {
  const state = word in states ? states[word as StateWord] : word.replaceAll("'", "")
  const asks =
    state === "needs_permission"
      ? "permission"
      : state === "needs_input" || state === "has_question"
        ? "question"
        : null
  return { _tag: "Marker", data: `signal:${state}`, asks, into }
}

const transcribed = (text: string, into: StateWord | null): Statement => {
  const [, entry = "", second] = /^(.+?)(?: @([\d.]+))?$/s.exec(text) ?? []
  return { _tag: "Transcript", entry, second: second === undefined ? null : Number(second), into }
}

/** Each form of statement, with what it becomes. The first that fits is taken. */
const forms: ReadonlyArray<readonly [RegExp, (match: ReadonlyArray<string>, into: StateWord | null) => Statement]> = [
  [/^(?:@|t0=)([\d.]+)$/, ([second]) => ({ _tag: "At", second: Number(second) })],
  [/^\+([\d.]+)s$/, ([seconds]) => ({ _tag: "After", seconds: Number(seconds) })],
  [/^send$/, (_, into) => ({ _tag: "Send", into })],
  [/^in (.+)$/s, ([chunk = ""], into) => ({ _tag: "Keys", chunks: chunksOf(chunk), into })],
  [/^out\[(.*)\]$/s, ([body = ""], into) => drawn(body, into)],
  [/^poll\(dead\)→(\w+)$/, () => ({ _tag: "Marker", data: "exit", asks: null, into: "EXIT" })],
  [
    /^(?:poll(\(composing\))?→|=)([\w|]+)$/,
    ([composing, words = ""]) => ({ _tag: "Look", state: words.split("|").map(stateOf), composing: composing !== "" })
  ],
  [
    /^ready\?(\(composing\))?→([TF])$/,
    ([composing, ready]) => ({ _tag: "Ready", ready: ready === "T", composing: composing !== "" })
  ],
  [/^arrows→(CLI|recall)$/, ([where]) => ({ _tag: "Arrows", toCli: where === "CLI" })],
  [/^sig=(.+)$/, ([word = ""], into) => signalled(word, into)],
  [/^sig:=(.*)$/, ([raw], into) => ({ _tag: "Marker", data: `signal:${raw}`, asks: null, into })],
  [
    /^(hook|session|transcript)([ :])(\S.*|\{.*)$/s,
    ([source = "", mark = "", data = ""], into) =>
      source === "transcript" && mark === " "
        ? transcribed(data, into)
        : { _tag: "Marker", data: `${source}:${data}`, asks: null, into }
  ],
  [/^paint \+(\d+)s$/, ([seconds]) => ({ _tag: "Paint", seconds: Number(seconds) })],
  [/^resize (\d+)x(\d+)$/, ([rows, cols], into) => ({ _tag: "Resize", rows: Number(rows), cols: Number(cols), into })],
  [/^\[#\d+\]$/, () => ({ _tag: "Fresh" })]
]

/** Reads a trace. Throws where it says something that the notation has no word for: a row must mean what it says. */
export const parseTrace = (trace: string): ReadonlyArray<Step> =>
  split(trace, ";").flatMap((text): ReadonlyArray<Step> => {
    const [, group, rounds] = /^\((.*)\) ×(\d+)$/s.exec(text) ?? []
    if (group !== undefined) return Array.from({ length: Number(rounds) }, () => parseTrace(group)).flat()
    const [, body = "", times = "1", word] = /^(.*?)(?: ×(\d+))?(?: ⇒(\w+))?$/s.exec(text) ?? []
    const into = word === undefined ? null : stateOf(word)
    for (const [form, make] of forms) {
      const match = form.exec(body)
      if (match === null) continue
      const does = make(
        match.slice(1).map((group) => group ?? ""),
        into
      )
      if (into !== null && !("into" in does)) break
      return Array.from({ length: Number(times) }, () => ({ text, does }))
    }
    throw new Error(`the notation has no statement '${text}'`)
  })
