/** Claude Code's directory of user settings and sessions: CLAUDE_CONFIG_DIR, else `.claude` in the home directory. */
export const claudeDirectory = (env: Readonly<Record<string, string>>): string => {
  const configured = env["CLAUDE_CONFIG_DIR"]
  return configured === undefined || configured === "" ? `${env["HOME"] ?? ""}/.claude` : configured.replace(/\/+$/, "")
}
