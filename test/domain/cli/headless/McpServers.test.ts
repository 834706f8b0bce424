import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { AgentOptions } from "../../../../src/domain/cli/headless/AgentOptions.ts"
import { mcpServersIn } from "../../../../src/domain/cli/headless/McpServers.ts"

const env = { TOKEN: "t", EMPTY: "" }
const read = (servers: unknown, json: unknown = { mcpServers: servers }) => mcpServersIn(json, env)

describe("a file of MCP servers", () => {
  it.each<readonly [string, unknown, unknown]>([
    ["a program", { command: "a", args: ["-x"], env: { A: "1" } }, { command: "a", args: ["-x"], env: { A: "1" } }],
    ["a program by its type", { type: "stdio", command: "a" }, { command: "a" }],
    ["what only one CLI knows", { type: "local", command: "a", tools: ["*"], trust: true }, { command: "a" }],
    ["an address", { url: "https://a.b/mcp" }, { url: "https://a.b/mcp" }],
    ["an address as Gemini writes it", { httpUrl: "http://a.b" }, { url: "http://a.b" }],
    ["headers", { type: "http", url: "http://a", headers: { K: "v" } }, { url: "http://a", headers: { K: "v" } }],
    ["a variable", { command: "a", env: { A: "x-${TOKEN}" } }, { command: "a", env: { A: "x-t" } }],
    ["a variable with a default", { url: "http://${HOST:-h}/${TOKEN:-x}" }, { url: "http://h/t" }],
    ["an empty variable", { command: "a", args: ["${EMPTY}", "${NO:-}"] }, { command: "a", args: ["", ""] }]
  ])("has %s", (_, given, expected) => {
    const servers = read({ s: given })
    assert.deepStrictEqual(Result.isSuccess(servers) ? servers.success["s"] : servers.failure, expected)
  })

  it("has no names in a program's options that it may not have in a file", () => {
    const fits = Schema.is(AgentOptions)
    assert.isTrue(fits({ mcpServers: { s: { command: "a", env: { A: "1" } } } }))
    assert.isFalse(fits({ mcpServers: { "a.b=1": { command: "a" } } }))
    assert.isFalse(fits({ mcpServers: { s: { command: "a", env: { "A=;b": "1" } } } }))
  })

  it.each<readonly [string, unknown, RegExp]>([
    ["no JSON", null, /no mcpServers/],
    ["a list", [], /no mcpServers/],
    ["another key", { servers: { s: { command: "a" } } }, /no mcpServers/],
    ["no server", { mcpServers: {} }, /no mcpServers/],
    ["an odd name", { mcpServers: { "a.b": { command: "a" } } }, /'a.b' is no name/],
    ["a name that is an option", { mcpServers: { "-c": { command: "a" } } }, /'-c' is no name/],
    ["a long name", { mcpServers: { ["n".repeat(33)]: { command: "a" } } }, /is no name/],
    [
      "a variable that is not set",
      { mcpServers: { s: { command: "a", env: { A: "${NO}" } } } },
      /'s': \$\{NO\} is not set/
    ],
    ["the old kind of address", { mcpServers: { s: { type: "sse", url: "http://a" } } }, /'s': its type is "sse"/],
    ["no command", { mcpServers: { s: { args: ["a"] } } }, /'s': expected a url/],
    ["an empty command", { mcpServers: { s: { command: "" } } }, /'s': expected a command/],
    ["arguments that are a text", { mcpServers: { s: { command: "a", args: "b" } } }, /'s': expected a command/],
    [
      "a variable that is no name",
      { mcpServers: { s: { command: "a", env: { "A;b": "1" } } } },
      /'s': expected a command/
    ],
    ["a file's address", { mcpServers: { s: { url: "file:///etc" } } }, /'s': expected a url/]
  ])("says what is wrong with %s", (_, json, why) => {
    const servers = read(null, json)
    assert.match(Result.isFailure(servers) ? servers.failure : "", why)
  })
})
