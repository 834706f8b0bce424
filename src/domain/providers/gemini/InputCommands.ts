import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { geminiHome } from "./Resume.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Commands of Gemini CLI: its own, and those of the user and of the project. */
export const geminiCommands: CommandSource = {
  known: namesIn(
    `about auth bug chat clear compress copy directory docs editor extensions help ide init mcp memory model
      privacy quit restore settings stats theme tools vim`
  ),
  folders: (env, cwd) =>
    [`${cwd}/.gemini`, geminiHome(env)].map((root) => commandFolder(`${root}/commands`, ".toml", { between: ":" }))
}
