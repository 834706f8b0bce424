// MCP servers of a run, by leap's one file, in each CLI and over HTTP: a program with a secret, and an address with one.
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { opencode } from "./cli/opencode.ts"
import { http, room, skips } from "./headlessRoom.ts"
import { type Reply, say } from "./model/FakeModel.ts"

const program = fileURLToPath(new URL("../support/headless/mcpServer.mjs", import.meta.url))

/** An MCP server at an address, with one tool, which takes only requests with its key. */
const farServer = async (key: string) => {
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "far", version: "1" }
    },
    "tools/list": {
      tools: [{ name: "look", description: "looks far", inputSchema: { type: "object", properties: {} } }]
    },
    "tools/call": { content: [{ type: "text", text: "the far one has looked" }] }
  }
  let calls = 0
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (piece: Buffer) => (body += piece.toString()))
    request.on("end", () => {
      if (request.headers["x-key"] !== key) return response.writeHead(401).end()
      if (request.method !== "POST") return response.writeHead(405).end()
      const { id, method } = JSON.parse(body) as { readonly id?: unknown; readonly method: string }
      if (id === undefined) return response.writeHead(202).end()
      if (method === "tools/call") calls++
      const result = results[method]
      const answer = result === undefined ? { error: { code: -32601, message: "no such method" } } : { result }
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls: () => calls,
    end: () => server.close()
  }
}

/** How each names the tools of a server to its model. */
const named: Readonly<
  Record<string, (server: string, tool: string) => { readonly name: string; readonly namespace?: string }>
> = {
  claude: (server, tool) => ({ name: `mcp__${server}__${tool}` }),
  codex: (server, tool) => ({ name: tool, namespace: `mcp__${server}` }),
  copilot: (server, tool) => ({ name: `${server}-${tool}` }),
  opencode: (server, tool) => ({ name: `${server}_${tool}` }),
  openai_compatible: (server, tool) => ({ name: `mcp__${server}__${tool}` })
}

describe.each([claude, codex, copilot, opencode, http].map((cli) => [cli.id, cli] as const))("%s", (id, cli) => {
  const call = (server: string, tool: string, input: object): Reply => ({
    blocks: [{ type: "tool", input, ...(named[id]?.(server, tool) ?? { name: tool }) }]
  })
  it("has the tools of the run's MCP servers, and no other run has them", { timeout: 300_000 }, () =>
    room(cli, "mcp", async ({ api, exec, home, leap, project }) => {
      const key = "far-k3y-0123456789"
      const far = await farServer(key)
      const config = join(home, "servers.json")
      const near = {
        command: process.execPath,
        args: [program],
        env: { API_TOKEN: "${NEAR_TOKEN:-near-t0ken-0123456789}" }
      }
      const remote = { type: "http", url: far.url, headers: { "X-Key": key } }
      writeFileSync(config, JSON.stringify({ mcpServers: { near, far: remote } }))
      const given = [
        "--mcp-config",
        config,
        ...(id === "claude" ? ["--allowed-tools", "mcp__near,mcp__far"] : skips(cli))
      ]
      try {
        api.script(call("near", "echo", { words: "hi" }), call("far", "look", {}), say("Both."))
        const { code, document, err } = await exec(...given, "go")
        const offered = JSON.stringify(api.tools).slice(0, 20_000)
        assert.strictEqual(code, 0, err)
        assert.strictEqual(document["text"], "Both.")
        const results = JSON.stringify(api.main.flatMap(({ toolResults }) => toolResults))
        assert.include(results, "echo: hi", `${offered}\n${err}`)
        assert.include(results, "the far one has looked", `${offered}\n${err}`)
        assert.strictEqual(far.calls(), 1)
        api.tools = []
        api.script(say("None."))
        const none = await leap(["exec", "--provider", id, "--cwd", project, ...skips(cli), "and now?"])
        assert.strictEqual(none.code, 0, none.err)
        assert.notInclude(JSON.stringify(api.tools), "looks far")
      } finally {
        far.end()
      }
    })
  )
})
