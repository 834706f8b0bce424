import type { CommandSource } from "../../cli/provider/CommandSource.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Commands of GitHub Copilot CLI: its own only. */
export const copilotCommands: CommandSource = {
  known: namesIn(
    `add-dir clear cwd exit feedback help list-dirs login logout mcp model reset-allowed-tools session theme
      usage user`
  ),
  folders: () => []
}
