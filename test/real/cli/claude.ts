import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { changeJson, type RealCli } from "../hosted.ts"
import { anthropic } from "../model/anthropic.ts"

const key = "sk-ant-fake-key-for-a-model-on-loopback-000000000000"

const trusted = {
  hasTrustDialogAccepted: true,
  hasCompletedProjectOnboarding: true,
  projectOnboardingSeenCount: 4,
  allowedTools: []
}

/** Its question; `preview`: the picture that is drawn beside an option. */
export const asking =
  (preview?: (label: string) => string): NonNullable<RealCli["ask"]> =>
  (question, options) => ({
    blocks: [
      {
        type: "tool",
        name: "AskUserQuestion",
        input: {
          questions: [
            {
              question,
              header: "Library",
              multiSelect: false,
              options: options.map((label) => ({
                label,
                description: `use ${label}`,
                ...(preview === undefined ? {} : { preview: preview(label) })
              }))
            }
          ]
        }
      }
    ]
  })

/** Claude Code, trusted in its project, in the mode in which every tool call that changes something asks. */
export const claude: RealCli = {
  id: "claude",
  wire: anthropic,
  usage: { window: 1_000_000, priced: true },
  prepare: (home, project, endpoint) => {
    const version = /^[\d.]+/.exec(execFileSync("claude", ["--version"], { encoding: "utf8" }))?.[0] ?? ""
    mkdirSync(join(home, ".claude"), { recursive: true })
    const json = (file: string, data: unknown) => writeFileSync(join(home, file), JSON.stringify(data, null, 2))
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
      projects: { [project]: trusted }
    })
    return {
      ANTHROPIC_BASE_URL: endpoint,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1"
    }
  },
  trust: (home, directory) =>
    changeJson(join(home, ".claude.json"), (now) => ({
      ...now,
      projects: { ...(now["projects"] as object), [directory]: trusted }
    })),
  shell: (command) => ({
    blocks: [
      { type: "text", text: "I will run it." },
      { type: "tool", name: "Bash", input: { command, description: "Run it" } }
    ]
  }),
  look: (file) => ({ blocks: [{ type: "tool", name: "Read", input: { file_path: file } }] }),
  ask: asking()
}
