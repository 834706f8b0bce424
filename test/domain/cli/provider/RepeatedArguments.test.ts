import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { divideArguments } from "../../../../src/domain/cli/provider/RepeatedArguments.ts"
import { launchArguments } from "../../../../src/domain/cli/provider/Launch.ts"
import { claudeSyntax } from "../../../../src/domain/providers/claude/Arguments.ts"
import { codexArguments, codexSyntax } from "../../../../src/domain/providers/codex/Arguments.ts"
import { copilotSyntax } from "../../../../src/domain/providers/copilot/Arguments.ts"
import { cursorAgentSyntax } from "../../../../src/domain/providers/cursor-agent/Arguments.ts"
import { geminiSyntax } from "../../../../src/domain/providers/gemini/Arguments.ts"
import { opencodeSyntax } from "../../../../src/domain/providers/opencode/Arguments.ts"

const syntaxes = {
  claude: claudeSyntax,
  codex: codexSyntax,
  copilot: copilotSyntax,
  "cursor-agent": cursorAgentSyntax,
  gemini: geminiSyntax,
  opencode: opencodeSyntax
}

describe("the arguments of a start that belong to its session", () => {
  it.each<
    readonly [
      cli: keyof typeof syntaxes,
      args: ReadonlyArray<string>,
      kept: ReadonlyArray<string>,
      leftOut: ReadonlyArray<string>
    ]
  >([
    ["claude", ["--disallowedTools=Bash", "fix the bug"], ["--disallowedTools=Bash"], ["the prompt"]],
    ["claude", ["--dangerously-skip-permissions", "fix it"], ["--dangerously-skip-permissions"], ["the prompt"]],
    ["claude", ["-c", "--model=opus"], ["--model=opus"], ["-c"]],
    ["claude", ["--resume", "0e1", "--fork-session", "--tools", ""], ["--tools", ""], ["--resume", "--fork-session"]],
    ["claude", ["-r", "--restricted"], ["--restricted"], ["-r"]],
    ["claude", ["--session-id=0e1", "--strict-mcp-config"], ["--strict-mcp-config"], ["--session-id"]],
    ["claude", ["-w", "feature", "--effort", "low"], ["--effort", "low"], ["-w"]],
    ["claude", ["-p", "say hello"], [], ["-p", "the prompt"]],
    ["claude", ["--model", "haiku", "--", "--not-a-flag"], ["--model", "haiku"], ["the prompt"]],
    ["claude", ["--of-tomorrow", "strict", "--model", "x"], ["--of-tomorrow", "strict", "--model", "x"], []],
    ["claude", ["--of-tomorrow", "do the work"], [], ["--of-tomorrow", "the prompt"]],
    ["codex", ["resume", "0e1", "--sandbox=read-only"], ["--sandbox=read-only"], ["resume", "the prompt"]],
    ["codex", ["fork", "--last", "-c", "model=x"], ["-c", "model=x"], ["fork", "--last"]],
    ["codex", ["-C", "/elsewhere", "-i", "a.png", "b.png", "-mgpt"], ["-mgpt"], ["-C", "-i"]],
    ["gemini", ["--approval-mode", "plan", "-i", "look around"], ["--approval-mode", "plan"], ["-i"]],
    ["gemini", ["-s", "-r", "latest", "-e", "none"], ["-s", "-e", "none"], ["-r"]],
    ["gemini", ["--session-id", "0e1", "--policy", "a", "b", "-y"], ["--policy", "a", "b", "-y"], ["--session-id"]],
    ["copilot", ["--deny-tool", "shell(rm)", "--resume"], ["--deny-tool", "shell(rm)"], ["--resume"]],
    ["copilot", ["-i", "go on", "--plan", "-C", "/there", "-n", "one"], ["--plan"], ["-i", "-C", "-n"]],
    ["opencode", ["-m", "a/b", "--prompt", "hello", "there"], ["-m", "a/b"], ["--prompt", "the directory"]],
    ["opencode", ["-s", "ses_1", "--fork", "--agent", "plan"], ["--agent", "plan"], ["-s", "--fork"]],
    ["cursor-agent", ["--api-key", "secret", "--mode", "plan"], ["--mode", "plan"], ["--api-key"]],
    ["cursor-agent", ["-H", "Authorization: x", "--sandbox", "enabled"], ["--sandbox", "enabled"], ["-H"]],
    ["cursor-agent", ["resume", "--resume=c1", "--plan", "do it"], ["--plan"], ["resume", "--resume", "the prompt"]]
  ])("of %s, %j: %j, and not %j", (cli, args, kept, leftOut) => {
    assert.deepStrictEqual(divideArguments(syntaxes[cli], args), { kept, leftOut })
    // what goes on is started with these, and leaves nothing more out
    assert.deepStrictEqual(divideArguments(syntaxes[cli], kept), { kept, leftOut: [] })
  })

  it("of a CLI whose command line is not known are all", () => {
    const args = ["aider", "--resume", "x", "a prompt"]
    assert.deepStrictEqual(divideArguments(null, args), { kept: args, leftOut: [] })
  })

  it.each(Object.entries(syntaxes))(
    "of %s are each read by one table, and only known ones are for once",
    (_, syntax) => {
      const all = [...syntax.none, ...syntax.one, ...syntax.maybe, ...syntax.many]
      assert.lengthOf(new Set(all), all.length)
      assert.deepStrictEqual(
        syntax.once.filter((name) => !all.includes(name)),
        []
      )
    }
  )

  it.prop(
    "are a part of them in their order, the same however often it goes on, and all of them where nothing is left out",
    [
      Schema.Literals(["claude", "codex", "copilot", "cursor-agent", "gemini", "opencode"]),
      Schema.Array(
        Schema.Union([Schema.Literals(["--model", "-c", "--resume", "--", "--new", "-i", "x y"]), Schema.String])
      )
    ],
    ([cli, args]) => {
      const { kept, leftOut } = divideArguments(syntaxes[cli], args)
      let from = 0
      for (const word of kept) {
        from = args.indexOf(word, from) + 1
        assert.isAbove(from, 0)
      }
      assert.deepStrictEqual(divideArguments(syntaxes[cli], kept), { kept, leftOut: [] })
      // a lone `--` at the end says nothing, unless it is the value of the flag before it
      const isBare = args.at(-1) === "--" && kept.length < args.length
      if (leftOut.length === 0) assert.deepStrictEqual(kept, isBare ? args.slice(0, -1) : args)
    }
  )

  it("Codex takes what its arguments were behind what resumes", () => {
    const { kept } = divideArguments(codexSyntax, ["fix it", "-s", "read-only"])
    const args = launchArguments(
      { takesCommand: false },
      { resume: ["-C", "/a", "resume", "0e1"], flags: [], args: kept }
    )
    assert.deepStrictEqual(codexArguments(args), ["--no-daemon", "-C", "/a", "resume", "0e1", "-s", "read-only"])
  })
})
