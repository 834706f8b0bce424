import type { ArgumentSyntax } from "../../cli/provider/StartArguments.ts"

/** The command line of OpenCode. */
export const opencodeSyntax: ArgumentSyntax = {
  none: [
    "--auto",
    "--continue",
    "-c",
    "--fork",
    "--help",
    "-h",
    "--mdns",
    "--mini",
    "--no-replay",
    "--print-logs",
    "--pure",
    "--version",
    "-v"
  ],
  one: [
    "--agent",
    "--hostname",
    "--log-level",
    "--mdns-domain",
    "--model",
    "-m",
    "--port",
    "--prompt",
    "--replay-limit",
    "--session",
    "-s"
  ],
  maybe: [],
  many: ["--cors"],
  once: ["--continue", "-c", "--fork", "--session", "-s", "--help", "-h", "--prompt", "--version", "-v"],
  commands: [],
  word: "the directory"
}
