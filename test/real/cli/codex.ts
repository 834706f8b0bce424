import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealCli } from "../hosted.ts"
import { responses } from "../model/openai.ts"

const trust: RealCli["trust"] = (home, directory) =>
  appendFileSync(
    join(home, ".codex/config.toml"),
    `\n[projects.${JSON.stringify(directory)}]\ntrust_level = "trusted"\n`
  )

const escalated = (cmd: string) => ({
  cmd,
  sandbox_permissions: "require_escalated",
  justification: "Do you want to allow this command?"
})

/** Codex, trusted in its project, which asks before a command leaves its sandbox. */
export const codex: RealCli = {
  id: "codex",
  wire: responses,
  usage: { window: 258_400, priced: false },
  prepare: (home, project, endpoint) => {
    mkdirSync(join(home, ".codex"), { recursive: true })
    writeFileSync(
      join(home, ".codex/config.toml"),
      `model = "gpt-6.1-sol"
model_provider = "lab"
check_for_update_on_startup = false

[model_providers.lab]
name = "Lab"
base_url = "${endpoint}/v1"
wire_api = "responses"
requires_openai_auth = false
env_key = "LAB_KEY"

[analytics]
enabled = false
`
    )
    trust(home, project)
    return { LAB_KEY: "sk-fake-key-for-a-model-on-loopback" }
  },
  trust,
  // The model writes a script that calls the nested tools; older versions have the tools themselves.
  shell: (command) => ({
    blocks: [
      {
        type: "tool",
        name: "exec",
        freeform: true,
        input: `const r = await tools.exec_command(${JSON.stringify(escalated(command))});\ntext(r.output ?? JSON.stringify(r));`,
        instead: { type: "tool", name: "exec_command", input: escalated(command) }
      }
    ]
  }),
  look: (file) => ({
    blocks: [
      {
        type: "tool",
        name: "exec",
        freeform: true,
        input: `const r = await tools.exec_command(${JSON.stringify({ cmd: `cat ${file}` })});\ntext(r.output ?? JSON.stringify(r));`
      }
    ]
  }),
  // Codex asks questions in its Plan mode only.
  ask: null
}
