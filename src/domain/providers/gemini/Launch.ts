import type { ArgumentSyntax } from "../../cli/provider/StartArguments.ts"

/** The command line of Gemini CLI, and options of older versions. */
export const geminiSyntax: ArgumentSyntax = {
  none: [
    "--accept-raw-output-risk",
    "--acp",
    "--all-files",
    "-a",
    "--checkpointing",
    "-c",
    "--debug",
    "-d",
    "--experimental-acp",
    "--help",
    "-h",
    "--list-extensions",
    "-l",
    "--list-sessions",
    "--raw-output",
    "--sandbox",
    "-s",
    "--screen-reader",
    "--show-memory-usage",
    "--skip-trust",
    "--version",
    "-v",
    "--yolo",
    "-y"
  ],
  one: [
    "--approval-mode",
    "--delete-session",
    "--model",
    "-m",
    "--output-format",
    "-o",
    "--prompt",
    "-p",
    "--prompt-interactive",
    "-i",
    "--proxy",
    "--sandbox-image",
    "--session-file",
    "--session-id"
  ],
  maybe: ["--resume", "-r", "--worktree", "-w"],
  many: [
    "--admin-policy",
    "--allowed-mcp-server-names",
    "--allowed-tools",
    "--extensions",
    "-e",
    "--include-directories",
    "--policy"
  ],
  once: [
    // which conversation
    "--resume",
    "-r",
    "--session-file",
    "--session-id",
    // where
    "--worktree",
    "-w",
    // done once
    "--acp",
    "--experimental-acp",
    "--delete-session",
    "--help",
    "-h",
    "--list-extensions",
    "-l",
    "--list-sessions",
    "--output-format",
    "-o",
    "--prompt",
    "-p",
    "--prompt-interactive",
    "-i",
    "--version",
    "-v"
  ],
  commands: [],
  word: "the prompt"
}
