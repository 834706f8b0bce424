import { Option, Schema } from "effect"
import type { ToolRequest } from "./ToolRequest.ts"

/** What the readers of several CLIs' requests share. All of it is total. */

export type Fields = Readonly<Record<string, unknown>>

/** An object's fields; none for anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

/** A text that says something, or null. */
export const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

/** The texts of a list, or of a single text. */
export const texts = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value : [value]).flatMap((one) => text(one) ?? [])

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The fields of a tool's arguments, which some CLIs tell as JSON in a string. */
export const argumentsOf = (value: unknown): Fields =>
  typeof value === "string" ? fieldsOf(Option.getOrNull(decode(value))) : fieldsOf(value)

/** A request, from what is known of it. */
export const requestOf = (
  known: Pick<ToolRequest, "tool" | "kind"> & Partial<ToolRequest>
): ToolRequest => ({ command: null, paths: [], url: null, agent: null, cwd: "", ...known })

/** The text of the first of these fields that has one. */
export const firstText = (fields: Fields, ...names: ReadonlyArray<string>): string | null => {
  for (const name of names) {
    const found = text(fields[name])
    if (found !== null) return found
  }
  return null
}

const patched = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): *(\S.*?)\s*$/gm

/** The files that a patch in the `*** Begin Patch` form names, in its order. */
export const patchPaths = (patch: string): ReadonlyArray<string> => [...new Set([...patch.matchAll(patched)].flatMap(([, path]) => path ?? []))]

/** The files that a command line names by a patch in it. */
export const patchPathsIn = (command: string | null): ReadonlyArray<string> =>
  command?.includes("*** Begin Patch") === true ? patchPaths(command) : []

const isShell = /(?:^|[/\\])(?:sh|bash|dash|zsh|fish|ksh)$/
const plain = /^[\w@%+=:,./-]+$/
const quoted = (word: string): string => plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The command line in an argument: as it stands, or of a list of words, in which a shell may be given it. */
export const commandLineOf = (value: unknown): string | null => {
  if (!Array.isArray(value)) return text(value)
  const words = value.filter((word) => typeof word === "string")
  if (words.length === 0 || words.length < value.length) return null
  const [program = "", option = "", script] = words
  return isShell.test(program) && /^-[a-z]*c$/.test(option) && script !== undefined && words.length === 3
    ? script
    : words.map(quoted).join(" ")
}
