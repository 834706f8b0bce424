import type { ArgumentSyntax } from "../../cli/provider/StartArguments.ts"

/** The command line of Cursor Agent, as its documentation has it. */
export const cursorAgentSyntax: ArgumentSyntax = {
  none: [
    "--approve-mcps",
    "--auto-review",
    "--background",
    "-b",
    "--browser",
    "--cloud",
    "-c",
    "--continue",
    "--force",
    "-f",
    "--fullscreen",
    "--help",
    "-h",
    "--insecure",
    "--list-models",
    "--plan",
    "--print",
    "-p",
    "--skip-worktree-setup",
    "--stream-partial-output",
    "--trust",
    "--version",
    "-v",
    "--yolo"
  ],
  one: [
    "--add-dir",
    "--api-key",
    "--endpoint",
    "-e",
    "--header",
    "-H",
    "--mode",
    "--model",
    "-m",
    "--name",
    "-n",
    "--output-format",
    "--plugin-dir",
    "--sandbox",
    "--workspace",
    "--worktree-base"
  ],
  maybe: ["--resume", "--worktree", "-w"],
  many: [],
  once: [
    // which conversation
    "--continue",
    "--resume",
    // where
    "--background",
    "-b",
    "--cloud",
    "-c",
    "--skip-worktree-setup",
    "--workspace",
    "--worktree",
    "-w",
    "--worktree-base",
    // done once
    "--help",
    "-h",
    "--list-models",
    "--output-format",
    "--print",
    "-p",
    "--stream-partial-output",
    "--version",
    "-v",
    // secrets
    "--api-key",
    "--header",
    "-H"
  ],
  commands: ["resume"],
  word: "the prompt"
}
