import { Result } from "effect"
import { splitWords } from "../text/splitWords.ts"

/** The program that shows a directory to the user. `from`: what names it. */
export interface EditorProgram {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly from: string
  /** It draws in the terminal, as far as its name tells. */
  readonly inTerminal: boolean
}

/** Editors that draw in the terminal that they are started in. */
const terminalEditors: ReadonlySet<string> = new Set(
  "vi vim nvim view nano pico emacs micro hx helix kak kakoune joe jed mcedit ed ex ne mg vile zile".split(" ")
)

const drawsInTerminal = (command: string, args: ReadonlyArray<string>): boolean => {
  const name = command.slice(command.lastIndexOf("/") + 1)
  return terminalEditors.has(name) || (name === "emacsclient" && args.some((arg) => /^(?:-t|-nw|--tty)$/.test(arg)))
}

/**
 * The editor for a directory: the one that the settings name, else `VISUAL`, else `EDITOR`, else the desktop's own way
 * to open a directory. The directory is its last argument. Fails with why there is none.
 */
export const editorFor = (
  directory: string,
  told: string | null,
  env: Readonly<Record<string, string | undefined>>,
  platform: string
): Result.Result<EditorProgram, string> => {
  const named = [
    ["the setting 'editor'", told],
    ["VISUAL", env["VISUAL"]],
    ["EDITOR", env["EDITOR"]]
  ] as const
  for (const [from, text] of named) {
    if (text === null || text === undefined || text.trim() === "") continue
    const words = splitWords(text)
    if (Result.isFailure(words)) return Result.fail(`${from} cannot be read: ${words.failure}`)
    const [command = "", ...args] = words.success
    return Result.succeed({
      command,
      args: [...args, directory],
      from,
      inTerminal: drawsInTerminal(command, args)
    })
  }
  const desktop = platform === "darwin" ? "open" : env["WAYLAND_DISPLAY"] || env["DISPLAY"] ? "xdg-open" : null
  return desktop === null
    ? Result.fail("no editor is named: 'leap settings set editor COMMAND' names one, or VISUAL or EDITOR")
    : Result.succeed({ command: desktop, args: [directory], from: "the desktop", inTerminal: false })
}
