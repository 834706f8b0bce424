import { Result } from "effect"
import type { InputProtocol } from "./InputProtocol.ts"
import type { QueuedMessage } from "./Message.ts"

/** Longest message that is accepted, in UTF-16 units. */
export const maxLength = 1_000_000

const escape = "\u001b"
const pasteStart = `${escape}[200~`
const pasteEnd = `${escape}[201~`

// Whole sequences first, so that no visible remains of them ("[31m") stay behind; then every control that is left.
const sequences = new RegExp(
  [
    `(?:${escape}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|${escape}\\\\|\u009c)`,
    `(?:${escape}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${escape}[ -/]+[0-~]`
  ].join("|"),
  "g"
)
const controls = /[^\P{Cc}\n\t]/gu

/** A text as it is kept and typed, and what was changed in it that its author should know. */
export interface CleanText {
  readonly text: string
  readonly note: string | null
}

/** Removes terminal sequences and every control but newline and tab: none may reach a CLI as a key. */
export const stripControls = (text: string): string => text.replace(sequences, "").replace(controls, "")

/**
 * Brings a text into the form in which messages are kept: well-formed Unicode, `\n` line ends, no controls, no blanks
 * at the end. Fails, with why, for a text that cannot be sent.
 */
export const cleanText = (raw: string): Result.Result<CleanText, string> => {
  if (raw.length > maxLength) {
    return Result.fail(`the message is too long: ${raw.length} characters, at most ${maxLength} are taken`)
  }
  const lines = raw.toWellFormed().replace(/\r\n?|\u0085/g, "\n")
  const stripped = stripControls(lines)
  const text = stripped.replace(/[ \t\n]+$/, "")
  return text.trim() === ""
    ? Result.fail("the message is empty")
    : Result.succeed({ text, note: stripped === lines ? null : "terminal control characters were taken out of the message" })
}

/** What is typed for a message: its text, and a mention of each image's file. */
export const deliveredText = (message: Pick<QueuedMessage, "text" | "images">): string =>
  [message.text, ...message.images.map((path) => /\s/.test(path) ? `@"${path}"` : `@${path}`)]
    .filter((part) => part !== "").join("\n")

/**
 * The bytes that put a text into a CLI's box, or why they cannot. The text is stripped once more here, so that whatever
 * the queue's file was made to hold, nothing can end the paste early or act as a key.
 */
export const keysFor = (
  protocol: Pick<InputProtocol, "bracketedPaste">,
  text: string
): Result.Result<string, string> => {
  // A backslash before Enter means "new line" to several CLIs; a blank behind it takes that meaning away.
  const safe = stripControls(text) + (text.endsWith("\\") ? " " : "")
  if (protocol.bracketedPaste) return Result.succeed(pasteStart + safe + pasteEnd)
  return safe.includes("\n")
    ? Result.fail("this CLI does not understand pasted text, so a message of several lines cannot be typed into it")
    : Result.succeed(safe.replaceAll("\t", "    "))
}
