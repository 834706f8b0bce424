import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { codexHome } from "./WiringPlace.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Commands of Codex: its own, and the user's prompts. */
export const codexCommands: CommandSource = {
  known: namesIn(
    "approvals clear compact diff exit feedback init logout mcp mention model new quit resume review status"
  ),
  folders: (env) => [commandFolder(`${codexHome(env)}/prompts`, ".md", { prefix: "prompts:" })]
}
