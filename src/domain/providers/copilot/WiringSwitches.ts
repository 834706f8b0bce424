import { fieldOf } from "../../cli/wiring/HookShapes.ts"
import { booleanOf, type HookSwitches, jsonIn, lastSaid } from "../../cli/wiring/HookSwitches.ts"

/** Settings of a project's that GitHub Copilot CLI reads, those of Claude Code among them; the last one counts. */
const projectFiles = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".github/copilot/settings.json",
  ".github/copilot/settings.local.json"
]

/** What switches Copilot's hooks off: a project's `disableAllHooks`. In the user's settings that file alone. */
export const switches: HookSwitches = {
  files: ({ directory }) => projectFiles.map((file) => `${directory}/${file}`),
  off: (_, texts) => {
    const disabled = lastSaid(
      texts.map(({ path, text }) => ({ where: path, value: booleanOf(fieldOf(jsonIn(text), "disableAllHooks")) }))
    )
    return disabled?.value === true ? [`disableAllHooks in ${disabled.where}`] : []
  }
}
