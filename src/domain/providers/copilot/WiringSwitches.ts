import { allDisabledIn, type HookSwitches, lastValue } from "../../cli/wiring/HookSwitches.ts"

/** A project's settings that GitHub Copilot CLI reads, including those of Claude Code; the last one counts. */
const projectFiles = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".github/copilot/settings.json",
  ".github/copilot/settings.local.json"
]

/** Only a project's `disableAllHooks` disables Copilot's hooks. In the user's settings it affects only that file. */
export const switches: HookSwitches = {
  files: ({ directory }) => projectFiles.map((file) => `${directory}/${file}`),
  off: (_, texts) => {
    const disabled = lastValue(texts.map(allDisabledIn))
    return disabled?.value === true ? [`disableAllHooks in ${disabled.where}`] : []
  }
}
