/** Codex's directory of user settings and sessions: CODEX_HOME, else `.codex` in the home directory. */
export const codexHome = (env: Readonly<Record<string, string>>): string => {
  const configured = env["CODEX_HOME"]
  return configured === undefined || configured === ""
    ? `${env["HOME"] ?? ""}/.codex`
    : configured.replace(/(?<=.)\/+$/, "")
}
