import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RealCli } from "./hosted.ts"
import { runLeap } from "./leap.ts"
import { FakeModel, type Reply } from "./model/FakeModel.ts"
import { chatCompletions } from "./model/openai.ts"
import { opencode } from "./cli/opencode.ts"

/** leap's own way to a server, without a CLI: one request a turn. */
export const http: RealCli = {
  ...opencode,
  id: "openai_compatible",
  wire: {
    ...chatCompletions,
    read: (...given) => {
      const asked = chatCompletions.read(...given)
      return asked === null ? null : { ...asked, kind: "main" }
    }
  },
  prepare: (_home, _project, endpoint) => ({
    OPENAI_BASE_URL: `${endpoint}/v1`,
    OPENAI_MODEL: "lab-large",
    OPENAI_API_KEY: "sk-fake"
  })
}

/** `leap` with one real CLI: a home, a project, and a model of the test's. */
export const room = async (
  cli: RealCli,
  name: string,
  body: (room: {
    readonly api: FakeModel
    readonly project: string
    readonly home: string
    readonly exec: (
      ...args: ReadonlyArray<string>
    ) => Promise<{ code: number | null; document: Record<string, unknown>; err: string }>
    readonly leap: (args: ReadonlyArray<string>, stdin?: string) => ReturnType<typeof runLeap>
  }) => Promise<void>
) => {
  const api = new FakeModel(cli.wire)
  const home = join(process.env["HOME"] ?? "", `${cli.id}-headless-${name}`)
  const project = join(home, "project")
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, "README.md"), "# A small project\n")
  execFileSync("git", ["init", "-q"], { cwd: project })
  const env = { ...process.env, ...cli.prepare(home, project, await api.open()), HOME: home }
  const leap = (args: ReadonlyArray<string>, stdin?: string) => runLeap(env, args, stdin)
  const exec = async (...args: ReadonlyArray<string>) => {
    const { code, err, out } = await leap(["exec", "--provider", cli.id, "--cwd", project, "--json", ...args])
    const document: unknown = out.trim() === "" ? {} : JSON.parse(out)
    return { code, document: document as Record<string, unknown>, err }
  }
  try {
    await body({ api, project, home, exec, leap })
  } catch (error) {
    process.stderr.write(`--- endpoint\n${JSON.stringify(api.exchanges, null, 1)}\n`)
    throw error
  } finally {
    await api.close()
  }
}

/** A reply that takes its time, as a model's does: none at once, so that a CLI may be stopped before its next request. */
export const slowly = (reply: Reply): Reply =>
  "blocks" in reply
    ? {
        by: async (response, speak) => {
          await new Promise((resolve) => setTimeout(resolve, 1_500))
          await speak(reply.blocks)
          response.end()
        },
        answers: true
      }
    : reply

/** The model's call of a subagent. */
export const callAgent = (cli: RealCli): Reply => {
  const asked = { description: "look", prompt: "Look around." }
  const block =
    cli.id === "gemini"
      ? { name: "invoke_agent", input: { agent_name: "generalist", prompt: "Look around." } }
      : cli.id === "claude"
        ? { name: "Agent", input: { ...asked, subagent_type: "general-purpose" } }
        : { name: "task", input: { ...asked, agent_type: "general-purpose", subagent_type: "general" } }
  return { blocks: [{ type: "tool", ...block }] }
}

export const skips = (cli: RealCli): ReadonlyArray<string> =>
  cli.id === "claude" ? ["--allowed-tools", "Bash"] : ["--dangerously-skip-permissions"]
