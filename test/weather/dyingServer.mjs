// An MCP server that works until its tool is called, and is gone then. With a word behind its name: gone at once.
import { createInterface } from "node:readline"

if (process.argv[2] !== undefined) process.exit(1)
const tools = [{ name: "fetch", description: "Fetches it", inputSchema: { type: "object", properties: {} } }]
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === "tools/call") process.exit(1)
  if (id === undefined) continue
  const result =
    method === "initialize"
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "dying", version: "1.0.0" }
        }
      : method === "tools/list"
        ? { tools }
        : {}
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`)
}
