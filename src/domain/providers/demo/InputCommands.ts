import { commandFolder, type CommandSource } from "../../cli/provider/CommandSource.ts"

/** Commands of the bundled demo CLI; what is in a project's `.demo/commands` is only offered. */
export const demoCommands: CommandSource = {
  known: ["exit", "help", "model"],
  folders: (_env, cwd) => [commandFolder(`${cwd}/.demo/commands`, ".md", { between: ":" })]
}
