import { Effect, Option, Struct } from "effect"
import { McpClient, McpProtocol, type McpSchema } from "effect/ai"
import { HttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { McpServer, McpServers } from "../../../domain/cli/headless/McpServers.ts"
import { resultText, type ServerTool } from "../../../domain/cli/headless/http/Tools.ts"
import { fieldsOf } from "../../../domain/words/reading/Fields.ts"
import { AgentOptionError } from "../../../services/AgentProvider.ts"
import { System } from "../../../services/System.ts"

/** A tool that can be called. */
export interface CallableTool extends ServerTool {
  /** The answer as a text; not ok if the server says that it failed, or does not answer. */
  readonly call: (
    input: Readonly<Record<string, unknown>>,
    timeout: number
  ) => Effect.Effect<{ readonly text: string; readonly ok: boolean }>
}

/** How long a server may take to begin, and to list its tools. */
const startTimeout = "30 seconds"

/** What a server's program gets of the environment besides its own: nothing that may be a secret, as MCP's SDKs do. */
const inherited = ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"] as const

/** Revisions that are the same in what is used here. */
const older: ReadonlySet<unknown> = new Set(["2024-11-05", "2025-03-26", "2025-06-18"])

/** The connection to a server that may answer by an older revision. */
const lenient = (transport: McpClient.Transport): McpClient.Transport => ({
  ...transport,
  request: (message, tool) =>
    Effect.map(transport.request(message, tool), (response) => {
      if (message.method !== "initialize" || response.result === undefined) return response
      const { protocolVersion } = transport.protocol
      const its = fieldsOf(response.result)
      return older.has(its["protocolVersion"]) ? { ...response, result: { ...its, protocolVersion } } : response
    })
})

const connect = Effect.fnUntraced(function* (server: McpServer, cwd: string, system: System["Service"]) {
  const protocol = McpProtocol.v2025_11_25
  if ("url" in server) return yield* McpClient.http({ ...server, protocol })
  const { args = [], command, env = {} } = server
  const given = { ...Struct.pick(system.env, inherited), ...env }
  return yield* McpClient.stdio({ command: ChildProcess.make(command, args, { cwd, env: given }), protocol })
})

const callable = (client: McpClient.McpClient, server: string, tool: McpSchema.Tool): CallableTool => ({
  server,
  tool: tool.name,
  description: tool.description ?? null,
  parameters: tool.inputSchema,
  call: (input, timeout) =>
    client.callTool({ tool, arguments: input }, { timeout }).pipe(
      Effect.map(({ content, isError, structuredContent }) => ({
        text: resultText(content, structuredContent),
        ok: isError !== true
      })),
      Effect.catch((error) => Effect.succeed({ text: `the call failed: ${error.message}`, ok: false }))
    )
})

/** The tools of a run's servers, which end with the scope. Fails if one of them does not begin. */
export const serverTools = Effect.fnUntraced(function* (
  provider: string,
  servers: McpServers,
  cwd: string | undefined,
  http: HttpClient.HttpClient
) {
  const system = yield* Effect.serviceOption(System)
  const spawner = yield* Effect.serviceOption(ChildProcessSpawner.ChildProcessSpawner)
  const refuse = (why: string) => new AgentOptionError({ provider, option: "mcpServers", why })
  if (Option.isNone(system) || Option.isNone(spawner)) return yield* refuse("no programs can be run here")
  const { version } = system.value
  const connected = yield* Effect.forEach(
    Object.entries(servers),
    Effect.fnUntraced(
      function* ([name, server]) {
        const transport = lenient(yield* connect(server, cwd ?? system.value.cwd, system.value))
        const made = McpClient.make({ name: "leap", version, timeout: startTimeout })
        const client = yield* Effect.provideService(made, McpClient.Transport, transport)
        return (yield* client.listTools()).map((tool) => callable(client, name, tool))
      },
      (effect, [name]) => Effect.mapError(effect, ({ message }) => refuse(`the server '${name}': ${message}`))
    ),
    { concurrency: "unbounded" }
  ).pipe(
    Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, spawner.value),
    Effect.provideService(HttpClient.HttpClient, http)
  )
  return connected.flat()
})
