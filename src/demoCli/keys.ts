/** Decodes the terminal's input: keys, pastes, focus reports and replies to queries. */

export type DemoKey =
  | { readonly key: DemoKeyName }
  | { readonly key: "text" | "paste"; readonly text: string }
  | { readonly key: "reply"; readonly to: "status" | "keyboard" }

export interface DecodedKeys {
  readonly keys: ReadonlyArray<DemoKey>
  readonly pending: string
}

const pasteStart = "\x1b[200~"
const pasteEnd = "\x1b[201~"

const controls = {
  "\r": "enter",
  "\n": "newline",
  "\x7f": "backspace",
  "\b": "backspace",
  "\t": "tab",
  "\x01": "home",
  "\x03": "ctrl-c",
  "\x04": "ctrl-d",
  "\x05": "end",
  "\x15": "clear"
} as const

// Keyed by parameters and final byte; the last rows are the kitty keyboard protocol's.
const sequences = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift-tab",
  I: "focus",
  O: "blur",
  "3~": "delete",
  "1~": "home",
  "4~": "end",
  "27u": "escape",
  "13u": "enter",
  "13;2u": "newline",
  "13;3u": "newline",
  "9u": "tab",
  "9;2u": "shift-tab",
  "127u": "backspace",
  "97;5u": "home",
  "99;5u": "ctrl-c",
  "100;5u": "ctrl-d",
  "101;5u": "end",
  "106;5u": "newline",
  "117;5u": "clear"
} as const

type Named<Table> = Table[keyof Table]
type DemoKeyName = Named<typeof controls> | Named<typeof sequences>

const keyIn = (table: Readonly<Record<string, DemoKeyName>>, bytes = ""): DemoKeyName | undefined => table[bytes]

const csi = /^\x1b\[([\x30-\x3f]*)[\x20-\x2f]*([\x40-\x7e])/
const stringSequence = /^\x1b[\]P_^X]([\s\S]*?)(?:\x07|\x1b\\)/
const unfinished = /^\x1b(?:$|O$|\[[\x30-\x3f]*[\x20-\x2f]*$|[\]P_^X])/
const plain = /^[^\x00-\x1f\x7f]+/
/** The reply of a terminal that shows program status. */
const programStatusReply = "7501;?"

export const decode = (pending: string, chunk: string): DecodedKeys => {
  const keys: Array<DemoKey> = []
  let rest = pending + chunk
  const named = (key: DemoKeyName | undefined) => {
    if (key !== undefined) keys.push({ key })
  }
  while (rest !== "") {
    if (rest.startsWith(pasteStart)) {
      const end = rest.indexOf(pasteEnd)
      if (end < 0) break
      keys.push({ key: "paste", text: rest.slice(pasteStart.length, end).replaceAll(/\r\n?/g, "\n") })
      rest = rest.slice(end + pasteEnd.length)
      continue
    }
    const run = plain.exec(rest)
    if (run !== null) {
      keys.push({ key: "text", text: run[0] })
      rest = rest.slice(run[0].length)
      continue
    }
    if (rest[0] !== "\x1b") {
      named(keyIn(controls, rest[0]))
      rest = rest.slice(1)
      continue
    }
    const sequence = csi.exec(rest)
    if (sequence !== null) {
      const [whole, parameters = "", final = ""] = sequence
      if (final === "u" && parameters.startsWith("?")) keys.push({ key: "reply", to: "keyboard" })
      else named(keyIn(sequences, parameters + final))
      rest = rest.slice(whole.length)
      continue
    }
    const string = stringSequence.exec(rest)
    if (string !== null) {
      if (string[1] === programStatusReply) keys.push({ key: "reply", to: "status" })
      rest = rest.slice(string[0].length)
      continue
    }
    if (unfinished.test(rest)) break
    if (rest.startsWith("\x1b\x1b")) {
      named("escape")
      rest = rest.slice(1)
      continue
    }
    if (rest[1] === "O") named(keyIn(sequences, rest[2]))
    else if (rest[1] === "\r") named("newline")
    rest = rest.slice(rest[1] === "O" ? 3 : 2)
  }
  return { keys, pending: rest }
}

/**
 * Decodes the unfinished input after a pause. A lone ESC is the Escape key. An unfinished paste stays pending. Any
 * other unfinished sequence is dropped.
 */
export const flushPending = (pending: string): DecodedKeys =>
  pending.startsWith(pasteStart)
    ? { keys: [], pending }
    : { keys: pending === "\x1b" ? [{ key: "escape" }] : [], pending: "" }
