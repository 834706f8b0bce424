import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { RealCli } from "../hosted.ts"
import { chatCompletions } from "../model/openai.ts"

/** The folder that the real CLIs are installed in. */
const modules = (): string => {
  const bin = (process.env["PATH"] ?? "").split(":").find((dir) => existsSync(join(dir, "opencode")))
  if (bin === undefined) throw new Error("opencode is not on PATH")
  return dirname(bin)
}

/** OpenCode with a model of one's own; it asks before commands and edits. */
export const opencode: RealCli = {
  id: "opencode",
  wire: chatCompletions,
  usage: { window: 200_000, priced: false },
  prepare: (home, _, endpoint) => {
    const config = join(home, ".config/opencode")
    mkdirSync(config, { recursive: true })
    const model = (name: string) => ({
      name,
      tool_call: true,
      reasoning: false,
      temperature: true,
      attachment: true,
      modalities: { input: ["text", "image"], output: ["text"] },
      limit: { context: 200_000, output: 32_000 }
    })
    writeFileSync(
      join(config, "opencode.json"),
      JSON.stringify(
        {
          $schema: "https://opencode.ai/config.json",
          autoupdate: false,
          share: "disabled",
          snapshot: false,
          model: "lab/lab-large",
          small_model: "lab/lab-small",
          provider: {
            lab: {
              npm: "@ai-sdk/openai-compatible",
              name: "Lab",
              options: { baseURL: `${endpoint}/v1`, apiKey: "sk-fake" },
              models: { "lab-large": model("Lab Large"), "lab-small": model("Lab Small") }
            }
          },
          permission: { bash: "ask", edit: "ask", webfetch: "ask" }
        },
        null,
        2
      )
    )
    // Without a network it would wait for a search program of its own; what it needs beside a plugin is the wiring's
    // business.
    const installed = modules()
    const rg = readdirSync(join(installed, "@vscode")).find((name) => name.startsWith("ripgrep-"))
    return {
      PATH: `${process.env["PATH"]}:${join(installed, "@vscode", rg ?? "ripgrep", "bin")}`,
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1"
    }
  },
  trust: () => {},
  // It folds a paste of three lines, or of more than 150 characters, and puts a space behind what it has folded.
  arrives: (text) => (text.split("\n").length >= 3 || text.length > 150 ? `${text} ` : text),
  shell: (command) => ({ blocks: [{ type: "tool", name: "bash", input: { command, description: "Runs it" } }] }),
  look: (file) => ({ blocks: [{ type: "tool", name: "read", input: { filePath: file } }] }),
  ask: (question, options) => ({
    blocks: [
      {
        type: "tool",
        name: "question",
        input: {
          questions: [
            { question, header: "Library", options: options.map((label) => ({ label, description: `use ${label}` })) }
          ]
        }
      }
    ]
  })
}
