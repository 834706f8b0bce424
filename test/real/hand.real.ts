import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { makeProject, untilStatus } from "./hosted.ts"
import { runLeap, type Status } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"

describe("leap hand", () => {
  it("goes on in Codex with what was said in Claude Code, and from there in Claude Code", async () => {
    const home = join(process.env["HOME"] ?? "", "hand")
    const project = join(home, "project")
    makeProject(project)
    const [first, second] = [new FakeModel(claude.wire), new FakeModel(codex.wire)]
    const env = {
      ...process.env,
      ...claude.prepare(home, project, await first.open()),
      ...codex.prepare(home, project, await second.open()),
      HOME: home
    }
    const leap = async (args: ReadonlyArray<string>) => {
      const ran = await runLeap(env, args)
      assert.strictEqual(ran.code, 0, `leap ${args.join(" ")}\n${ran.err}${ran.out}`)
      return ran.out
    }
    const up = (tag: string) =>
      untilStatus(
        `${tag} is up`,
        async () => {
          const { sessions } = JSON.parse(await leap(["status", tag, "--json"])) as { sessions: ReadonlyArray<Status> }
          return sessions[0]!
        },
        ({ queue, ready, state }) => state === "idle" && ready && queue.length === 0
      )
    try {
      for (const cli of ["claude", "codex"]) await leap(["hooks", "install", "--cli", cli])
      await leap(["feature", "--cli", "claude", "--cwd", project, "--detach"])
      await up("feature")
      first.script(say("The README speaks of rhubarb."), say("And of gooseberries."))
      await leap(["send", "feature", "What is it about?", "--wait", "--timeout", "60"])
      await leap(["send", "feature", "What else?", "--wait", "--timeout", "60"])

      second.script(say("Understood: rhubarb and gooseberries."))
      await leap(["hand", "feature", "--to", "codex", "--detach", "Write about plums, too."])
      await second.until("it was told", (main) => main.length === 1 && main[0]?.endedAt !== null)
      const told = second.main[0]?.conversation.at(-1) ?? ""
      assert.match(told, /^\[leap\] This conversation began in Claude Code, in session 'feature', and goes on here\./)
      assert.include(
        told,
        "User:\n> What is it about?\n\nAssistant:\n> The README speaks of rhubarb.\n\n" +
          "User:\n> What else?\n\nAssistant:\n> And of gooseberries.\n\n[leap] That is all so far."
      )
      assert.isTrue(told.endsWith("Your user says now:\n\nWrite about plums, too."), told)
      await up("feature-codex")

      // ---- and back, with what Codex said of it
      await leap(["stop", "feature-codex"])
      first.script(say("Plums it is."))
      await leap(["hand", "feature-codex", "--to", "claude", "--as", "again", "--detach"])
      await first.until("it was told", (main) => main.length === 3 && main.every(({ endedAt }) => endedAt !== null))
      const back = first.main.at(-1)?.conversation.at(-1) ?? ""
      assert.match(
        back,
        /^\[leap\] This conversation began in OpenAI Codex, in session 'feature-codex', and goes on here\./
      )
      assert.include(back, "> > The README speaks of rhubarb.\n")
      assert.include(back, "Assistant:\n> Understood: rhubarb and gooseberries.\n\n[leap] That is all so far.")
      await up("again")
      assert.match(await leap(["log", "feature"]), /its conversation goes on in 'feature-codex'/)
      assert.deepStrictEqual([first.failure, second.failure, first.unspoken, second.unspoken], [null, null, 0, 0])
    } catch (error) {
      for (const tag of ["feature", "feature-codex", "again"]) {
        const told = await runLeap(env, ["screen", tag])
        process.stderr.write(`--- ${tag}\n${told.out}${told.err}`)
      }
      process.stderr.write(JSON.stringify([first.exchanges, second.exchanges], null, 1))
      throw error
    } finally {
      await runLeap(env, ["stop", "--all", "--force"])
      await first.close()
      await second.close()
    }
  })
})
