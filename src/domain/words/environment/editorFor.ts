import { Result } from "effect"
import { splitWords } from "../text/splitWords.ts"

/** The program that shows a directory to the user. `from`: the setting or variable that names it. */
export interface EditorProgram {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly from: string
  /** Where it draws, judging by its name. */
  readonly draws: "terminal" | "desktop" | null
}

const terminalEditors: ReadonlySet<string> = new Set(
  "vi vim nvim view nano pico emacs micro hx helix kak kakoune joe jed mcedit ed ex ne mg vile zile".split(" ")
)

/** Editors with windows of their own, which outlive the process that started them. */
const desktopEditors: ReadonlySet<string> = new Set(
  (
    "xdg-open open code code-insiders codium cursor windsurf zed zeditor subl atom gedit gnome-text-editor kate " +
    "kwrite mousepad pluma geany gvim mvim neovide idea pycharm webstorm goland clion rubymine phpstorm rustrover mate"
  ).split(" ")
)

const drawsIn = (command: string, args: ReadonlyArray<string>): EditorProgram["draws"] => {
  const name = command.slice(command.lastIndexOf("/") + 1)
  const asked = name === "emacsclient" && args.some((arg) => /^(?:-t|-nw|--tty)$/.test(arg))
  return asked || terminalEditors.has(name) ? "terminal" : desktopEditors.has(name) ? "desktop" : null
}

export const hasEditorDesktop = (env: Readonly<Record<string, string | undefined>>, platform: string): boolean =>
  platform === "darwin" || Boolean(env["WAYLAND_DISPLAY"] || env["DISPLAY"])

/**
 * The editor for a directory: the one of the settings, else `VISUAL`, else `EDITOR`, else the desktop's own way to open
 * a directory. The directory is its last argument. Fails with the reason if there is none.
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
      draws: drawsIn(command, args)
    })
  }
  return hasEditorDesktop(env, platform)
    ? Result.succeed({
        command: platform === "darwin" ? "open" : "xdg-open",
        args: [directory],
        from: "the desktop",
        draws: "desktop"
      })
    : Result.fail("no editor is named: 'leap settings set editor COMMAND' names one, or VISUAL or EDITOR")
}
