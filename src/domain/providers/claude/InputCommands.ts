import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { claudeDirectory } from "./WiringPlace.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Commands of Claude Code: its own, and the commands and skills of the user and of the project. */
export const claudeCommands: CommandSource = {
  known: namesIn(
    `add-dir agents bug clear compact config context cost doctor exit export help hooks init login logout mcp
      memory model permissions resume review rewind status statusline usage vim`
  ),
  folders: (env, cwd) =>
    [`${cwd}/.claude`, claudeDirectory(env)].flatMap((root) => [
      commandFolder(`${root}/commands`, ".md", { between: ":" }),
      commandFolder(`${root}/skills`, "/SKILL.md")
    ])
}
