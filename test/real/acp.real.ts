import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { openEditor } from "../support/processes/Editor.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { endless, hosted, type RealCli } from "./hosted.ts"
import { bundle } from "./leap.ts"
import { say } from "./model/FakeModel.ts"
import { each } from "../support/data/fields.ts"

/** What an editor shows of a session that ran before it came, and does in it. */
const checkInAnEditor = (cli: RealCli, { replays = true } = {}) =>
  hosted(cli, `${cli.id}-acp`, async ({ api, env, leap, project, tag, until }) => {
    await until("at rest", ({ ready }) => ready)
    api.script(say("It is a small project."))
    await leap(["send", tag, "What is this?", "--wait", "--timeout", "60"])
    const asked: Array<string> = []
    const editor = await openEditor({
      command: [process.execPath, bundle, "acp", tag],
      env,
      choose: ({ options, toolCall }) => {
        asked.push(`${toolCall.title}: ${options.map(({ kind }) => kind).join(" ")}`)
        return (options.find(({ kind }) => kind === "allow_once") ?? options[1])?.optionId ?? "none"
      }
    })
    try {
      const { sessions } = await editor.agent.request("session/list", {})
      assert.deepStrictEqual(each(sessions, "sessionId"), [tag])
      await editor.load(tag, project)
      const past = editor.lines()
      if (replays) assert.deepStrictEqual(past, ["> What is this?", "It is a small project."])
      else assert.match(past.join(), /^\[leap\] what was said before is not told: [^,]+$/)

      api.script(cli.shell("touch made-by-an-editor"), say("It is there."))
      const turn = await editor.prompt(tag, "Make a file.")
      assert.deepInclude(turn, { stopReason: "end_turn" })
      assert.isTrue(existsSync(join(project, "made-by-an-editor")), "what the editor's user allowed was done")
      assert.strictEqual(asked.length, 1, asked.join("\n"))
      assert.match(asked[0]!, /\ballow_once\b/)
      const lines = editor.lines().slice(past.length)
      assert.strictEqual(lines.at(-1), "It is there.")
      assert.strictEqual(lines.length, new Set(lines).size, `each once: ${lines.join(" | ")}`)
      assert.isFalse(
        lines.some((line) => line.startsWith("> ")),
        "its own prompt is not repeated"
      )
      assert.isTrue(
        editor.tools().some((tool) => /touch made-by-an-editor: completed$/.test(tool)),
        editor.tools().join("\n")
      )

      if (cli.ask !== null) {
        api.script(cli.ask("Which library?", ["left-pad", "is-odd"]), say("So be it."))
        assert.deepInclude(await editor.prompt(tag, "Take a library."), { stopReason: "end_turn" })
        assert.match(asked.at(-1)!, /Which library\?: (?:reject_once ?)+$/)
        assert.include(api.main.at(-1)?.conversation.join("\n") ?? "", "Take a library.")
        assert.strictEqual(editor.lines().at(-1), "So be it.")
      }

      const { end, reply } = endless("It goes on and on. ")
      api.script(reply)
      const before = api.main.length
      const long = editor.prompt(tag, "Tell me a long story.")
      await api.until("the story begins", (main) => main.length > before)
      await until("it works", ({ state }) => state === "running")
      await editor.agent.notify("session/cancel", { sessionId: tag })
      assert.deepInclude(await long, { stopReason: "cancelled" })
      end()
      await until("it is interrupted", ({ state }) => state === "interrupted" || state === "idle")
      api.script(say("Gladly."))
      assert.deepInclude(await editor.prompt(tag, "Something else."), { stopReason: "end_turn" })
      assert.strictEqual(editor.lines().at(-1), "Gladly.")

      assert.strictEqual(await editor.close(), 0, editor.warnings())
      await until("it goes on without the editor", ({ ready, state }) => state === "idle" && ready)
    } catch (error) {
      process.stderr.write(JSON.stringify([editor.updates, asked, editor.warnings()], null, 1))
      throw error
    } finally {
      editor.kill()
    }
  })

describe("an editor at a session", () => {
  it("of Claude Code", () => checkInAnEditor(claude))
  it("of Codex", () => checkInAnEditor(codex))
  it("of Gemini CLI", () => checkInAnEditor(gemini))
  it("of Copilot CLI", () => checkInAnEditor(copilot))
  it("of OpenCode, which keeps no transcript", () => checkInAnEditor(opencode, { replays: false }))
})
