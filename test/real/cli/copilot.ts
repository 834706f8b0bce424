import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { changeJson, type RealCli } from "../hosted.ts"
import { responses } from "../model/openai.ts"

/** Copilot CLI with a model of one's own, offline, trusted in its project, with manual approval. */
export const copilot: RealCli = {
  id: "copilot",
  wire: responses,
  usage: { window: 128_000, priced: true },
  prepare: (home, project, endpoint) => {
    mkdirSync(join(home, ".copilot"), { recursive: true })
    const json = (file: string, data: unknown) =>
      writeFileSync(join(home, ".copilot", file), JSON.stringify(data, null, 2))
    json("settings.json", { autoUpdate: false, banner: "never", showTipsOnStartup: false, trustedFolders: [project] })
    json("config.json", { trusted_folders: [project], trustedFolders: [project] })
    return {
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${endpoint}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: "gpt-5.4",
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "128000",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_WIRE_API: "responses"
    }
  },
  trust: (home, directory) => {
    for (const file of ["settings.json", "config.json"])
      changeJson(join(home, ".copilot", file), (now) => ({
        ...now,
        trustedFolders: [...((now["trustedFolders"] as ReadonlyArray<string> | undefined) ?? []), directory]
      }))
  },
  shell: (command) => ({
    blocks: [{ type: "tool", name: "bash", input: { command, description: "Run it", mode: "sync", initial_wait: 60 } }]
  }),
  look: (file) => ({ blocks: [{ type: "tool", name: "view", input: { path: file } }] }),
  attachesNoBlanks: true,
  ask: (question, options) => ({
    blocks: [
      {
        type: "tool",
        name: "ask_user",
        input: {
          message: question,
          requestedSchema: {
            type: "object",
            properties: { library: { type: "string", title: "Library", enum: options } },
            required: ["library"]
          }
        }
      }
    ]
  })
}
