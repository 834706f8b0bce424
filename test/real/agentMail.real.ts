import { assert, describe, it } from "@effect/vitest"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { makeProject, untilStatus } from "./hosted.ts"
import { bundle, runLeap, type Status } from "./leap.ts"
import { FakeModel, type Reply, say } from "./model/FakeModel.ts"

const server = { command: process.execPath, args: [bundle, "mcp"] }

/** Adds leap to what each CLI's own settings name as its MCP servers, with leave for its tool "send". */
const addServer = (home: string) => {
  const file = join(home, ".claude.json")
  const settings = JSON.parse(readFileSync(file, "utf8")) as object
  writeFileSync(file, JSON.stringify({ ...settings, mcpServers: { leap: { type: "stdio", ...server } } }))
  writeFileSync(
    join(home, ".claude/settings.json"),
    JSON.stringify({ permissions: { defaultMode: "default", allow: ["mcp__leap__send"] } })
  )
  appendFileSync(
    join(home, ".codex/config.toml"),
    `
[mcp_servers.leap]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
default_tools_approval_mode = "approve"
`
  )
}

const fromClaude = (input: object): Reply => ({ blocks: [{ type: "tool", name: "mcp__leap__send", input }] })
const fromCodex = (input: object): Reply => ({
  blocks: [
    {
      type: "tool",
      name: "exec",
      freeform: true,
      input: `const r = await tools.mcp__leap__send(${JSON.stringify(input)});\ntext(JSON.stringify(r));`
    }
  ]
})

describe("the post office", () => {
  it("carries messages between Claude Code and Codex, each told whose it is", async () => {
    const home = join(process.env["HOME"] ?? "", "post-office")
    const project = join(home, "project")
    makeProject(project)
    const [author, reviewer] = [new FakeModel(claude.wire), new FakeModel(codex.wire)]
    const env = {
      ...process.env,
      ...claude.prepare(home, project, await author.open()),
      ...codex.prepare(home, project, await reviewer.open()),
      HOME: home
    }
    addServer(home)
    const leap = async (args: ReadonlyArray<string>) => {
      const ran = await runLeap(env, args)
      assert.strictEqual(ran.code, 0, `leap ${args.join(" ")}\n${ran.err}${ran.out}`)
      return ran.out
    }
    const status = async (tag: string) => {
      const { sessions } = JSON.parse(await leap(["status", tag, "--json"])) as { sessions: ReadonlyArray<Status> }
      return sessions[0]!
    }
    try {
      await leap(["hooks", "install", "--cli", "claude"])
      await leap(["hooks", "install", "--cli", "codex"])
      for (const [tag, cli] of [
        ["author", "claude"],
        ["reviewer", "codex"]
      ] as const)
        await leap([tag, "--cli", cli, "--cwd", project, "--detach"])
      for (const tag of ["author", "reviewer"])
        await untilStatus(
          `${tag} is up`,
          () => status(tag),
          ({ ready, state }) => state === "idle" && ready
        )

      author.script(
        fromClaude({ tag: "reviewer", text: "Please review README.md." }),
        say("I have asked for a review.")
      )
      reviewer.script(fromCodex({ tag: "author", text: "It is fine." }), say("I have answered."))
      author.script(say("The review is in."))
      await leap(["send", "author", "Have it reviewed.", "--wait", "--timeout", "60"])
      await author.until(
        "the answer has come",
        (main) => main.length === 3 && main.every(({ endedAt }) => endedAt !== null)
      )

      assert.match(
        reviewer.main[0]?.conversation.at(-1) ?? "",
        /^\[leap\] message \w+ from the agent in session 'author', not from your user \(hop 1\)\. [^\n]+\n> Please review README\.md\.$/
      )
      assert.match(
        author.main.at(-1)?.conversation.at(-1) ?? "",
        /^\[leap\] message \w+ from the agent in session 'reviewer', not from your user \(hop 2\)\. [^\n]+\n> It is fine\.$/
      )
      assert.match(await leap(["audit", "reviewer"]), /from author \(hop 1\): Please review README\.md\./)
      assert.match(await leap(["audit", "author"]), /from reviewer \(hop 2\): It is fine\./)
      assert.deepStrictEqual([author.failure, reviewer.failure, author.unspoken, reviewer.unspoken], [null, null, 0, 0])
    } catch (error) {
      for (const tag of ["author", "reviewer"]) {
        const told = await runLeap(env, ["screen", tag])
        process.stderr.write(`--- ${tag}\n${told.out}${told.err}`)
      }
      process.stderr.write(JSON.stringify([author.exchanges, reviewer.exchanges], null, 1))
      throw error
    } finally {
      await runLeap(env, ["stop", "--all", "--force"])
      await author.close()
      await reviewer.close()
    }
  })
})
