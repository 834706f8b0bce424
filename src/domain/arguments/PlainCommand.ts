import type { Modes } from "../session/Session.ts"
import { sessionStates } from "../session/states.ts"
import { commandNames, tagLength, tagPattern } from "../session/tagRules.ts"

interface OfSession {
  readonly tag: string
  readonly json: boolean
}

/** A command in the form that scripts give it, of one session, or `status` of all. */
export type PlainCommand =
  | { readonly name: "statuses"; readonly json: boolean }
  | ({ readonly name: "status" | "queue" | "screen" | "last" | "interrupt" } & OfSession)
  /** `until`: null for the end of the turn. */
  | ({ readonly name: "wait"; readonly until: ReadonlySet<string> | null } & OfSession)
  | ({ readonly name: "answer"; readonly answer: string } & OfSession)
  | ({ readonly name: "mode"; readonly change: Partial<Modes> } & OfSession)
  | ({ readonly name: "send"; readonly text: string; readonly front: boolean; readonly force: boolean } & OfSession)

/** Words after `leap queue` that are no tags. */
export const queueVerbs: ReadonlySet<string> = new Set([
  "edit",
  "move",
  "remove",
  "clear",
  "hold",
  "release",
  "retry",
  "force",
  "show",
  "list"
])

/** Flags and operands, each flag once and known; null for anything else, which the whole parser explains. */
const split = (words: ReadonlyArray<string>, toggles: ReadonlyArray<string>, valued: ReadonlyArray<string>) => {
  const operands: Array<string> = []
  const flags = new Map<string, string>()
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (!word.startsWith("-")) operands.push(word)
    else if (flags.has(word)) return null
    else if (toggles.includes(word)) flags.set(word, "")
    else if (valued.includes(word) && words[i + 1]?.startsWith("-") === false) flags.set(word, words[++i]!)
    else return null
  }
  return { operands, flags }
}

const isTag = (word: string): boolean =>
  tagPattern.test(word) && word.length <= tagLength && !(commandNames as ReadonlyArray<string>).includes(word)

const seconds = /^\d{1,9}(\.\d{1,9})?$/

const untilOf = (list: string): ReadonlySet<string> | null => {
  const states = list.split(",").map((state) => state.trim())
  return states.every((state) => (sessionStates as ReadonlyArray<string>).includes(state)) ? new Set(states) : null
}

const oneOf = <A extends string>(value: string | undefined, known: ReadonlyArray<A>): A | undefined | null =>
  value === undefined ? undefined : (known.find((one) => one === value) ?? null)

/**
 * Reads a command line that is in plain form: a command that scripts call, with flags that need no explanation. Null
 * for every other one, right or wrong; what is given is what the whole parser would read.
 */
export const plainCommand = (argv: ReadonlyArray<string>): PlainCommand | null => {
  const [name, ...words] = argv
  const valued = name === "wait" ? ["--until", "--timeout"] : name === "mode" ? ["--auto-send", "--churn"] : []
  const parts = split(words, name === "send" ? ["--json", "--front", "--force"] : ["--json"], valued)
  if (parts === null) return null
  const { flags } = parts
  const json = flags.has("--json")
  const isShow = name === "queue" && parts.operands[0] === "show"
  const operands = isShow ? parts.operands.slice(1) : parts.operands
  const [tag, ...rest] = operands
  if (tag === undefined) return name === "status" ? { name: "statuses", json } : null
  if (!isTag(tag) || (name === "queue" && queueVerbs.has(tag))) return null
  switch (name) {
    case "status":
    case "queue":
    case "screen":
    case "last":
      return rest.length === 0 ? { name, tag, json } : null
    case "interrupt":
      return rest.length === 0 && !json ? { name, tag, json } : null
    case "answer":
      return rest.length === 1 ? { name, tag, json, answer: rest[0]! } : null
    case "send": {
      const text = rest.join(" ")
      if (text.trim() === "" || text === "-") return null
      return { name, tag, json, text, front: flags.has("--front"), force: flags.has("--force") }
    }
    case "wait": {
      const list = flags.get("--until")
      const until = list === undefined ? null : untilOf(list)
      const timeout = flags.get("--timeout") ?? "1"
      if (rest.length > 0 || (list !== undefined && until === null)) return null
      return seconds.test(timeout) && Number(timeout) > 0 ? { name, tag, json, until } : null
    }
    case "mode": {
      const autoSend = oneOf(flags.get("--auto-send"), ["pause", "always"] as const)
      const churn = oneOf(flags.get("--churn"), ["wait", "send"] as const)
      if (rest.length > 0 || autoSend === null || churn === null) return null
      const change = { ...(autoSend === undefined ? {} : { autoSend }), ...(churn === undefined ? {} : { churn }) }
      return { name, tag, json, change }
    }
    default:
      return null
  }
}
