import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { AgentCall, AgentCli, AgentCommand } from "../../../../src/domain/agents/AgentCli.ts"
import { claude } from "../../../../src/domain/agents/cli/claude.ts"
import { codex } from "../../../../src/domain/agents/cli/codex.ts"
import { copilot } from "../../../../src/domain/agents/cli/copilot.ts"
import { gemini } from "../../../../src/domain/agents/cli/gemini.ts"
import { opencode } from "../../../../src/domain/agents/cli/opencode.ts"
import { aCall, freshId } from "../../../support/headless.ts"

const clis: Readonly<Record<string, AgentCli<never>["command"]>> = {
  claude: claude.command, codex: codex.command, gemini: gemini.command, copilot: copilot.command, opencode: opencode.command
}
const commandOf = (cli: string, call: Partial<AgentCall>): AgentCommand => Result.getOrThrow(clis[cli]?.(aCall(call)) ?? Result.fail({ option: "cli", why: "there is none" }))
const line = (cli: string, call: Partial<AgentCall> = {}): string => commandOf(cli, call).args.join(" ")

const whole = { model: "M", systemPrompt: "SYS", skipPermissions: true, allowedTools: "a, b(x,y)", deniedTools: ["c"], maxTurns: 3, effort: "high" } as const

describe("the command line of a run", () => {
  it.each<[string, Partial<AgentCall>, string]>([
    ["claude", {}, "-p --output-format stream-json --verbose --include-partial-messages"],
    ["claude", { options: whole }, "-p --model M --output-format stream-json --verbose --include-partial-messages --system-prompt SYS --allowedTools a,b(x,y) --disallowedTools c --dangerously-skip-permissions --max-turns 3 --effort high"],
    ["claude", { sessionId: "ID", options: { systemPrompt: "SYS" } }, "-p --output-format stream-json --verbose --include-partial-messages -r ID"],
    ["claude", { sessionId: "ID", fork: true }, "-p --output-format stream-json --verbose --include-partial-messages -r ID --fork-session"],
    ["codex", {}, "exec --json --skip-git-repo-check -"],
    ["codex", { options: whole }, "exec --json --skip-git-repo-check --model M --dangerously-bypass-approvals-and-sandbox -c model_reasoning_effort=\"high\" -"],
    ["codex", { sessionId: "ID" }, "exec --json --skip-git-repo-check resume ID -"],
    ["codex", { sessionId: "ID", fork: true }, "exec --json --skip-git-repo-check fork ID -"],
    ["gemini", {}, "--output-format stream-json"],
    ["gemini", { options: whole }, "--approval-mode=yolo --skip-trust --output-format stream-json --model M --allowed-tools=a --allowed-tools=b(x,y)"],
    ["gemini", { sessionId: "ID" }, "--output-format stream-json --resume ID"],
    ["copilot", {}, `--session-id=${freshId} --output-format=json --silent`],
    ["copilot", { options: whole }, `--session-id=${freshId} --output-format=json --silent --model=M --effort=high --allow-tool=a --allow-tool=b(x,y) --deny-tool=c --allow-all`],
    ["copilot", { sessionId: "ID" }, "--resume=ID --output-format=json --silent"],
    ["opencode", {}, "run --format json --thinking"],
    ["opencode", { options: whole }, "run --format json --thinking --model M --variant high --dangerously-skip-permissions"],
    ["opencode", { sessionId: "ID" }, "run --format json --thinking -s ID"],
    ["opencode", { sessionId: "ID", fork: true }, "run --format json --thinking -s ID --fork"]
  ])("%s %o", (cli, call, args) => assert.strictEqual(line(cli, call), args))

  it.each([
    ["claude", []],
    ["codex", ["allowedTools", "deniedTools", "maxTurns"]],
    ["gemini", ["deniedTools", "maxTurns", "effort"].toSorted()],
    ["copilot", ["maxTurns"]],
    ["opencode", ["maxTurns"]]
  ] as const)("%s says what it has nothing for", (cli, ignored) => {
    assert.deepStrictEqual(commandOf(cli, { options: whole }).ignored.toSorted(), [...ignored])
    assert.deepStrictEqual(commandOf(cli, { options: { temperature: 1, apiKey: "k" } }).ignored.toSorted(), ["apiKey", "temperature"])
    assert.deepStrictEqual(commandOf(cli, {}).ignored, [])
  })

  it.each(["claude", "codex", "gemini", "copilot", "opencode"])("%s gets the prompt through its standard input, the system prompt with the first", (cli) => {
    const prompt = "-rm \"x\" `y` $Z\n🙂"
    assert.strictEqual(commandOf(cli, { prompt }).stdin, prompt)
    const first = commandOf(cli, { prompt, options: { systemPrompt: "SYS" } })
    assert.strictEqual(first.stdin, cli === "claude" ? prompt : `SYS\n\n${prompt}`)
    const resumed = commandOf(cli, { prompt, sessionId: "ID", options: { systemPrompt: "SYS" } })
    assert.strictEqual(resumed.stdin, prompt)
    assert.notInclude(resumed.args.join(" "), "SYS")
  })

  it("OpenCode is told of tools by its environment", () => {
    assert.deepStrictEqual(commandOf("opencode", { options: whole }).env, { OPENCODE_PERMISSION: "{\"a\":\"allow\",\"b(x,y)\":\"allow\",\"c\":\"deny\"}" })
    assert.deepStrictEqual(commandOf("opencode", {}).env, {})
  })

  it.each(["gemini", "copilot"])("%s refuses to go on in a copy that it cannot make", (cli) => {
    assert.deepStrictEqual(Result.map(Result.flip(clis[cli]?.(aCall({ sessionId: "ID", fork: true })) ?? Result.fail({ option: "", why: "" })), ({ option }) => option), Result.succeed("fork"))
  })

  const values = Schema.Union([Schema.String, Schema.Literals(["-x", "--dangerously-skip-permissions", "", " ", "a\0b", "-"])])
  it.prop("lets no value become an option", { model: values, effort: values, sessionId: Schema.NullOr(values), tools: Schema.Array(values), prompt: values }, ({ effort, model, prompt, sessionId, tools }) => {
    const plain = new Set(Object.keys(clis).flatMap((cli) => [...commandOf(cli, {}).args, ...commandOf(cli, { options: { ...whole, model: "M" } }).args, ...commandOf(cli, { sessionId: "ID" }).args].map((arg) => arg.replace(/=.*/s, ""))))
    for (const build of Object.values(clis)) {
      const built = build(aCall({ prompt, sessionId, options: { model, effort, allowedTools: tools, deniedTools: tools } }))
      if (Result.isFailure(built)) {
        assert.isNotEmpty(built.failure.why)
        continue
      }
      for (const arg of built.success.args) if (arg.startsWith("-")) assert.isTrue(plain.has(arg.replace(/=.*/s, "")), arg)
      assert.isTrue(built.success.stdin?.endsWith(prompt))
      assert.notInclude([...built.success.args, built.success.stdin ?? ""].join(""), "\0")
    }
  })
})
