import { decodeText, member, parse } from "../text/LenientJson.ts"

/** Messages that the user has saved, newest last; all sessions share them. */

const schemaVersion = 1
/** As many as anybody browses. */
const limit = 100

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
export const addSaved = (content: Uint8Array | null, text: string): Uint8Array => {
  const messages = [...readSaved(content).filter((saved) => saved !== text), text].slice(-limit)
  return new TextEncoder().encode(`${JSON.stringify({ schema: schemaVersion, messages }, null, 2)}\n`)
}
