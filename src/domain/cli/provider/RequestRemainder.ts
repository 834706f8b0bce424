import { type ToolRequest, urlsOf } from "../../policy/ToolRequest.ts"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { exactJson } from "../../words/formats/ExactJson.ts"
import { commandLineOf, patchPaths } from "./RequestReading.ts"

/** A payload's tool arguments, and which do not matter for permissions. `bare`: tools that may name no file. */
export interface RequestShape {
  readonly inputs: (event: string, payload: unknown) => ReadonlyArray<unknown>
  /** Fields of the event's payload whose names are arguments elsewhere. */
  readonly envelope: (event: string) => ReadonlyArray<string>
  /** Arguments without an effect of their own: contents, descriptions. By tool; `*`: all tools. */
  readonly inert: Readonly<Record<string, ReadonlyArray<string>>>
  readonly bare: ReadonlyArray<string>
}

export interface Remainder {
  /** Possible commands, files or addresses that are in no field of the request, for people. */
  readonly unread: ReadonlyArray<string>
  /** The same for a tool of which any argument may be anything. */
  readonly carried: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

/** Names of arguments that tell a tool what to do, and to what. */
const telling = new RegExp(
  "comm?a?nd|cmd|script|shell|exec|program|argv|args|arguments|input|patch|path|file|dir|folder|notebook|target|dest|" +
    "source|glob|include|cwd|env|ur[il]|href|link|host|address|tool|proto",
  "i"
)
/** Such names among the payload's own many fields: only these count. */
const strayed = new RegExp(
  "^(?:command|cmd|script|tool|tool_?(?:name|input|args)|arguments|args|input|patch|" +
    "(?:file|notebook)_?path|paths?|files?|urls?|uri)$",
  "i"
)
/** One word that is no path and no address: an id, a mode, a number. */
const isPlain = (text: string): boolean => /^[\w-]{0,80}$/.test(text)

/** The limits of the search. */
const mostValues = 10_000
const mostTexts = 200
const longestText = 4_096

/** Names of commands and of addresses: the same text in another field of the request does not cover them. */
const runs = /comm?a?nd|cmd|script|shell|exec|program|argv|args/i
const reaches = /ur[il]|href|link|host|address/i

/** Whether a request already contains a text under a name: the same text may be a file here and an address there. */
const accountOf = (request: ToolRequest) => {
  const commands = new Set([
    // The first word of a patch is its tool.
    ...(request.kind === "edit" ? [request.tool] : []),
    ...(request.command === null ? [] : [request.command])
  ])
  const addresses = new Set([...commands, ...urlsOf(request)])
  const said = new Set([
    ...addresses,
    ...request.paths,
    ...(request.globs ?? []),
    // The CLI's own tools work there; another's use of that path is unknown.
    ...(isKnown(request) ? [request.cwd] : [])
  ])
  return (name: string, text: string): boolean => {
    if (text === "") return true
    const isAddress = reaches.test(name) || /^[a-z][\w+.-]*:\/\//i.test(text)
    const isRun = runs.test(name)
    if ((isAddress ? addresses : isRun ? commands : said).has(text)) return true
    if (!isAddress && !isRun && request.kind === "command" && request.cwd.endsWith(`/${text}`)) return true
    const files = text.includes("*** ") ? patchPaths(text) : []
    return files.length > 0 && files.every((file) => request.paths.includes(file))
  }
}

const isKnown = ({ kind }: ToolRequest): boolean =>
  kind === "command" || kind === "read" || kind === "edit" || kind === "fetch"

export const remainderOf = (
  event: string,
  payload: unknown,
  request: ToolRequest,
  { bare, envelope, inert, inputs }: RequestShape
): Remainder => {
  const unread: Array<string> = []
  const carried: Array<{ readonly name: string; readonly text: string }> = []
  const accounts = accountOf(request)
  const isInert = new Set([...(inert["*"] ?? []), ...(Object.hasOwn(inert, request.tool) ? inert[request.tool]! : [])])
  const known = isKnown(request)
  const miss = (name: string, text: string): void => {
    if (known) unread.push(`its ${JSON.stringify(name.slice(0, 40))}`)
    else carried.push({ name, text })
  }

  const given = inputs(event, payload).filter((value) => value !== undefined && value !== null)
  const queue: Array<{ readonly name: string; readonly value: unknown }> = []
  for (const value of given) {
    const json = typeof value === "string" ? exactJson(value) : null
    // A text that is no JSON is an argument itself.
    if (json === null || !json.isJson) queue.push({ name: "input", value })
    else {
      queue.push({ name: "input", value: json.value })
      if (json.flaw !== null) unread.push(json.flaw)
    }
  }
  const top = fieldsOf(payload)
  const own = envelope(event)
  for (const name of Object.keys(top))
    if (strayed.test(name) && !own.includes(name)) {
      if (/^tool/i.test(name) && top[name] !== request.tool) unread.push(`its ${JSON.stringify(name)}`)
      queue.push({ name, value: top[name] })
    }

  for (let i = 0; i < queue.length; i++) {
    if (queue.length > mostValues || carried.length > mostTexts) {
      unread.push("so many arguments")
      break
    }
    const { name, value } = queue[i]!
    if (typeof value === "string") {
      if (isInert.has(name) || accounts(name, value) || (isPlain(value) && !telling.test(name))) continue
      if (known || value.length <= longestText) miss(name, value)
      else if (telling.test(name)) unread.push(`its long ${JSON.stringify(name.slice(0, 40))}`)
    } else if (Array.isArray(value)) {
      if (value.length > mostValues) unread.push(`its long ${JSON.stringify(name.slice(0, 40))}`)
      else if (request.command === null || commandLineOf(value) !== request.command)
        // A list is unexpected under an inert name, so it is read.
        for (const item of value) queue.push({ name: isInert.has(name) ? "" : name, value: item })
    } else if (typeof value === "number") {
      if (known && telling.test(name) && !isInert.has(name)) miss(name, String(value))
    } else for (const [inner, item] of Object.entries(fieldsOf(value))) queue.push({ name: inner, value: item })
  }

  if (known) {
    const named = request.kind === "fetch" ? urlsOf(request) : request.paths
    if (request.kind === "command") {
      if (request.command === null) unread.push("its command")
    } else if (named.length === 0 && !bare.includes(request.tool))
      unread.push(request.kind === "fetch" ? "its address" : "its file")
    else if (given.length === 0 || given.some((value) => typeof value !== "object" && typeof value !== "string"))
      unread.push("its arguments")
  }
  return { unread: [...new Set(unread)].slice(0, 10), carried }
}
