import { decodeText, member, parse } from "../../words/text/LenientJson.ts"

/** Messages that the user has saved, which all sessions share, and those that a session's were left; newest last. */

const schemaVersion = 1
/** As many as anybody browses. */
const savedMost = 100
/** So many that were left are kept a session. */
export const leftMost = 20

/** The messages in a file's content, each that can be read. Total. */
export const readSaved = (content: Uint8Array | null): ReadonlyArray<string> => {
  if (content === null) return []
  const { exact, text } = decodeText(content)
  const list = member(parse(text, exact).root, "messages")
  return list?.kind !== "array"
    ? []
    : list.items.flatMap((item) =>
        item.kind === "leaf" && item.whole && typeof item.value === "string" ? [item.value] : []
      )
}

/** The content with one more message; one that is there already becomes the newest. */
export const addSaved = (content: Uint8Array | null, text: string, most = savedMost): Uint8Array =>
  encode([...readSaved(content).filter((saved) => saved !== text), text].slice(-most))

/** The content without a message. */
export const withoutSaved = (content: Uint8Array | null, text: string): Uint8Array =>
  encode(readSaved(content).filter((saved) => saved !== text))

const encode = (messages: ReadonlyArray<string>): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ schema: schemaVersion, messages }, null, 2)}\n`)
