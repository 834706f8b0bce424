import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"
import { opencodeConfig } from "./WiringPlace.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Commands of OpenCode: its own, and those of the user and of the project. */
export const opencodeCommands: CommandSource = {
  known: namesIn("compact details editor exit export help init models new redo sessions share themes undo unshare"),
  folders: (env, cwd) =>
    [`${cwd}/.opencode`, opencodeConfig(env)].flatMap((root) =>
      ["command", "commands"].map((name) => commandFolder(`${root}/${name}`, ".md", { between: "/" }))
    )
}
