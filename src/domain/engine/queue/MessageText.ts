import { Result } from "effect"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { letterHeader } from "./AgentMessageHeader.ts"

/** The longest accepted message, in UTF-16 units. */
export const maxLength = 1_000_000

const escape = "\u001b"
const pasteStart = `${escape}[200~`
const pasteEnd = `${escape}[201~`

// Whole sequences first, so that no visible rest of them ("[31m") stays; then every other control.
const sequences = new RegExp(
  [
    `(?:${escape}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|${escape}\\\\|\u009c)`,
    `(?:${escape}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${escape}[ -/]+[0-~]`
  ].join("|"),
  "g"
)
const controls = /[^\P{Cc}\n\t]/gu

/** Only blanks and characters without a shape: no box shows such a text, and CLIs take it for empty. */
const unseen = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u

/** A text as it is stored and typed, and a note for its author on the changes. */
export interface CleanText {
  readonly text: string
  readonly note: string | null
}

/** Removes terminal sequences and every control but newline and tab: none may reach a CLI as a key. */
export const stripControls = (text: string): string => text.replace(sequences, "").replace(controls, "")

/** The stored form: well-formed Unicode, `\n` line ends, no controls, no trailing blanks; or why it cannot be sent. */
export const cleanText = (raw: string): Result.Result<CleanText, string> => {
  if (raw.length > maxLength) {
    return Result.fail(`the message is too long: ${raw.length} characters, at most ${maxLength} are taken`)
  }
  const lines = raw.toWellFormed().replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
  const stripped = stripControls(lines)
  const text = stripped.replace(/[ \t\n]+$/, "")
  if (text.trim() === "") return Result.fail("the message is empty")
  return unseen.test(text)
    ? Result.fail("the message is empty: it has nothing but characters that nobody sees")
    : Result.succeed({
        text,
        note: stripped === lines ? null : "terminal control characters were taken out of the message"
      })
}

const mentioned = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`)

/** The text to type: the agent that wrote the message, the message's text, and a line for each picture's file. */
export const deliveredText = (
  message: Pick<QueuedMessage, "id" | "text" | "images" | "from" | "hops">,
  protocol: Pick<InputProtocol, "picture"> = {}
): string => {
  const { picture } = protocol
  const mention = picture !== undefined && "mention" in picture ? picture.mention : mentioned
  return [letterHeader(message) ?? "", message.text, ...message.images.map(mention)]
    .filter((part) => part !== "")
    .join("\n")
}

const pictureLine = /^@(?:"([^"\n]+)"|((?:\\.|[^\s\\])+))$/
const pictureFile = /\.(?:png|jpe?g|gif|webp)$/i

/** The path of the picture's file that is all a line mentions; null for any other line. */
const pictureOf = (line: string): string | null => {
  const match = pictureLine.exec(line)
  const path = match?.[1] ?? match?.[2]?.replaceAll(/\\(.)/g, "$1") ?? null
  return path !== null && pictureFile.test(path) ? path : null
}

/** The text is only the path of a picture's file. CLIs may take such a paste for the picture itself. */
export const isPicturePath = (text: string): boolean =>
  /^(?:~|\.{0,2})\/[^\n]+$/.test(text.trim()) && pictureFile.test(text.trim())

/** If the draft has a placeholder for each picture, `shows` must recognize the rest of the text, else all of it. */
export const showsPictures =
  (placeholder: RegExp, shows: InputProtocol["showsPasted"]): InputProtocol["showsPasted"] =>
  (draft, text) => {
    const lines = isPicturePath(text) ? [`@"${text.trim()}"`] : text.split("\n")
    const rest = lines.filter((line) => pictureOf(line) === null)
    const pictures = lines.length - rest.length
    const found = draft.match(placeholder)?.length ?? 0
    if (pictures === 0 || found !== pictures) return shows(draft, text)
    const words = draft.replaceAll(placeholder, " ").trim()
    return rest.join("").trim() === "" ? words === "" : shows(words, rest.join("\n"))
  }

/**
 * The bytes that put a text into a CLI's box, or why this is impossible. The text is stripped again here: whatever the
 * queue's file contains, nothing can end the paste early or act as a key.
 */
export const keysFor = (
  protocol: Pick<InputProtocol, "bracketedPaste">,
  text: string
): Result.Result<string, string> => {
  // Several CLIs read a backslash before Enter as "new line"; a blank after it prevents that.
  const safe = stripControls(text) + (text.endsWith("\\") ? " " : "")
  if (protocol.bracketedPaste) return Result.succeed(pasteStart + safe + pasteEnd)
  return safe.includes("\n")
    ? Result.fail("this CLI does not understand pasted text, so a message of several lines cannot be typed into it")
    : Result.succeed(safe.replaceAll("\t", "    "))
}

/** The word at the end of a text that may open a menu of names (files, issues). A blank after it closes the menu. */
const named = /(?:@(?:"[^"\n]*"?|\S*)|(?:^|\s)#\S*)$/

/**
 * The bytes that put a message into a CLI's box, with each picture attached in the CLI's way; or why they cannot.
 * Blanks between and after pastes are typed as keys: a box that folds a long paste shows its exact length.
 */
export const messageKeys = (
  protocol: Pick<InputProtocol, "bracketedPaste" | "picture" | "typed">,
  text: string
): Result.Result<string, string> => {
  const { picture } = protocol
  if (protocol.typed?.(text) === true) return keysFor({ bracketedPaste: false }, text)
  const end = named.test(text) ? " " : ""
  const whole = () => Result.map(keysFor(protocol, text), (keys) => keys + end)
  if (picture === undefined || "mention" in picture || !protocol.bracketedPaste) return whole()
  const parts: Array<{ readonly picture: boolean; readonly lines: Array<string> }> = []
  for (const line of text.split("\n")) {
    const path = pictureOf(line)
    const before = parts.at(-1)
    if (path !== null) parts.push({ picture: true, lines: [picture.pasted(path)] })
    else if (before?.picture === false) before.lines.push(line)
    else parts.push({ picture: false, lines: [line] })
  }
  if (!parts.some((part) => part.picture)) return whole()
  const pastes = parts.map(({ lines }) => keysFor(protocol, lines.join("\n")))
  return Result.all(pastes).pipe(Result.map((keys) => keys.join(" ") + (parts.at(-1)?.picture === false ? end : "")))
}
