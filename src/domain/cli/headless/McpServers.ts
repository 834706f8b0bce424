import { Result, Schema } from "effect"
import { fieldsOf, textOf } from "../../words/reading/Fields.ts"

const texts = Schema.Record(Schema.String, Schema.String)
const namedBy = (pattern: RegExp) =>
  Schema.makeFilter((record: Readonly<Record<string, unknown>>) =>
    Object.keys(record).every((name) => pattern.test(name))
  )
const variables = texts.check(namedBy(/^[A-Za-z_]\w*$/))

/** A program that speaks MCP over its standard input and output. */
const LocalServer = Schema.Struct({
  command: Schema.NonEmptyString,
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  env: Schema.optionalKey(variables)
})
/** A server that speaks MCP over HTTP. */
const RemoteServer = Schema.Struct({
  url: Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/)),
  headers: Schema.optionalKey(texts)
})
export const McpServer = Schema.Union([LocalServer, RemoteServer])
export type McpServer = typeof McpServer.Type

/** A name is part of the names of its tools, which servers of models limit. */
const serverName = /^[A-Za-z0-9][\w-]{0,31}$/

/** MCP servers by name. */
export const McpServers = Schema.Record(Schema.String, McpServer).check(namedBy(serverName))
export type McpServers = typeof McpServers.Type

const isServer = Schema.is(McpServer)
const isLocal = Schema.is(LocalServer)

const reference = /\$\{(\w+)(?::-([^}]*))?\}/g

const unset = (value: unknown, env: Readonly<Record<string, string>>): string | null => {
  if (typeof value !== "string") {
    const inner = typeof value === "object" && value !== null ? Object.values(value) : []
    return inner.map((one) => unset(one, env)).find((name) => name !== null) ?? null
  }
  const missing = [...value.matchAll(reference)].find(
    ([, name = "", other]) => env[name] === undefined && other === undefined
  )
  return missing?.[1] ?? null
}

const expanded = (value: unknown, env: Readonly<Record<string, string>>): unknown =>
  typeof value === "string"
    ? value.replace(reference, (_, name: string, other: string | undefined) => env[name] ?? other ?? "")
    : Array.isArray(value)
      ? value.map((one) => expanded(one, env))
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expanded(one, env)]))
        : value

/** The kinds that files name, by what they are here. */
const kinds: Readonly<Record<string, "local" | "remote">> = {
  stdio: "local",
  local: "local",
  http: "remote",
  "streamable-http": "remote",
  remote: "remote"
}

const serverIn = (given: unknown, env: Readonly<Record<string, string>>): Result.Result<McpServer, string> => {
  const missing = unset(given, env)
  if (missing !== null) return Result.fail(`\${${missing}} is not set`)
  const fields = fieldsOf(expanded(given, env))
  const { args, command, env: own, headers, httpUrl, type, url = httpUrl } = fields
  const kind = type === undefined ? (command === undefined ? "remote" : "local") : kinds[textOf(type) ?? ""]
  if (kind === undefined)
    return Result.fail(
      `its type is ${JSON.stringify(type)}; leap hands over 'stdio' and 'http' to every provider alike`
    )
  const server = Object.fromEntries(
    Object.entries(kind === "local" ? { command, args, env: own } : { url, headers }).filter(
      ([, value]) => value !== undefined
    )
  )
  return isServer(server)
    ? Result.succeed(server)
    : Result.fail(
        kind === "local"
          ? "expected a command, with args as texts and env as names and texts"
          : "expected a url, http or https, with headers as names and texts"
      )
}

/**
 * The servers in the JSON of a file such as Claude Code's `.mcp.json`; `${NAME}` and `${NAME:-text}` are variables. A
 * failure says in words what is wrong with it.
 */
export const mcpServersIn = (json: unknown, env: Readonly<Record<string, string>>): Result.Result<McpServers, string> =>
  Result.gen(function* () {
    const given = Object.entries(fieldsOf(fieldsOf(json)["mcpServers"]))
    if (given.length === 0) return yield* Result.fail("there are no mcpServers in it")
    const servers: Record<string, McpServer> = {}
    for (const [name, one] of given) {
      if (!serverName.test(name))
        return yield* Result.fail(`'${name}' is no name of a server: letters, digits, - and _, 32 at most`)
      servers[name] = yield* Result.mapError(serverIn(one, env), (why) => `the server '${name}': ${why}`)
    }
    return servers
  })

/** The same servers in a CLI's own form: a value for each program, and one for each address. */
export const serversAs = <A, B>(
  servers: McpServers,
  local: (server: typeof LocalServer.Type) => A,
  remote: (server: typeof RemoteServer.Type) => B
): Readonly<Record<string, A | B>> =>
  Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [name, isLocal(server) ? local(server) : remote(server)])
  )
