import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import type { RealCli } from "./hosted.ts"
import { callAgent, room, skips, slowly } from "./headlessRoom.ts"
import { type Reply, say } from "./model/FakeModel.ts"

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const schema = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false
}

/** How the model gives an answer that is to fit the schema. */
const answer = (cli: RealCli, value: unknown): Reply =>
  cli.id === "claude"
    ? { blocks: [{ type: "tool", name: "StructuredOutput", input: value }] }
    : say(JSON.stringify(value))

describe.each([claude, codex, gemini, copilot, opencode].map((cli) => [cli.id, cli] as const))(
  "leap exec with %s",
  (_, cli) => {
    it("holds an answer to a schema", () =>
      room(cli, "schema", async ({ api, exec, project }) => {
        const file = join(project, "schema.json")
        writeFileSync(file, JSON.stringify(schema))
        api.otherwise = say("That is all.")
        const keeps = cli.id === "claude" || cli.id === "codex"
        api.script(...(keeps ? [] : [say("It is one.")]), answer(cli, { n: 1 }))
        const { code, document, err } = await exec("--schema", file, "how many?")
        assert.deepStrictEqual([code, document["json"]], [0, { n: 1 }], `${err}\n${JSON.stringify(document)}`)
        if (cli.id === "claude") {
          api.script(cli.look("README.md"), say("More."))
          const spent = await exec("--max-cost", "0.0001", "go on")
          assert.strictEqual(spent.code, 12, `${spent.err}${JSON.stringify(spent.document)}`)
          assert.match(spent.err, /budget|limit of cost/)
        }
        if (cli.id !== "codex") return
        api.script(say('{"n":"one"}'))
        const wrong = await exec("--schema", file, "how many?")
        assert.strictEqual(wrong.code, 13, wrong.err)
        assert.match(wrong.err, /\/n must be integer/)
      }))

    it("begins no request that would exceed a limit of tokens", () =>
      room(cli, "budget", async ({ api, exec }) => {
        const each = 1_220
        for (const requests of [1, 2.5, 4.5]) {
          const before = api.main.length
          api.script(...Array.from({ length: 8 }, () => slowly(cli.look("README.md"))), say("Read."))
          const spent = await exec(...skips(cli), "--max-tokens-total", String(Math.ceil(requests * each)), "read it")
          assert.strictEqual(spent.code, 12, `${spent.err}${JSON.stringify(spent.document)}`)
          assert.match(spent.err, /limit of tokens/)
          assert.isAtMost(api.main.length - before, Math.floor(requests) + 1)
          api.forget()
        }
      }))

    it("ends before the turn behind the last that it may have, whatever the CLI calls one", () =>
      room(cli, "turns", async ({ api, exec }) => {
        for (const turns of [1, 3]) {
          const before = api.main.length
          api.script(...Array.from({ length: 8 }, () => slowly(cli.look("README.md"))), say("Read."))
          const ended = await exec(...skips(cli), "--max-turns", String(turns), "read it")
          assert.strictEqual(ended.code, 12, `${ended.err}${JSON.stringify(ended.document)}`)
          const asked = api.main.length - before
          // what has gone out is not called back
          assert.isTrue(asked === turns || asked === turns + 1, `${asked} requests for ${turns} turns`)
          api.forget()
        }
      }))

    it.runIf(cli.id === "codex")(
      "takes no tool of one request for another turn, though they run one after another",
      () =>
        room(cli, "one-by-one", async ({ api, exec }) => {
          const files = ["README.md", ".git/HEAD", ".git/config"]
          const input = files
            .map((file) => `text((await tools.exec_command(${JSON.stringify({ cmd: `cat ${file}` })})).output);`)
            .join("\n")
          api.script({ blocks: [{ type: "tool", name: "exec", freeform: true, input }] }, say("Read."))
          const { code, document, err } = await exec(...skips(cli), "--max-turns", "2", "read it")
          assert.deepStrictEqual([code, document["text"]], [0, "Read."], err)
          assert.strictEqual(api.main.length, 2)
        })
    )

    it("shows the model a picture, with each turn that has one", () =>
      room(cli, "picture", async ({ api, exec, leap, project }) => {
        const file = join(project, "two words.png")
        writeFileSync(file, dot)
        api.script(say("A dot."))
        const { code, document, err } = await exec("--image", file, "what is this?")
        assert.deepStrictEqual([code, document["text"]], [0, "A dot."], err)
        assert.strictEqual(api.main.at(-1)?.images, 1)
        assert.include(api.main.at(-1)?.conversation.join("\n") ?? "", "what is this?")
        const chat = ["chat", "--provider", cli.id, "--cwd", project, "--name", `${cli.id}-talk`]
        const schemaFile = join(project, "schema.json")
        writeFileSync(schemaFile, JSON.stringify(schema))
        for (const count of [1, 2]) {
          api.script(say('{"n":1}'))
          const turn = await leap([
            ...chat,
            "--image",
            file,
            ...(cli.id === "codex" ? ["--schema", schemaFile] : []),
            "and?"
          ])
          assert.deepStrictEqual([turn.code, turn.out], [0, '{"n":1}\n'], turn.err)
          assert.strictEqual(api.main.at(-1)?.images, count)
        }
      }))

    it("does nothing that leap's rules forbid", () =>
      room(cli, "rules", async ({ api, exec, home, leap, project }) => {
        const settings = join(home, ".config/leap")
        mkdirSync(settings, { recursive: true })
        const policy = { deny: [{ command: "rm *", reason: "nothing is deleted here" }] }
        writeFileSync(join(settings, "settings.json"), JSON.stringify({ policy }))
        const refused = await exec(...skips(cli), "delete it")
        assert.deepStrictEqual([refused.code, api.main.length], [2, 0], refused.err)
        assert.match(refused.err, /leap hooks install/)
        assert.strictEqual((await leap(["hooks", "install", "--cli", cli.id])).code, 0)
        api.script(cli.shell("rm README.md"), cli.shell("touch made.txt"), say("I may not."))
        const { code, document, err } = await exec(...skips(cli), "delete it")
        assert.strictEqual(code, 0, `${err}${JSON.stringify(document)}`)
        assert.isTrue(existsSync(join(project, "README.md")), "it is still there")
        if (cli.id !== "codex") assert.isTrue(existsSync(join(project, "made.txt")), "another command ran")
        const refusals = document["refused"] as ReadonlyArray<{ readonly why: string }>
        assert.strictEqual(refusals.length, 1, JSON.stringify(refusals))
        assert.include(refusals[0]?.why, "nothing is deleted here")
        assert.include(api.main.map(({ toolResults }) => toolResults.join("\n")).join("\n"), "nothing is deleted here")
      }))

    // Codex has a sandbox of its own
    it.runIf(cli.id !== "codex")("writes nothing where it may only read, and only there where it may write", () =>
      room(cli, "sandbox", async ({ api, exec, leap, project }) => {
        const run = async (sandbox: string, ...replies: ReadonlyArray<string | Reply>) => {
          const before = api.main.length
          api.script(...replies.map((one) => (typeof one === "string" ? cli.shell(one) : one)), say("That is all."))
          const { code, document, err } = await exec("--sandbox", sandbox, ...skips(cli), "try it")
          assert.strictEqual(code, 0, err)
          const results = api.main.slice(before).map(({ toolResults }) => toolResults.join("\n"))
          return { refused: document["refused"] as ReadonlyArray<unknown>, results: results.join("\n") }
        }
        const unwired = await exec("--sandbox", "read-only", ...skips(cli), "try it")
        assert.deepStrictEqual([unwired.code, api.main.length], [2, 0], unwired.err)
        assert.match(unwired.err, /leap hooks install/)
        assert.strictEqual((await leap(["hooks", "install", "--cli", cli.id])).code, 0)

        // not below /tmp, where the project may write
        const out = `/var/tmp/leap-${process.pid}-${cli.id}`
        const tries = ["touch a", "echo x > b", "cp README.md c", "sed -i s/small/big/ README.md", `touch ${out}`]
        const looked = await run("read-only", "cat README.md", ...tries)
        assert.include(looked.results, "A small project")
        assert.deepStrictEqual(readdirSync(project).toSorted(), [".git", "README.md"])
        assert.strictEqual(readFileSync(join(project, "README.md"), "utf8"), "# A small project\n")
        assert.strictEqual(looked.refused.length, tries.length, looked.results)

        // nor through an agent of its own, which may say more than its part
        api.otherwise = say("Nothing more.")
        const asked = await run("read-only", callAgent(cli), "touch by-agent", say("I tried."))
        assert.isAbove(asked.refused.length, 0, asked.results)
        assert.isFalse(existsSync(join(project, "by-agent")))
        api.forget()

        const hook = join(project, ".git/hooks/post-commit")
        const worked = await run("workspace-write", "touch in", `touch ${out}`, "echo x > .git/hooks/post-commit")
        assert.isTrue(existsSync(join(project, "in")), worked.results)
        assert.deepStrictEqual([existsSync(out), existsSync(hook), worked.refused.length], [false, false, 2])
      })
    )

    it("hears the system prompt of each turn of a conversation, and the last one where a turn has none", () =>
      room(cli, "system", async ({ api, leap, project }) => {
        const heard: Array<ReadonlyArray<string>> = []
        for (const system of ["Speak like ALPHA.", "Speak like BRAVO.", null]) {
          api.script(say("Yes."))
          api.heard = ""
          const own = system === null ? [] : ["--system-prompt", system]
          const state = join(project, "talk.json")
          const words = ["chat", "--provider", cli.id, "--cwd", project, "--state", state, ...own, "hello"]
          const { code, err } = await leap(words)
          assert.strictEqual(code, 0, err)
          heard.push(["ALPHA", "BRAVO"].filter((name) => api.heard.includes(name)))
        }
        // it stands before the prompt, and stays in the conversation
        assert.deepStrictEqual(heard, [["ALPHA"], ["ALPHA", "BRAVO"], ["ALPHA", "BRAVO"]])
      }))

    it("reads no file that is named in what is piped in, and those that its user names", () =>
      room(cli, "data", async ({ api, leap, project }) => {
        /** Each form names a file of its own. */
        const forms = [
          "see @F end",
          "\n@F",
          "\t@F",
          "> @F",
          "- @F,",
          "(@F)",
          "x=@F",
          "`@F`",
          '@"F"',
          "'@F'",
          "\\\\@F",
          "@./F",
          "@F#L1-2",
          "@@F",
          "a\u00a0@F",
          "a\u3000@F",
          "\u200b@F",
          `@${project}/F`
        ]
        const line = (form: string, at: number) => {
          writeFileSync(join(project, `note${at}.txt`), `SECRET-${at}-END\n`)
          return form.replace("F", `note${at}.txt`)
        }
        const data = forms.map(line).join("\n")
        const said = "mail user@example.com\n@@ -1,2 +1,3 @@ fn"
        const secretsIn = (heard: string) => [...new Set(heard.match(/SECRET-\d+-END/g))]
        api.script(say("Read."))
        const words = ["exec", "--provider", cli.id, "--cwd", project, "review this"]
        const { code, err } = await leap(words, `${data}\n${said}\n`)
        assert.strictEqual(code, 0, err)
        assert.deepStrictEqual(secretsIn(api.heard), [])
        assert.include(api.heard, "note0.txt")
        assert.include(api.heard, "user")
        const reads = cli.id === "claude" || cli.id === "gemini"
        assert.strictEqual(/no file is read for it/.test(err), reads, err)
        api.script(say("Read."))
        await leap([...words.slice(0, -1), "see @note0.txt end"])
        assert.deepStrictEqual(secretsIn(api.heard), reads ? ["SECRET-0-END"] : [])
      }))
  }
)
