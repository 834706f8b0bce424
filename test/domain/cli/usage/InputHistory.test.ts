import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { claudeHistory } from "../../../../src/domain/providers/claude/History.ts"
import { codexHistory } from "../../../../src/domain/providers/codex/History.ts"
import { copilotHistory } from "../../../../src/domain/providers/copilot/History.ts"
import { cursorAgentHistory } from "../../../../src/domain/providers/cursor-agent/History.ts"
import { geminiHistory } from "../../../../src/domain/providers/gemini/History.ts"
import { opencodeHistory } from "../../../../src/domain/providers/opencode/History.ts"
import { fixture } from "../../../support/data/usage.ts"

const typed = ["What is the answer?", 'Make the folder:\n\n"out" with ünïcödé 日本語\nfour lines', "Last one."]
const home = { HOME: "/home/dev" }
const histories = {
  claude: [claudeHistory, "claude/history.jsonl", "/home/dev/.claude/history.jsonl"],
  codex: [codexHistory, "codex/history.jsonl", "/home/dev/.codex/history.jsonl"],
  gemini: [geminiHistory, "gemini/logs.json", "/home/dev/.gemini/tmp/project/logs.json"],
  copilot: [copilotHistory, "copilot/command-history-state.json", "/home/dev/.copilot/command-history-state.json"],
  opencode: [opencodeHistory, "opencode/prompt-history.jsonl", "/home/dev/.local/state/opencode/prompt-history.jsonl"]
} as const

describe("what was typed", () => {
  it.each(Object.entries(histories))(
    "%s: a real CLI's file, oldest first, with what was pasted",
    (_, [history, file, path]) => {
      const index = history.index === null ? null : fixture("gemini/projects.json")
      assert.strictEqual(history.file(home, "/home/dev/project", index), path)
      assert.deepStrictEqual(history.prompts(fixture(file), "/home/dev/project"), typed)
    }
  )

  it.each([
    ...Object.entries(histories).map(([name, [history]]) => [name, history] as const),
    ["cursor-agent", cursorAgentHistory] as const
  ])("%s: what is missing, malformed or of another shape holds nothing", (_, history) => {
    for (const text of [
      "",
      "\n\n",
      "{",
      "[",
      "null",
      "5",
      '"text"',
      "[1,null,{}]",
      '{"commandHistory":5}',
      '{"commandHistory":[1,"  "]}',
      "\u0000\ufffd"
    ]) {
      assert.deepStrictEqual(history.prompts(text, "/p"), [])
    }
  })

  it.each(Object.entries(histories).map(([name, [history, file]]) => [name, history, file] as const))(
    "%s: truncated at every byte is read as far as it goes",
    (_, history, file) => {
      const bytes = Buffer.from(fixture(file))
      for (let end = 0; end < bytes.length; end++) {
        const prompts = history.prompts(bytes.subarray(0, end).toString("utf8"), "/home/dev/project")
        assert.isAtMost(prompts.length, 3)
        assert.deepStrictEqual(prompts, typed.slice(0, prompts.length))
      }
    }
  )

  it.prop("takes any text", { text: Schema.String, cwd: Schema.String }, ({ cwd, text }) => {
    for (const [history] of Object.values(histories))
      for (const prompt of history.prompts(text, cwd)) assert.isString(prompt)
    assert.isTrue([null, "string"].includes(geminiHistory.file(home, cwd, text) === null ? null : "string"))
  })
})

describe("Claude Code's history", () => {
  const line = (display: unknown, pastedContents: unknown = {}, project: unknown = "/p") =>
    JSON.stringify({ display, pastedContents, project })
  const of = (...lines: ReadonlyArray<string>) => claudeHistory.prompts(lines.join("\n"), "/p")
  it("is that of the directory alone", () =>
    assert.deepStrictEqual(of(line("a"), line("b", {}, "/q"), line("c", {}, null), line("d")), ["a", "d"]))

  it.each([
    ["[Pasted text #1]", {}, "[Pasted text #1]"],
    ["[Pasted text #1]", { 1: { content: 5 } }, "[Pasted text #1]"],
    ["[Pasted text #1]", null, "[Pasted text #1]"],
    ["[Image #1] look", { 1: { type: "image", content: "base64" } }, "[Image #1] look"],
    ["[Pasted text #1]", { 1: { content: "costs $& and $1" } }, "costs $& and $1"]
  ])("%s with %j", (display, pasted, prompt) => assert.deepStrictEqual(of(line(display, pasted)), [prompt]))

  it("an entry that is empty in the end is dropped", () =>
    assert.deepStrictEqual(of(line("[Pasted text #1]", { 1: { content: " " } }), line(""), line(5)), []))
})

describe("the others", () => {
  it("Cursor's is a list, oldest first, and not what is no text", () =>
    assert.deepStrictEqual(cursorAgentHistory.prompts('["old",5,null,"new"]', "/p"), ["old", "new"]))
  it("Gemini's is found by its registry, by safe names alone", () => {
    const file = (projects: unknown) => geminiHistory.file(home, "/p", JSON.stringify({ projects }))
    assert.strictEqual(file({ "/p": "p-1" }), "/home/dev/.gemini/tmp/p-1/logs.json")
    for (const projects of [{}, { "/p": "../x" }, { "/p": 5 }, [], null, { "/q": "q" }]) assert.isNull(file(projects))
    assert.isNull(geminiHistory.file(home, "toString", '{"projects":{}}'))
    assert.isNull(geminiHistory.file(home, "/p", null))
  })
  it("Gemini's has what the user said", () =>
    assert.deepStrictEqual(
      geminiHistory.prompts(
        JSON.stringify([{ type: "user", message: "/help" }, { type: "info", message: "x" }, { type: "user" }, 5]),
        "/p"
      ),
      ["/help"]
    ))
  it("OpenCode's folded pastes are unfolded, several of them too", () => {
    const part = (start: number, value: string, text: string) => ({
      type: "text",
      text,
      source: { text: { start, end: start + value.length, value } }
    })
    const entry = {
      input: "a [1] b [2]",
      parts: [part(2, "[1]", "ONE"), part(8, "[2]", "$&"), { type: "file" }, part(99, "[9]", "x")]
    }
    assert.deepStrictEqual(opencodeHistory.prompts(JSON.stringify(entry), "/p"), ["a ONE b $&"])
  })
  it("each CLI's own directory may be another one", () => {
    assert.strictEqual(claudeHistory.file({ ...home, CLAUDE_CONFIG_DIR: "/c" }, "/p", null), "/c/history.jsonl")
    assert.strictEqual(codexHistory.file({ ...home, CODEX_HOME: "/c" }, "/p", null), "/c/history.jsonl")
    assert.strictEqual(
      copilotHistory.file({ ...home, COPILOT_HOME: "/c" }, "/p", null),
      "/c/command-history-state.json"
    )
  })
})
