import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const key = "sk-ant-fake-key-for-a-model-on-loopback-000000000000"

export interface ClaudeHome {
  readonly project: string
  /** What Claude Code must see beside the box's own environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A HOME in which Claude Code is past its first start, trusts the project and asks before each tool; and a small project. */
export const claudeHome = (home: string, endpoint: string, version: string): ClaudeHome => {
  const project = join(home, "project")
  mkdirSync(join(home, ".claude"), { recursive: true })
  mkdirSync(project)
  const json = (file: string, data: unknown) => writeFileSync(join(home, file), JSON.stringify(data, null, 2))
  // "default": the mode in which every tool call that changes something asks.
  json(".claude/settings.json", { permissions: { defaultMode: "default" } })
  json(".claude.json", {
    theme: "dark",
    numStartups: 5,
    hasCompletedOnboarding: true,
    lastOnboardingVersion: version,
    hasSeenAutoDefaultNudge: true,
    hasSeenAutoDefaultNotice: true,
    hasSeenEffortMediumNudge: true,
    hasSeenTasksHint: true,
    autoUpdates: false,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, projectOnboardingSeenCount: 4, allowedTools: [] } }
  })
  writeFileSync(join(project, "README.md"), "# A small project\n")
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.invalid", ...args], { cwd: project, stdio: "ignore" })
  git("init", "-q", "-b", "main")
  git("add", "-A")
  git("commit", "-qm", "start")
  return {
    project,
    env: {
      ANTHROPIC_BASE_URL: endpoint,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1"
    }
  }
}
