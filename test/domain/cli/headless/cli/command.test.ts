import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { AgentCall, AgentCli, AgentCommand } from "../../../../../src/domain/cli/headless/AgentCli.ts"
import type { AgentOptions } from "../../../../../src/domain/cli/headless/AgentOptions.ts"
import { claudeHeadless } from "../../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../../src/domain/providers/opencode/Headless.ts"
import { aCall, freshId } from "../../../../support/headless/headless.ts"

const clis: Readonly<Record<string, AgentCli<never>["command"]>> = {
  claude: claudeHeadless.command,
  codex: codexHeadless.command,
  gemini: geminiHeadless.command,
  copilot: copilotHeadless.command,
  opencode: opencodeHeadless.command
}
const commandOf = (cli: string, call: Partial<AgentCall>): AgentCommand =>
  Result.getOrThrow(clis[cli]?.(aCall(call)) ?? Result.fail({ option: "cli", why: "there is none" }))
const line = (cli: string, call: Partial<AgentCall> = {}): string => commandOf(cli, call).args.join(" ")

const whole = {
  model: "M",
  systemPrompt: "SYS",
  skipPermissions: true,
  allowedTools: "a, b(x,y)",
  deniedTools: ["c"],
  maxTurns: 3,
  effort: "high"
} as const

/** The options that a CLI has something for. */
const kept = (cli: string): AgentOptions => {
  const { allowedTools, deniedTools, effort, maxTurns, ...others } = whole
  return cli === "codex"
    ? { ...others, effort }
    : cli === "gemini"
      ? { ...others, allowedTools, maxTurns }
      : { ...others, allowedTools, deniedTools, effort, maxTurns }
}

describe("the command line of a run", () => {
  it.each<[string, Partial<AgentCall>, string]>([
    ["claude", {}, "-p --output-format stream-json --verbose --include-partial-messages"],
    [
      "claude",
      { options: whole },
      "-p --model M --output-format stream-json --verbose --include-partial-messages --system-prompt SYS --allowedTools a,b(x,y) --disallowedTools c --dangerously-skip-permissions --max-turns 3 --effort high"
    ],
    [
      "claude",
      { sessionId: "ID", options: { systemPrompt: "SYS" } },
      "-p --output-format stream-json --verbose --include-partial-messages -r ID"
    ],
    [
      "claude",
      { sessionId: "ID", fork: true },
      "-p --output-format stream-json --verbose --include-partial-messages -r ID --fork-session"
    ],
    ["codex", {}, "exec --json --skip-git-repo-check -"],
    [
      "codex",
      { options: kept("codex") },
      'exec --json --skip-git-repo-check --model M --dangerously-bypass-approvals-and-sandbox -c model_reasoning_effort="high" -'
    ],
    ["codex", { sessionId: "ID" }, "exec --json --skip-git-repo-check resume ID -"],
    ["codex", { sessionId: "ID", fork: true }, "exec --json --skip-git-repo-check fork ID -"],
    ["gemini", {}, "--output-format stream-json"],
    [
      "gemini",
      { options: kept("gemini") },
      "--approval-mode=yolo --skip-trust --output-format stream-json --model M --allowed-tools=a --allowed-tools=b(x,y)"
    ],
    ["gemini", { sessionId: "ID" }, "--output-format stream-json --resume ID"],
    ["copilot", {}, `--session-id=${freshId} --output-format=json --silent`],
    [
      "copilot",
      { options: whole },
      `--session-id=${freshId} --output-format=json --silent --model=M --effort=high --allow-tool=a --allow-tool=b(x,y) --deny-tool=c --allow-all`
    ],
    ["copilot", { sessionId: "ID" }, "--resume=ID --output-format=json --silent"],
    ["opencode", {}, "run --format json --thinking"],
    [
      "opencode",
      { options: whole },
      "run --format json --thinking --model M --variant high --dangerously-skip-permissions"
    ],
    ["opencode", { sessionId: "ID" }, "run --format json --thinking -s ID"],
    ["opencode", { sessionId: "ID", fork: true }, "run --format json --thinking -s ID --fork"]
  ])("%s %o", (cli, call, args) => assert.strictEqual(line(cli, call), args))

  it.each<readonly [string, refused: ReadonlyArray<string>, told: ReadonlyArray<string>]>([
    ["claude", [], ["sandbox"]],
    ["codex", ["deniedTools"], ["allowedTools"]],
    ["gemini", ["deniedTools"], ["effort", "sandbox"]],
    ["copilot", [], ["sandbox"]],
    ["opencode", [], ["sandbox"]]
  ])("%s refuses a restriction that it has nothing for, and tells what else it leaves out", (cli, unkept, told) => {
    const { allowedTools, deniedTools, effort, maxTurns } = whole
    const given = Object.entries({ allowedTools, deniedTools, effort, maxTurns, sandbox: "off" })
    const built = given.map(
      ([option, value]) => [option, clis[cli]?.(aCall({ options: { [option]: value } }))] as const
    )
    assert.deepStrictEqual(
      built.flatMap(([, one]) => (one !== undefined && Result.isFailure(one) ? [one.failure.option] : [])),
      unkept
    )
    for (const [option, one] of built) {
      if (one === undefined || Result.isFailure(one)) continue
      assert.deepStrictEqual(one.success.ignored, told.includes(option) ? [option] : [], option)
      if (told.includes(option)) assert.deepStrictEqual(one.success.args, commandOf(cli, {}).args)
    }
    const { args, ignored } = commandOf(cli, { options: { temperature: 1, apiKey: "k", deniedTools: [] } })
    assert.deepStrictEqual([args, ignored], [commandOf(cli, {}).args, []], "what is for servers alone")
  })

  const strict = { type: "object", properties: {}, required: [], additionalProperties: false }
  const open = { type: "object" }
  it.each<readonly [string, object, string | null, string | null]>([
    ["claude", open, `--json-schema {"type":"object"}`, null],
    ["claude", { type: "array" }, null, null],
    ["claude", { type: "object", title: "x".repeat(100_000) }, null, null],
    ["codex", strict, null, "--output-schema"],
    ["codex", open, null, null],
    ["gemini", strict, null, null],
    ["copilot", strict, null, null],
    ["opencode", strict, null, null]
  ])("%s is given a schema that it can keep: %#", (cli, schema, args, flag) => {
    const command = commandOf(cli, { options: { schema: { ...schema } } })
    const more = command.args.slice(commandOf(cli, {}).args.length).join(" ")
    const [file] = command.files
    assert.deepStrictEqual([more, file?.words?.("F") ?? null], [args ?? "", flag === null ? null : [flag, "F"]])
  })

  const mcpServers = {
    near: { command: "a b", args: ["$X"], env: { TOKEN: "s3cret" } },
    far: { url: "https://h/mcp", headers: { "X-Key": "k3y" } }
  }
  const kind = (type: string) => ({ near: { type, ...mcpServers.near }, far: { type: "http", ...mcpServers.far } })
  it.each<readonly [string, args: string, content: unknown]>([
    ["claude", "--mcp-config=F", { mcpServers: { ...kind("http"), near: mcpServers.near } }],
    [
      "copilot",
      "--additional-mcp-config=@F",
      {
        mcpServers: {
          near: { ...kind("local").near, tools: ["*"] },
          far: { ...kind("local").far, tools: ["*"] }
        }
      }
    ],
    [
      "opencode",
      "OPENCODE_CONFIG=F",
      {
        mcp: {
          near: { type: "local", command: ["a b", "$X"], environment: { TOKEN: "s3cret" } },
          far: { type: "remote", ...mcpServers.far }
        }
      }
    ]
  ])("%s is given MCP servers by a file", (cli, named, content) => {
    const { args, env, files } = commandOf(cli, { options: { mcpServers } })
    const [file] = files
    assert.strictEqual(
      [...(file?.words?.("F") ?? []), ...(file?.variable === undefined ? [] : [`${file.variable}=F`])].join(" "),
      named
    )
    assert.deepStrictEqual(file?.content, content)
    assert.notMatch(JSON.stringify([args, env]), /s3cret|k3y/)
  })
  it("Codex is given MCP servers by its configuration, and their secrets by variables", () => {
    const { args, env } = commandOf("codex", { options: { mcpServers } })
    assert.deepStrictEqual(
      args.slice(3, -1).filter((arg) => arg !== "-c"),
      [
        'mcp_servers.near.command="/bin/sh"',
        `mcp_servers.near.args=["-c","export TOKEN=\\"$LEAP_MCP_0\\"; exec \\"$@\\"","sh","a b","$X"]`,
        'mcp_servers.near.env_vars=["LEAP_MCP_0"]',
        'mcp_servers.far.url="https://h/mcp"',
        'mcp_servers.far.env_http_headers={"X-Key"="LEAP_MCP_1"}'
      ]
    )
    assert.deepStrictEqual(env, { LEAP_MCP_0: "s3cret", LEAP_MCP_1: "k3y" })
    assert.deepStrictEqual(commandOf("codex", { options: { mcpServers: { s: { command: "a" } } } }).args.slice(3, -1), [
      "-c",
      'mcp_servers.s.command="a"',
      "-c",
      "mcp_servers.s.args=[]"
    ])
  })
  it.each([
    ["gemini", {}, "mcpServers"],
    ["codex", { sandbox: "read-only" }, "sandbox"]
  ] as const)("%s is given no MCP servers where it cannot take or hold them: %o", (cli, options, option) => {
    const built = clis[cli]?.(aCall({ options: { mcpServers, ...options } }))
    assert.strictEqual(built !== undefined && Result.isFailure(built) ? built.failure.option : null, option)
  })

  const picture = { path: "/a b/x.png", mediaType: "image/png", base64: "AAAA" }
  it.each<readonly [string, string]>([
    ["codex", "exec --json --skip-git-repo-check resume ID --image=/a b/x.png -"],
    ["copilot", "--resume=ID --output-format=json --silent --attachment=/a b/x.png"],
    ["opencode", "run --format json --thinking -s ID --file=/a b/x.png"],
    ["gemini", "--output-format stream-json --include-directories=/a b --resume ID"]
  ])("%s is given a picture", (cli, args) => {
    assert.strictEqual(line(cli, { sessionId: "ID", pictures: [picture] }), args)
  })
  it("Gemini's prompt mentions a picture, and Claude Code's has it", () => {
    assert.strictEqual(commandOf("gemini", { pictures: [picture] }).stdin, "@/a\\ b/x.png\n\nP")
    const { args, stdin } = commandOf("claude", { pictures: [picture] })
    assert.deepStrictEqual(args.slice(-2), ["--input-format", "stream-json"])
    const source = { type: "base64", media_type: "image/png", data: "AAAA" }
    const content = [
      { type: "image", source },
      { type: "text", text: "P" }
    ]
    assert.deepStrictEqual(JSON.parse(stdin ?? ""), { type: "user", message: { role: "user", content } })
  })

  it("Claude Code keeps a limit of cost itself too", () =>
    assert.include(line("claude", { options: { maxCost: 0.5 } }), "--max-budget-usd 0.5"))

  it("Codex gets the user's own arguments before its subcommand, which does not know them all", () => {
    for (const call of [{ sessionId: "ID" }, { sessionId: "ID", fork: true }]) {
      const { args, furtherAt } = commandOf("codex", { ...call, options: { model: "M" } })
      assert.deepStrictEqual(args.slice(0, furtherAt ?? 0), ["exec", "--json", "--skip-git-repo-check", "--model", "M"])
    }
    assert.isNull(commandOf("codex", {}).furtherAt)
  })

  it("Codex has a sandbox, and each other CLI refuses to promise one", () => {
    const sandboxed =
      (sandbox: "read-only" | "workspace-write" | "off", more: AgentOptions = {}) =>
      (cli: string) =>
        clis[cli]?.(aCall({ sessionId: "ID", options: { sandbox, ...more } })) ?? Result.fail({ option: "", why: "" })
    assert.deepStrictEqual(
      (["read-only", "workspace-write", "off"] as const).map((sandbox) =>
        Result.getOrThrow(sandboxed(sandbox)("codex")).args.slice(3, 7).join(" ")
      ),
      ["read-only", "workspace-write", "danger-full-access"].map((mode) => `--sandbox ${mode} resume ID`)
    )
    const refused = [
      ...["claude", "gemini", "copilot", "opencode"].map(sandboxed("read-only")),
      sandboxed("read-only", { skipPermissions: true })("codex"),
      sandboxed("workspace-write", { args: ["--search", "--yolo"] })("codex")
    ].map((built) => (Result.isFailure(built) ? built.failure.option : null))
    assert.deepStrictEqual(refused, Array(6).fill("sandbox"))
    assert.isTrue(Result.isSuccess(sandboxed("off", { args: ["--yolo"] })("codex")))
  })

  it.each(["Bash", "bash(git *)"])("OpenCode refuses to deny %s, which it would go on to run", (tool) => {
    const built = clis["opencode"]?.(aCall({ options: { deniedTools: [tool] } }))
    assert.isTrue(built !== undefined && Result.isFailure(built) && built.failure.option === "deniedTools")
  })

  it.each(["claude", "codex", "gemini", "copilot", "opencode"])(
    "%s gets the prompt through its standard input, a system prompt that is new before it",
    (cli) => {
      const prompt = '-rm "x" `y` $Z\n🙂'
      assert.strictEqual(commandOf(cli, { prompt }).stdin, prompt)
      const first = commandOf(cli, { prompt, options: { systemPrompt: "SYS" } })
      assert.strictEqual(first.stdin, cli === "claude" ? prompt : `SYS\n\n${prompt}`)
      const resumed = commandOf(cli, { prompt, sessionId: "ID", options: { systemPrompt: "SYS" } })
      assert.strictEqual(resumed.stdin, prompt)
      assert.notInclude(resumed.args.join(" "), "SYS")
      const changed = commandOf(cli, { prompt, sessionId: "ID", isNewSystem: true, options: { systemPrompt: "SYS" } })
      assert.strictEqual(changed.stdin, `SYS\n\n${prompt}`)
      assert.notInclude(changed.args.join(" "), "SYS")
    }
  )

  it("OpenCode is told of tools by its environment", () => {
    assert.deepStrictEqual(commandOf("opencode", { options: whole }).env, {
      OPENCODE_PERMISSION: '{"a":"allow","b(x,y)":"allow","c":"deny"}'
    })
    assert.deepStrictEqual(commandOf("opencode", {}).env, {})
  })

  it.each(["gemini", "copilot"])("%s refuses to go on in a copy that it cannot make", (cli) => {
    assert.deepStrictEqual(
      Result.map(
        Result.flip(clis[cli]?.(aCall({ sessionId: "ID", fork: true })) ?? Result.fail({ option: "", why: "" })),
        ({ option }) => option
      ),
      Result.succeed("fork")
    )
  })

  const values = Schema.Union([
    Schema.String,
    Schema.Literals(["-x", "--dangerously-skip-permissions", "", " ", "a\0b", "-"])
  ])
  it.prop(
    "lets no value become an option",
    { model: values, effort: values, sessionId: Schema.NullOr(values), tools: Schema.Array(values), prompt: values },
    ({ effort, model, prompt, sessionId, tools }) => {
      const plain = new Set(
        Object.keys(clis).flatMap((cli) =>
          [
            ...commandOf(cli, {}).args,
            ...commandOf(cli, { options: { ...kept(cli), model: "M" } }).args,
            ...commandOf(cli, { sessionId: "ID" }).args
          ].map((arg) => arg.replace(/=.*/s, ""))
        )
      )
      for (const build of Object.values(clis)) {
        const built = build(
          aCall({ prompt, sessionId, options: { model, effort, allowedTools: tools, deniedTools: tools } })
        )
        if (Result.isFailure(built)) {
          assert.isNotEmpty(built.failure.why)
          continue
        }
        for (const arg of built.success.args)
          if (arg.startsWith("-")) assert.isTrue(plain.has(arg.replace(/=.*/s, "")), arg)
        assert.isTrue(built.success.stdin?.endsWith(prompt))
        assert.notInclude([...built.success.args, built.success.stdin ?? ""].join(""), "\0")
      }
    }
  )
})
