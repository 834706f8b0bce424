import { assert, describe } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { begin } from "../../../../src/domain/cli/headless/turns.ts"
import * as AgentProviderHttp from "../../../../src/layers/headless/http/AgentProviderHttp.ts"
import * as HttpClientNode from "../../../../src/layers/system/HttpClientNode.ts"
import * as SystemNode from "../../../../src/layers/system/SystemNode.ts"
import type { AgentRunOptions, PermitDecision } from "../../../../src/services/AgentProvider.ts"
import { collect } from "../../../support/headless/chatClient.ts"
import { chatServer, chunk, type Reply, send, sendStream, usage } from "../../../support/headless/chatServer.ts"
import { patience } from "../../../support/run/patience.ts"
import { liveWith } from "../../../support/run/effects.ts"

const program = fileURLToPath(new URL("../../../support/headless/mcpServer.mjs", import.meta.url))
const server = (env: Readonly<Record<string, string>> = {}) => ({ command: process.execPath, args: [program], env })

/** A reply that calls these tools. */
const calling = (...calls: ReadonlyArray<readonly [name: string, args: string]>): Reply =>
  send(
    200,
    [
      ...calls.map(([name, args], index) =>
        chunk({ tool_calls: [{ index, id: `c${index}`, type: "function", function: { name, arguments: args } }] })
      ),
      chunk({}, "tool_calls"),
      usage(10, 5),
      "data: [DONE]\n\n"
    ].join(""),
    { "content-type": "text/event-stream" }
  )

const outside = Layer.mergeAll(HttpClientNode.layer, NodeServices.layer).pipe(
  Layer.provideMerge(SystemNode.layerWith({ version: "1", self: [] }))
)

/** A turn with the server's tools; what was sent to the model, and what came of it. */
const turn = Effect.fnUntraced(function* (
  replies: ReadonlyArray<Reply>,
  options: Partial<AgentRunOptions> = {},
  conversation = begin("openai_compatible")
) {
  const { requests, url } = yield* chatServer(...replies)
  const agent = yield* AgentProviderHttp.make({
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "m",
    OPENAI_API_KEY: "k-0123456789"
  })
  const all = { mcpServers: { t: server() }, skipPermissions: true, timeout: patience, ...options }
  const { error, events, result } = yield* collect(agent.executeConversation(conversation, "P", all))
  const messages = (at: number) => (requests[at]?.body["messages"] ?? []) as ReadonlyArray<Record<string, unknown>>
  const results = (at: number) =>
    messages(at).flatMap(({ content, role }) => (role === "tool" ? [String(content)] : []))
  return { agent, requests, messages, results, error, events, ...result }
})

describe("a model over HTTP with tools of MCP servers", () => {
  liveWith(outside)("calls them until it has answered, and each request counts", function* () {
    const { conversation, error, events, messages, requests, result } = yield* turn([
      calling(["mcp__t__echo", `{"words":"one"}`], ["mcp__t__echo", `{"words":"two"}`]),
      calling(["mcp__t__echo", `{"words":"three"}`]),
      sendStream("all ", "done")
    ])
    assert.isNull(error)
    const [tool] = (requests[0]?.body["tools"] ?? []) as ReadonlyArray<{ readonly function: unknown }>
    assert.deepStrictEqual(tool?.function, {
      name: "mcp__t__echo",
      description: "does echo",
      parameters: { type: "object", properties: { words: { type: "string" } } }
    })
    assert.deepStrictEqual(
      messages(2).map(({ content, role, tool_call_id }) => [role, content, tool_call_id]),
      [
        ["user", "P", undefined],
        ["assistant", null, undefined],
        ["tool", "echo: one", "c0"],
        ["tool", "echo: two", "c1"],
        ["assistant", null, undefined],
        ["tool", "echo: three", "c0"]
      ]
    )
    assert.deepInclude(result, { text: "all done", turns: 3, stopReason: "end_turn" })
    assert.deepInclude(result?.tokens, { input: 30, output: 18, total: 48 })
    assert.deepStrictEqual(
      events.map(({ _tag }) => _tag),
      (
        "Started RequestStarted ToolStarted ToolStarted RequestEnded Used ToolEnded ToolEnded " +
        "RequestStarted ToolStarted RequestEnded Used ToolEnded RequestStarted Text Text RequestEnded Used Answered"
      ).split(" ")
    )
    const used = events.flatMap((event) => (event._tag === "Used" ? [event.tokens.input] : []))
    assert.deepStrictEqual(used, [10, 20, 30], "the use of the whole run so far")
    assert.deepStrictEqual(
      conversation?.turns.map(({ role }) => role),
      ["user", "assistant", "tool", "tool", "assistant", "tool", "assistant"]
    )
  })

  liveWith(outside)("hears what failed, and goes on", function* () {
    const { error, events, result, results } = yield* turn(
      [
        calling(
          ["mcp__t__fail", ""],
          ["mcp__t__nothing", "{}"],
          ["mcp__t__echo", "no JSON"],
          ["mcp__t__picture", "{}"],
          ["mcp__t__none", "{}"],
          ["mcp__t__exit", "{}"],
          ["mcp__t__echo", "{}"]
        ),
        sendStream("so be it")
      ],
      { idleTimeout: 1_500 }
    )
    assert.isNull(error)
    const [failed, unknown, odd, picture, late, gone, after] = results(1)
    assert.deepStrictEqual(
      [failed, unknown, odd, picture],
      [
        "it broke",
        "there is no tool 'mcp__t__nothing'",
        "its arguments are no JSON object",
        "[image/png, which is not handed on]"
      ]
    )
    assert.match(late ?? "", /the call failed: .*deadline/)
    assert.match(gone ?? "", /the call failed: MCP process exited \(3\)|the call failed: MCP server closed stdout/)
    assert.match(after ?? "", /the call failed/)
    assert.strictEqual(result?.text, "so be it")
    assert.deepStrictEqual(
      events.flatMap((event) => (event._tag === "ToolEnded" ? [event.ok] : [])),
      [false, false, false, true, false, false, false]
    )
  })

  const rules = (verdict: PermitDecision["verdict"]) => ({
    permit: { restricts: false, decide: () => Effect.succeed({ verdict, why: "by a rule" }) }
  })
  const needs = /^refused: it needs a permission: --allowed-tools mcp__t__echo/
  for (const [name, options, expected] of [
    ["nothing said", {}, needs],
    ["all permissions", { skipPermissions: true }, /^echo: x/],
    ["its name", { allowedTools: "Read,mcp__t__echo" }, /^echo: x/],
    ["its server's name", { allowedTools: ["mcp__t"] }, /^echo: x/],
    ["another's name", { allowedTools: "mcp__t__fail" }, needs],
    ["a rule that allows it", { allow: [{ tool: "mcp__t__echo" }] }, /^echo: x/],
    ["a rule against it", { skipPermissions: true, deny: [{ kind: "mcp" }] }, /^refused: /],
    ["its name denied", { skipPermissions: true, deniedTools: "mcp__t__echo" }, /^refused: /],
    ["the user's rule that allows it", rules("allow"), /^echo: x/],
    ["the user's rule against it", { skipPermissions: true, ...rules("deny") }, /^refused: by a rule/],
    ["the user's rule, and its name", { allowedTools: "mcp__t__echo", ...rules("deny") }, /^refused: by a rule/]
  ] as const)
    liveWith(outside)(`may call one, with ${name}, or hears why not`, function* () {
      const { events, result, results } = yield* turn([calling(["mcp__t__echo", `{"words":"x"}`]), sendStream("ok")], {
        skipPermissions: false,
        ...options
      })
      assert.match(results(1)[0] ?? "", expected)
      const refusals = expected.source.startsWith("^refused") ? ["mcp__t__echo"] : []
      assert.deepStrictEqual(
        result?.refused.map(({ tool }) => tool),
        refusals
      )
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "Refused"),
        refusals.length
      )
    })

  liveWith(outside)("is held by an earlier turn's restriction, which is said", function* () {
    const first = yield* turn([sendStream("ok")], { deny: [{ tool: "mcp__t__echo" }] })
    const replies = [calling(["mcp__t__echo", "{}"]), sendStream("ok")]
    const { events, results } = yield* turn(replies, {}, first.conversation)
    assert.match(results(1)[0] ?? "", /^refused: /)
    assert.include(JSON.stringify(events), "as in the turns before: --deny")
  })

  for (const [name, options, option, why] of [
    ["a sandbox", { sandbox: "read-only" }, "sandbox", /cannot hold MCP servers/],
    ["a network", { network: "none" }, "network", /cannot hold MCP servers/],
    ["a server that is not there", { mcpServers: { t: { command: "/no/such" } } }, "mcpServers", /server 't': /],
    [
      "a server that ends",
      { mcpServers: { t: server({ MCP_BROKEN: "1" }) } },
      "mcpServers",
      /server 't': .*exited \(4\)|closed/
    ],
    ["a revision of the future", { mcpServers: { t: server({ MCP_REVISION: "2031-01-01" }) } }, "mcpServers", /version/]
  ] as const)
    liveWith(outside)(`is asked nothing with ${name} that leap cannot give or hold`, function* () {
      const { error, requests } = yield* turn([sendStream("ok")], options)
      assert.deepInclude(error, { _tag: "AgentOptionError", option, exitCode: 2 })
      assert.match(error?.message ?? "", why)
      assert.lengthOf(requests, 0)
    })

  for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18"])
    liveWith(outside)(`has the tools of a server of ${revision}`, function* () {
      const mcpServers = { t: server({ MCP_REVISION: revision }) }
      const { results } = yield* turn([calling(["mcp__t__echo", `{"words":"x"}`]), sendStream("ok")], { mcpServers })
      assert.deepStrictEqual(results(1), ["echo: x"])
    })

  liveWith(outside)("gives a server its own variables and no secrets, and hears none back", function* () {
    const mcpServers = { t: server({ API_TOKEN: "t0p-s3cret-0123456789" }) }
    const replies = [calling(["mcp__t__env", ""], ["mcp__t__secret", ""]), sendStream("ok")]
    const { events, results } = yield* turn(replies, { mcpServers })
    const [env = "", secret = ""] = results(1)
    assert.include(env, "API_TOKEN")
    assert.include(env, "PATH")
    assert.notInclude(env, "LEAP_")
    assert.notInclude(secret + JSON.stringify(events), "t0p-s3cret")
  })

  liveWith(outside)("is stopped before one request too many, by turns and by tokens", function* () {
    const on = calling(["mcp__t__echo", "{}"])
    const byTurns = yield* turn([on], { maxTurns: 3 })
    assert.deepInclude(byTurns.error, { _tag: "AgentReportedError", exitCode: 12 })
    assert.lengthOf(byTurns.requests, 3)
    const byTokens = yield* turn([on], { maxTokensTotal: 40 })
    assert.deepInclude(byTokens.error, { _tag: "AgentReportedError", exitCode: 12 })
    assert.isAtMost(byTokens.requests.length, 3)
  })
})
