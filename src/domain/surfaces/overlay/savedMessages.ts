import { decodeText, member, parse } from "../../words/formats/LenientJson.ts"

/** Messages that the user has saved, shared by all sessions, and a session's unfinished messages; newest last. */

const schemaVersion = 1
const savedMost = 100
export const leftMost = 20

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

/** The content with one more message. A message that is already there becomes the newest. */
export const addSaved = (content: Uint8Array | null, text: string, most = savedMost): Uint8Array =>
  encode([...readSaved(content).filter((saved) => saved !== text), text].slice(-most))

export const withoutSaved = (content: Uint8Array | null, text: string): Uint8Array =>
  encode(readSaved(content).filter((saved) => saved !== text))

const encode = (messages: ReadonlyArray<string>): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ schema: schemaVersion, messages }, null, 2)}\n`)
