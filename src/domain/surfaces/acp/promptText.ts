import { Result } from "effect"
import type { PromptPart } from "./Updates.ts"

/** The path of a file URI; other URIs are unchanged. */
const placeOf = (uri: string): string => {
  const path = /^file:\/\/(?:localhost)?(\/[^?#]*)/.exec(uri)?.[1]
  if (path === undefined) return uri
  return Result.getOrElse(
    Result.try(() => decodeURIComponent(path)),
    () => path
  )
}

/** An editor's message as leap types it, with paths instead of links. Fails on parts that cannot be typed. */
export const promptText = (parts: ReadonlyArray<PromptPart>): Result.Result<string, string> => {
  const other = parts.find(({ type }) => type === "image" || type === "audio" || type === "resource")
  if (other !== undefined)
    return Result.fail(`leap takes texts and links to files in a message, and no ${other.type} (it announced so)`)
  const text = parts
    .map((part) => (part.type === "text" ? part.text : part.type === "resource_link" ? placeOf(part.uri) : ""))
    .join("")
    .trim()
  return text === "" ? Result.fail("the message is empty") : Result.succeed(text)
}
