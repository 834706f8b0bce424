import { type ToolRequest, urlsOf } from "../../rules/policy/ToolRequest.ts"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { exactJson } from "../../words/reading/ExactJson.ts"
import { commandLineOf, patchPaths } from "./RequestReading.ts"

/** Where a payload has the arguments of its tool, and what in them is no matter of permissions. */
export interface RequestShape {
  /** The tool's arguments as the payload has them. */
  readonly inputs: (event: string, payload: unknown) => ReadonlyArray<unknown>
  /** The fields of an event's payload itself whose names are those of arguments elsewhere. */
  readonly envelope: (event: string) => ReadonlyArray<string>
  /** Arguments that do nothing by themselves, whatever they say: contents, descriptions. By tool; `*`: of all tools. */
  readonly inert: Readonly<Record<string, ReadonlyArray<string>>>
  /** The tools that need to name neither a file nor an address. */
  readonly bare: ReadonlyArray<string>
}

/** What a request's reader did not take from its payload. */
export interface Remainder {
  /** For people: what may be a command, a file or an address, and is in no field of the request. */
  readonly unread: ReadonlyArray<string>
  /** The same for a tool of which any argument may be anything. */
  readonly carried: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

/** Names under which a tool is told what to do, and to what. */
const telling = new RegExp(
  "comm?a?nd|cmd|script|shell|exec|program|argv|args|arguments|input|patch|path|file|dir|folder|notebook|target|dest|" +
    "source|glob|include|cwd|env|ur[il]|href|link|host|address|tool|proto",
  "i"
)
/** The same among the payload's own fields, which are many: these names alone. */
const strayed = new RegExp(
  "^(?:command|cmd|script|tool|tool_?(?:name|input|args)|arguments|args|input|patch|" +
    "(?:file|notebook)_?path|paths?|files?|urls?|uri)$",
  "i"
)
/** One word that is no path and no address: an id, a mode, a number. */
const isPlain = (text: string): boolean => /^[\w-]{0,80}$/.test(text)

/** More than this is not looked through. */
const mostValues = 10_000
const mostTexts = 200
const longestText = 4_096

/** Names of what runs, and of what is reached: what a request says elsewhere is no account of them. */
const runs = /comm?a?nd|cmd|script|shell|exec|program|argv|args/i
const reaches = /ur[il]|href|link|host|address/i

/** Whether a request already says a text under a name: the same text may be a file here and an address there. */
const accountOf = (request: ToolRequest) => {
  const commands = new Set([
    // the first of a patch's words is its tool
    ...(request.kind === "edit" ? [request.tool] : []),
    ...(request.command === null ? [] : [request.command])
  ])
  const addresses = new Set([...commands, ...urlsOf(request)])
  const said = new Set([
    ...addresses,
    ...request.paths,
    ...(request.globs ?? []),
    // where a tool of the CLI's own works; what another's does with that path is not known
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

/** What is left of a payload beside what the request says of it. */
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
    // a text that is no JSON is an argument itself
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
        // a list is not what is expected under a name that does nothing
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
