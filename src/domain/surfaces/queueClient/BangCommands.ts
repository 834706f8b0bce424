/** What a line that begins with `!` asks for. The names of the program that leap replaces work as they did there. */
export type BangCommand =
  | { readonly _tag: "Help" }
  | { readonly _tag: "List" }
  | { readonly _tag: "Quit" }
  | { readonly _tag: "Clear" }
  | { readonly _tag: "Interrupt" }
  | { readonly _tag: "Dismiss" }
  | { readonly _tag: "TakeImage" }
  | { readonly _tag: "Direct" | "Next" | "Answer" | "Image"; readonly text: string }
  | { readonly _tag: "Edit" | "Remove"; readonly name: string }
  | { readonly _tag: "Move"; readonly name: string; readonly position: number }
  /** Null: the next one, or all. */
  | { readonly _tag: "Force" | "Hold" | "Release" | "Retry"; readonly name: string | null }
  | { readonly _tag: "Keys"; readonly keys: ReadonlyArray<string> }
  | { readonly _tag: "AutoSend"; readonly mode: "pause" | "always" | null; readonly everywhere: boolean }
  | { readonly _tag: "Churn"; readonly mode: "wait" | "send" | null; readonly everywhere: boolean }
  | { readonly _tag: "TellSent"; readonly on: boolean | null }
  | { readonly _tag: "Wrong"; readonly why: string }

interface BangEntry {
  readonly names: ReadonlyArray<string>
  /** What stands behind the name, for the help; "" for nothing. */
  readonly takes: string
  readonly does: string
  /** The key that does it in the list of messages; "" for none. */
  readonly key: string
  readonly parse: (rest: string, name: string) => BangCommand
}

const bare =
  (tag: "Help" | "List" | "Quit" | "Clear" | "Interrupt" | "Dismiss"): BangEntry["parse"] =>
  (rest, name) =>
    rest === "" ? { _tag: tag } : { _tag: "Wrong", why: `!${name} takes nothing behind it` }

const withText =
  (tag: "Direct" | "Next" | "Answer", what: string): BangEntry["parse"] =>
  (rest, name) =>
    rest === "" ? { _tag: "Wrong", why: `!${name} takes ${what}` } : { _tag: tag, text: rest }

const withName =
  (tag: "Edit" | "Remove"): BangEntry["parse"] =>
  (rest, name) =>
    /^\S+$/.test(rest) ? { _tag: tag, name: rest } : { _tag: "Wrong", why: `!${name} takes a message's id` }

const withNameOrNone =
  (tag: "Force" | "Hold" | "Release" | "Retry"): BangEntry["parse"] =>
  (rest, name) =>
    /^\S*$/.test(rest)
      ? { _tag: tag, name: rest === "" ? null : rest }
      : { _tag: "Wrong", why: `!${name} takes one message's id, or nothing` }

/** A mode's value behind `default`, which means new sessions too. */
const mode = <M extends string>(
  rest: string,
  name: string,
  values: Readonly<Record<string, M>>
): { readonly mode: M | null; readonly everywhere: boolean } | string => {
  const words = rest
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const everywhere = words[0] === "default"
  const [word, ...more] = everywhere ? words.slice(1) : words
  if (word === undefined && !everywhere) return { mode: null, everywhere }
  const value = word === undefined ? undefined : values[word]
  return value === undefined || more.length > 0
    ? `!${name} takes ${Object.keys(values).slice(0, 2).join(" or ")}, with 'default' before it for new sessions too`
    : { mode: value, everywhere }
}

const autoSendValues = { ask: "pause", auto: "always", pause: "pause", always: "always" } as const
const churnValues = { wait: "wait", send: "send" } as const

/** All commands, in the order of the help. */
export const bangCommands: ReadonlyArray<BangEntry> = [
  { names: ["h", "help"], takes: "", does: "this help", key: "?", parse: bare("Help") },
  { names: ["l", "list"], takes: "", does: "state, modes and queue in full", key: "l", parse: bare("List") },
  { names: ["e", "edit"], takes: "ID", does: "change a message", key: "e", parse: withName("Edit") },
  { names: ["r", "remove"], takes: "ID", does: "take a message out", key: "d", parse: withName("Remove") },
  {
    names: ["m", "move"],
    takes: "ID N",
    does: "to place N among those that wait",
    key: "K J",
    parse: (rest, name) => {
      const [, id = "", position = ""] = /^(\S+)\s+(\d{1,4})$/.exec(rest) ?? []
      return id === "" || Number(position) === 0
        ? { _tag: "Wrong", why: `!${name} takes a message's id and a place, counted from 1` }
        : { _tag: "Move", name: id, position: Number(position) }
    }
  },
  {
    names: ["f", "force"],
    takes: "[ID]",
    does: "type it now, into a running turn too",
    key: "f",
    parse: withNameOrNone("Force")
  },
  { names: ["hold"], takes: "[ID]", does: "keep one back, or all", key: "h", parse: withNameOrNone("Hold") },
  { names: ["release"], takes: "[ID]", does: "let one go out, or all", key: "h", parse: withNameOrNone("Release") },
  {
    names: ["retry"],
    takes: "[ID]",
    does: "send one again whose turn failed, or all",
    key: "t T",
    parse: withNameOrNone("Retry")
  },
  { names: ["c", "clear"], takes: "", does: "empty the queue", key: "c", parse: bare("Clear") },
  {
    names: ["d", "direct"],
    takes: "TEXT",
    does: "send past the queue, now",
    key: "",
    parse: withText("Direct", "a message")
  },
  {
    names: ["n", "next"],
    takes: "TEXT",
    does: "queue it before all others",
    key: "",
    parse: withText("Next", "a message")
  },
  {
    names: ["a", "answer"],
    takes: "TEXT",
    does: "answer the dialog, also with a text",
    key: "",
    parse: withText("Answer", "an answer")
  },
  {
    names: ["i", "image"],
    takes: "[FILE]",
    does: "attach a picture; without FILE the clipboard's",
    key: "",
    parse: (rest) => (rest === "" ? { _tag: "TakeImage" } : { _tag: "Image", text: rest })
  },
  { names: ["int", "interrupt"], takes: "", does: "interrupt the turn", key: "i", parse: bare("Interrupt") },
  {
    names: ["dismiss"],
    takes: "",
    does: "put aside what it needs of you",
    key: "z",
    parse: bare("Dismiss")
  },
  {
    names: ["k", "keys"],
    takes: "KEY…",
    does: "press keys in the CLI: Esc, Enter, C-c",
    key: "",
    parse: (rest, name) =>
      rest === "" ? { _tag: "Wrong", why: `!${name} takes names of keys` } : { _tag: "Keys", keys: rest.split(/\s+/) }
  },
  {
    names: ["aa", "autoapprove", "autosend", "as"],
    takes: "[ask|auto]",
    does: "whether policy answers permissions",
    key: "a",
    parse: (rest, name) => {
      const found = mode(rest, name, autoSendValues)
      return typeof found === "string" ? { _tag: "Wrong", why: found } : { _tag: "AutoSend", ...found }
    }
  },
  {
    names: ["ch", "churn"],
    takes: "[wait|send]",
    does: "whether to send while background work lives",
    key: "",
    parse: (rest, name) => {
      const found = mode(rest, name, churnValues)
      return typeof found === "string" ? { _tag: "Wrong", why: found } : { _tag: "Churn", ...found }
    }
  },
  {
    names: ["asm", "auto-sent"],
    takes: "[on|off]",
    does: "tell of messages as they go out",
    key: "",
    parse: (rest, name) =>
      /^(on|off|)$/i.test(rest)
        ? { _tag: "TellSent", on: rest === "" ? null : rest.toLowerCase() === "on" }
        : { _tag: "Wrong", why: `!${name} takes on or off` }
  },
  {
    names: ["slack"],
    takes: "",
    does: "not in this leap",
    key: "",
    parse: () => ({ _tag: "Wrong", why: "this leap has no Slack bot" })
  },
  { names: ["x", "quit", "exit"], takes: "", does: "leave; the session goes on", key: "q", parse: bare("Quit") }
]

/** The command of an entry; null for a text that is a message. A blank before the `!` makes it one. */
export const parseBang = (text: string): BangCommand | null => {
  const line = text.trimEnd()
  const [, name = "", rest = ""] = /^!(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  if (!line.startsWith("!")) return null
  const entry = bangCommands.find(({ names }) => names.includes(name.toLowerCase()))
  return entry === undefined
    ? { _tag: "Wrong", why: `there is no !${name}; !h lists all, and a blank before the ! sends it as it is` }
    : entry.parse(rest, name.toLowerCase())
}
