import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import type { RealCli } from "./hosted.ts"

/** The same without a wish for more rights, which Codex refuses where it asks nobody. */
export const unasked = (cli: RealCli): RealCli => ({
  ...cli,
  shell: (command) => {
    const reply = cli.shell(command)
    const plain = (input: string): string => input.replace(/,"sandbox_permissions":.*?(?=\})/, "")
    const instead = { type: "tool", name: "exec_command", input: { cmd: command } } as const
    return "blocks" in reply
      ? {
          blocks: reply.blocks.map((block) =>
            "input" in block && typeof block.input === "string"
              ? { ...block, input: plain(block.input), instead }
              : block
          )
        }
      : reply
  }
})

/** The CLIs whose hooks can stop a tool before it runs, in the mode in which they run it without asking. */
export const automatic: ReadonlyArray<RealCli> = [
  { ...claude, args: [...(claude.args ?? []), "--allowedTools", "Bash"] },
  { ...unasked(codex), args: [...(codex.args ?? []), "--dangerously-bypass-approvals-and-sandbox"] },
  { ...copilot, args: [...(copilot.args ?? []), "--allow-all-tools"] },
  { ...gemini, args: [...(gemini.args ?? []), "--yolo"] },
  {
    ...opencode,
    prepare: (home, project, endpoint) => {
      const env = opencode.prepare(home, project, endpoint)
      const file = join(home, ".config/opencode/opencode.json")
      const { permission: _, ...config } = JSON.parse(readFileSync(file, "utf8")) as { readonly permission: unknown }
      writeFileSync(file, JSON.stringify(config))
      return env
    }
  }
]
