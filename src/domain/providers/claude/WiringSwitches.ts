import { fieldOf } from "../../cli/wiring/HookShapes.ts"
import {
  allDisabledIn,
  type HookSwitches,
  jsonIn,
  lastValue,
  optionValues,
  type SettingsText,
  type SwitchPlace
} from "../../cli/wiring/HookSwitches.ts"
import { absolutePath } from "../../words/text/paths.ts"
import { claudeDirectory } from "./Identity.ts"

const managedDirectories = ["/etc/claude-code", "/Library/Application Support/ClaudeCode"]

/** Settings on the command line: a file, or the JSON itself. */
const flagSettings = (args: ReadonlyArray<string>): ReadonlyArray<string> => optionValues(args, "--settings")

const isJson = (value: string): boolean => value.trimStart().startsWith("{")

const managedFiles = (env: SwitchPlace["env"]): ReadonlyArray<string> => [
  ...managedDirectories.flatMap((directory) => [
    `${directory}/managed-settings.json`,
    `${directory}/managed-settings.d/*.json`
  ]),
  `${claudeDirectory(env)}/remote-settings.json`
]

const isManaged = ({ path }: SettingsText, place: SwitchPlace): boolean =>
  managedDirectories.some((directory) => path.startsWith(`${directory}/`)) ||
  path === absolutePath(place.directory, `${claudeDirectory(place.env)}/remote-settings.json`)

/**
 * What disables Claude Code's hooks: `disableAllHooks` in the last settings file that contains it (user, project,
 * local, command line), managed settings, or an option or variable that excludes the user's settings or all hooks.
 * Project files are read only from the session's directory itself.
 */
export const switches: HookSwitches = {
  files: ({ args, directory, env }) => [
    `${claudeDirectory(env)}/settings.json`,
    `${directory}/.claude/settings.json`,
    `${directory}/.claude/settings.local.json`,
    ...flagSettings(args).filter((value) => !isJson(value)),
    ...managedFiles(env)
  ],
  off: (place, texts) => {
    const { args, env } = place
    const managed = texts.filter((one) => isManaged(one, place))
    const sources = optionValues(args, "--setting-sources").at(-1)?.split(",")
    const byManager = managed.flatMap(({ path, text }) =>
      ["disableAllHooks", "allowManagedHooksOnly"]
        .filter((key) => fieldOf(jsonIn(text), key) === true)
        .map((key) => `${key} in ${path}, which is managed`)
    )
    const inline = flagSettings(args).filter(isJson)
    const disabled = lastValue(
      [...texts.filter((one) => !managed.includes(one)), ...inline.map((text) => ({ path: "--settings", text }))].map(
        allDisabledIn
      )
    )
    return [
      ...byManager,
      ...(disabled?.value === true ? [`disableAllHooks in ${disabled.where}`] : []),
      ...(sources !== undefined && !sources.some((source) => source.trim() === "user")
        ? ["--setting-sources leaves out the user's settings, where the hooks are"]
        : []),
      ...["--bare", "--safe-mode"].filter((option) => args.includes(option)).map((option) => `${option} runs no hooks`),
      ...(/^(1|true|yes|on)$/i.test(env["CLAUDE_CODE_SIMPLE"] ?? "") ? ["CLAUDE_CODE_SIMPLE runs no hooks"] : [])
    ]
  }
}
