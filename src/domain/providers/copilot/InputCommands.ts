import type { CommandSource } from "../../cli/provider/CommandSource.ts"

/** Commands of GitHub Copilot CLI: its own only. */
export const copilotCommands: CommandSource = {
  known: [
    "add-dir",
    "clear",
    "cwd",
    "exit",
    "feedback",
    "help",
    "list-dirs",
    "login",
    "logout",
    "mcp",
    "model",
    "reset-allowed-tools",
    "session",
    "theme",
    "usage",
    "user"
  ],
  folders: () => []
}
