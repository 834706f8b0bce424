import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { changeJson, type RealCli } from "../hosted.ts"
import { gemini as wire } from "../model/gemini.ts"

/** Gemini CLI, trusted in its project, in its default approval mode. */
export const gemini: RealCli = {
  id: "gemini",
  wire,
  usage: { window: 1_048_576, priced: true },
  prepare: (home, project, endpoint) => {
    mkdirSync(join(home, ".gemini"), { recursive: true })
    const json = (file: string, data: unknown) =>
      writeFileSync(join(home, ".gemini", file), JSON.stringify(data, null, 2))
    json("settings.json", {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } },
      model: { name: "gemini-2.5-pro" },
      ide: { hasSeenNudge: true }
    })
    json("trustedFolders.json", { [project]: "TRUST_FOLDER" })
    return { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: endpoint }
  },
  trust: (home, directory) =>
    changeJson(join(home, ".gemini/trustedFolders.json"), (now) => ({ ...now, [directory]: "TRUST_FOLDER" })),
  forgetsInterrupted: true,
  shell: (command) => ({
    blocks: [{ type: "tool", name: "run_shell_command", input: { command, description: "Run it" } }]
  }),
  look: (file) => ({ blocks: [{ type: "tool", name: "read_file", input: { file_path: file } }] }),
  ask: (question, options) => ({
    blocks: [
      {
        type: "tool",
        name: "ask_user",
        input: {
          questions: [
            {
              question,
              header: "Library",
              type: "choice",
              multiSelect: false,
              options: options.map((label) => ({ label, description: `use ${label}` }))
            }
          ]
        }
      }
    ]
  })
}
