import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Commands of Cursor: its own, and those of the user and of the project. */
export const cursorAgentCommands: CommandSource = {
  known: namesIn("auto-run clear compress feedback help logout mcp model quit resume rules vim"),
  folders: (env, cwd) =>
    [`${cwd}/.cursor`, `${env["HOME"] ?? ""}/.cursor`].map((root) => commandFolder(`${root}/commands`, ".md"))
}
