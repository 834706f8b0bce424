import { assert, describe, it } from "@effect/vitest"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { runLeap } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"

describe.each([claude, codex, gemini, copilot, opencode].map((cli) => [cli.id, cli] as const))(
  "the page for agents, installed for %s",
  (_, cli) => {
    it("is what its model is told of", async () => {
      const api = new FakeModel(cli.wire)
      const home = join(process.env["HOME"] ?? "", `${cli.id}-skill`)
      const project = join(home, "project")
      mkdirSync(project, { recursive: true })
      const env = { ...process.env, ...cli.prepare(home, project, await api.open()), HOME: home }
      try {
        api.script(say("hello"))
        const installed = await runLeap(env, ["skill", "--install", cli.id])
        assert.strictEqual(installed.code, 0, installed.err)
        const asked = await runLeap(env, ["exec", "--provider", cli.id, "--cwd", project, "say hello"])
        assert.strictEqual(asked.code, 0, asked.err)
        assert.include(api.heard, "Work with the other AI coding sessions that leap hosts")
      } finally {
        await api.close()
      }
    })
  }
)
