/**
 * GitHub Copilot CLI's directory of user settings and sessions: COPILOT_HOME, else `.copilot` in the home directory.
 */
export const copilotHome = (env: Readonly<Record<string, string>>): string => {
  const configured = env["COPILOT_HOME"]
  return configured === undefined || configured === ""
    ? `${env["HOME"] ?? ""}/.copilot`
    : configured.replace(/(?<=.)\/+$/, "")
}
