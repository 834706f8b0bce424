/** Variables by which leap and the CLIs find their files and programs. */
const kept = ["PATH", "LEAP_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] as const

const xml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** A quoted word of a unit's line: systemd interprets % everywhere, and $ in commands. */
const word = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$")}"`

/** A unit that resumes cut-off sessions at login; its first lines say how to install it. `self`: leap's command. */
export const resumeUnit = (
  kind: "systemd" | "launchd",
  self: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): string => {
  const script = self.at(-1) ?? ""
  // install.sh made it: an upgrade may remove this build and its node, but not the link `current`.
  const leap = script.endsWith("/current/program/leap.js")
    ? [script.replace(/program\/leap\.js$/, "node"), script]
    : self
  const command = [...leap, "resume", "--all"]
  const variables = kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  if (kind === "launchd")
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      "<!-- saved as ~/Library/LaunchAgents/leap.resume.plist it is begun with",
      "     launchctl load -w ~/Library/LaunchAgents/leap.resume.plist -->",
      '<plist version="1.0">',
      "<dict>",
      "  <key>Label</key><string>leap.resume</string>",
      "  <key>ProgramArguments</key>",
      `  <array>${command.map((text) => `<string>${xml(text)}</string>`).join("")}</array>`,
      "  <key>EnvironmentVariables</key>",
      `  <dict>${variables.map(([name, value]) => `<key>${name}</key><string>${xml(value)}</string>`).join("")}</dict>`,
      "  <key>RunAtLoad</key><true/>",
      "  <!-- the sessions' hosts outlive the command that starts them -->",
      "  <key>AbandonProcessGroup</key><true/>",
      "</dict>",
      "</plist>"
    ].join("\n")
  return [
    "# leap resume --unit > ~/.config/systemd/user/leap-resume.service",
    "# systemctl --user enable leap-resume.service",
    "[Unit]",
    "Description=Bring back the sessions of leap that were cut off",
    "",
    "[Service]",
    "Type=oneshot",
    "RemainAfterExit=yes",
    "# the sessions' hosts outlive the command that starts them",
    "KillMode=process",
    ...variables.map(([name, value]) => `Environment=${word(`${name}=${value}`).replaceAll("$$", "$")}`),
    `ExecStart=${command.map(word).join(" ")}`,
    "",
    "[Install]",
    "WantedBy=default.target"
  ].join("\n")
}
