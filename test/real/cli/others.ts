import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealCli } from "../hosted.ts"
import { chatCompletions } from "../model/openai.ts"

/** What a CLI has that leap knows by shipped patterns alone; the program is its first argument. */
const other = (
  args: ReadonlyArray<string>,
  tool: { readonly shell: RealCli["shell"]; readonly look: RealCli["look"] },
  prepare: RealCli["prepare"]
): RealCli => ({
  id: "generic",
  wire: chatCompletions,
  usage: { window: 0, priced: false },
  args,
  ask: null,
  trust: () => {},
  prepare,
  ...tool
})

/** Qwen Code with a model of one's own, which asks before commands. */
export const qwen = other(
  ["qwen", "--approval-mode", "default"],
  {
    shell: (command) => ({
      blocks: [
        { type: "tool", name: "run_shell_command", input: { command, description: "Run it", is_background: false } }
      ]
    }),
    look: (file) => ({ blocks: [{ type: "tool", name: "read_file", input: { absolute_path: file } }] })
  },
  (home, _, endpoint) => {
    mkdirSync(join(home, ".qwen"), { recursive: true })
    writeFileSync(
      join(home, ".qwen/settings.json"),
      JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
        model: { name: "lab-large" }
      })
    )
    return { OPENAI_API_KEY: "sk-fake", OPENAI_BASE_URL: `${endpoint}/v1`, OPENAI_MODEL: "lab-large" }
  }
)

/** Cline with a model of one's own, which asks before each tool; each start of it shows an advertisement over the box. */
export const cline = (program: string): RealCli => ({
  ...other(
    ["cline", "--auto-approve", "false"],
    {
      shell: (command) => ({ blocks: [{ type: "tool", name: "run_commands", input: { commands: [command] } }] }),
      look: (file) => ({ blocks: [{ type: "tool", name: "read_files", input: { files: [{ path: file }] } }] })
    },
    (home, _, endpoint) => {
      const account = ["-p", "openai", "-k", "sk-fake", "-m", "lab-large", "-b", `${endpoint}/v1`]
      execFileSync(program, ["auth", ...account], { env: { ...process.env, HOME: home }, stdio: "ignore" })
      return {}
    }
  ),
  closes: ["Esc"]
})
