// A server of MCP over standard input and output, by the revision in MCP_REVISION, with a few tools.
import { createInterface } from "node:readline"

const text = (text, more = {}) => ({ content: [{ type: "text", text }], ...more })
const tools = {
  echo: ({ words = "" }) => text(`echo: ${words}`),
  fail: () => text("it broke", { isError: true }),
  env: () => text(Object.keys(process.env).sort().join(" ")),
  secret: () => text(`the token is ${process.env.API_TOKEN}`),
  picture: () => ({ content: [{ type: "image", mimeType: "image/png", data: "AAAA" }] }),
  none: () => null,
  exit: () => process.exit(3)
}
const inputSchema = { type: "object", properties: { words: { type: "string" } } }
const answers = {
  initialize: () => ({
    protocolVersion: process.env.MCP_REVISION ?? "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "test", version: "1" }
  }),
  "tools/list": () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: `does ${name}`, inputSchema }))
  }),
  "tools/call": ({ arguments: given, name }) => tools[name](given ?? {})
}

if (process.env.MCP_BROKEN !== undefined) process.exit(4)
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || answers[method] === undefined) return
  const result = answers[method](params ?? {})
  if (result !== null) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`)
})
