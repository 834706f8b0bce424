/** OpenCode's directory of user settings. */
export const opencodeConfig = (env: Readonly<Record<string, string>>): string => {
  const configured = env["XDG_CONFIG_HOME"] ?? ""
  const base = configured === "" ? `${env["HOME"] ?? ""}/.config` : configured.replace(/(?<=.)\/+$/, "")
  return `${base}/opencode`
}
