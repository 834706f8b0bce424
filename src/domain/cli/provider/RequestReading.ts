import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { type Fields, fieldsOf, nonEmptyOf } from "../../words/reading/Fields.ts"
import { exactJson } from "../../words/formats/ExactJson.ts"
import { shellWords } from "../../words/text/shellWord.ts"
import { absolutePath } from "../../words/text/paths.ts"

/** The non-empty texts in a list, or a single text as a list. */
export const texts = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => nonEmptyOf(item) ?? [])

/** The fields of a tool's arguments, which some CLIs send as JSON in a string. */
export const argumentsOf = (value: unknown): Fields =>
  typeof value === "string" ? fieldsOf(exactJson(value).value) : fieldsOf(value)

/** Tools that look through the session's directory when they are told no other one. */
const searching =
  /^(?:glob|grep|rg|ls|list|find|(?:list|grep|semantic|code|file)_?(?:dir|directory|files|search)|search(?:_\w+)?)$/i

/** A request with these fields; the others are empty, but a search without a path has `.`. */
export const requestOf = (fields: Pick<ToolRequest, "tool" | "kind"> & Partial<ToolRequest>): ToolRequest => ({
  command: null,
  url: null,
  agent: null,
  cwd: "",
  ...fields,
  paths:
    fields.kind === "read" && (fields.paths ?? []).length === 0 && searching.test(fields.tool)
      ? ["."]
      : (fields.paths ?? [])
})

/** The directory of a command, which it may name itself. */
export const directoryOf = (cwd: string, own: string | null): string => (own === null ? cwd : absolutePath(cwd, own))

/** A request's patterns of files; none for no text. */
export const globsOf = (...globs: ReadonlyArray<unknown>): Partial<Pick<ToolRequest, "globs">> => {
  const found = globs.flatMap(texts)
  return found.length === 0 ? {} : { globs: found }
}

/** The first of these fields that is a non-empty text; null for none. */
export const firstText = (fields: Fields, ...names: ReadonlyArray<string>): string | null => {
  for (const name of names) {
    const found = nonEmptyOf(fields[name])
    if (found !== null) return found
  }
  return null
}

const patchedFile = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): *(\S[^]*)$/

/** The files of a `*** Begin Patch` patch, in order; only a line feed ends a line, other breaks are in names. */
export const patchPaths = (patch: string): ReadonlyArray<string> => [
  ...new Set(
    patch.split("\n").flatMap((line) => {
      const path = patchedFile.exec(line)?.[1]?.trim()
      return path === undefined ? [] : [path]
    })
  )
]

/** The files named by a patch within a command line. */
export const patchPathsIn = (command: string | null): ReadonlyArray<string> =>
  command?.includes("*** Begin Patch") === true ? patchPaths(command) : []

const isShell = /(?:^|[/\\])(?:sh|bash|dash|zsh|fish|ksh)$/

/** A command line: a string, a list of words quoted and joined, or the script of a list that runs `sh -c script`. */
export const commandLineOf = (value: unknown): string | null => {
  if (!Array.isArray(value)) return nonEmptyOf(value)
  const words = value.filter((word) => typeof word === "string")
  if (words.length === 0 || words.length < value.length) return null
  const [program = "", option = "", script] = words
  return isShell.test(program) && /^-[a-z]*c$/.test(option) && script !== undefined && words.length === 3
    ? script
    : shellWords(words)
}
