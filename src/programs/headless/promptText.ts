import { Effect, FileSystem, Option } from "effect"
import type { AgentProviderShape } from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { notUtf8, utf8Text } from "../../domain/words/text/utf8Text.ts"
import { fail } from "../exit.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"

/** The longest prompt, in bytes: a longer one is refused, not truncated. */
const promptLimit = 16 << 20

export const isBlank = (text: string): boolean => text.trim() === ""

/** The newline at the end of a file is not part of a prompt. */
const withoutNewline = (text: string): string => text.replace(/\r?\n$/, "")

export const fileText = Effect.fnUntraced(function* (option: string, path: string) {
  const files = yield* FileSystem.FileSystem
  const { cwd } = yield* System
  const file = absolutePath(cwd, path)
  const bytes = yield* files.readFile(file).pipe(
    Effect.mapError((error) => {
      const why = error.reason._tag === "NotFound" ? "there is no such file" : error.message
      return fail("usage", `${option}: '${path}' cannot be read: ${why}`)
    })
  )
  const text = utf8Text(bytes)
  return typeof text === "string" ? text : yield* fail("usage", `${option}: ${notUtf8(`'${path}'`, text.at)}`)
})

export interface Asked {
  readonly prompt: string
  readonly data: string
}

/** The prompt for this provider, with data that attaches no files. Prints a note if that changes the text. */
export const promptFor = Effect.fnUntraced(function* (
  { data, prompt }: Asked,
  { displayName, inert }: Pick<AgentProviderShape, "displayName" | "inert">
) {
  const text = inert?.(data) ?? data
  if (text !== data)
    yield* (yield* Output).note(
      `leap: each @ in what was piped in that ${displayName} could take for a file goes out as \\@; no file is read for it`
    )
  return text === "" ? prompt : `${prompt}\n${text}`
})

/** The prompt from the argument or the file, with piped input as data; or all of standard input. */
export const askedOf = Effect.fnUntraced(function* (argument: Option.Option<string>, path: Option.Option<string>) {
  const output = yield* Output
  if (Option.isSome(argument) && Option.isSome(path))
    return yield* fail("usage", "--prompt-file: there is a prompt as an argument too; which one is meant?")
  if (Option.isNone(argument) && Option.isNone(path) && output.inputIsTerminal)
    return yield* fail("usage", "there is no prompt; give one, or - for standard input")
  const inFile = Option.isNone(path) ? null : withoutNewline(yield* fileText("--prompt-file", path.value))
  const asked = inFile ?? (Option.isSome(argument) && argument.value !== "-" ? argument.value : null)
  const input = withoutNewline(yield* asked === null ? output.stdin : output.piped)
  if (new TextEncoder().encode(`${asked ?? ""}${input}`).length > promptLimit)
    return yield* fail("usage", "the prompt is longer than 16 MiB; put it in a file, and name the file")
  // input alone is the prompt itself
  return (
    asked === null || isBlank(asked)
      ? { prompt: input, data: "" }
      : { prompt: asked, data: isBlank(input) ? "" : input }
  ) satisfies Asked
})
