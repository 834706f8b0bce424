// Rules alone: what they say of a request, without a session, a CLI or a file. A line of several commands is allowed
// only if each of them is.
import { decide, type Settings, type ToolRequest } from "leap"

const policy: Settings.Policy = {
  deny: [{ command: "git push*", reason: "a person does that" }],
  ask: [],
  allow: [{ command: "git status" }, { command: "git log*" }]
}

const request = (command: string): ToolRequest.ToolRequest => ({
  tool: "Bash",
  kind: "command",
  command,
  paths: [],
  url: null,
  agent: null,
  cwd: "/work"
})

for (const command of ["git status", "git status && git log -3", "git status; git push --force", "rm -rf build"]) {
  const said = decide.decide(
    { policy, home: "/home/me", tag: "example", cli: "claude", mode: "pause" },
    request(command)
  )
  console.log(`${said.verdict.padEnd(5)} ${command}`)
}
