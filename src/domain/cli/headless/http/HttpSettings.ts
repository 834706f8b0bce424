import { Result } from "effect"
import { fieldsOf, textOf } from "../../../words/reading/Fields.ts"
import { namesIn } from "../../../words/text/namesIn.ts"
import type { InvalidOption } from "../AgentCli.ts"
import type { JsonSchema } from "../AnswerSchema.ts"
import { type Secrets, secretsOf } from "../Masking.ts"

/** The settings of a request. An option of the call overrides an environment variable. */
export interface HttpSettings {
  readonly url: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly maxTokens: number | null
  readonly systemPrompt: string | null
  readonly json: boolean
  readonly schema: JsonSchema | null
  /** `timeout` limits the whole run, in milliseconds; null: no limit. `idleTimeout` limits the time without data. */
  readonly timeout: number | null
  readonly idleTimeout: number
  readonly secrets: Secrets
  /** The given options that have no effect over HTTP and restrict nothing. */
  readonly ignoredGrants: ReadonlyArray<string>
}

/** A model may think for minutes before its first word. */
export const defaultIdleTimeout = 600_000

export type Environment = Readonly<Record<string, string | undefined>>

type Read<A> = Result.Result<A, InvalidOption>
const invalid = (option: string, why: string): Read<never> => Result.fail({ option, why })

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`

/** Options of any type, as they came: null counts as absent. */
type Options = Readonly<Record<string, unknown>>

const textIn = (options: Options, option: string): Read<string | null> => {
  const value = options[option] ?? null
  return value === null || typeof value === "string"
    ? Result.succeed(value)
    : invalid(option, `must be a text, got ${kindOf(value)}`)
}

interface Bounds {
  readonly least?: number
  readonly most?: number
  readonly above?: number
  readonly whole?: boolean
}

const numberIn = (options: Options, option: string, { above, least, most, whole }: Bounds): Read<number | null> => {
  const value = options[option] ?? null
  if (value === null) return Result.succeed(null)
  if (typeof value !== "number" || !Number.isFinite(value))
    return invalid(option, `must be a number, got ${kindOf(value)}`)
  if (least !== undefined && most !== undefined && (value < least || value > most))
    return invalid(option, `must be between ${least} and ${most}, got ${value}`)
  if (least !== undefined && value < least) return invalid(option, `must be non-negative, got ${value}`)
  if (above !== undefined && value <= above) return invalid(option, `must be greater than ${above}, got ${value}`)
  return whole === true && !Number.isInteger(value)
    ? invalid(option, `must be a whole number, got ${value}`)
    : Result.succeed(value)
}

const nonBlank = (value: string | null | undefined): string | null => textOf(value?.trim())

/** The address for requests, from a base URL with or without the API's path and trailing slashes. */
const addressOf = (base: string): Read<URL> => {
  if (/^(?:https?\+)?unix:/i.test(base))
    return invalid("baseUrl", "is a Unix socket, but leap connects over TCP only: let the server listen on 127.0.0.1")
  const url = URL.parse(base)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return invalid("baseUrl", "is no http or https address, such as https://api.example.com/v1")
  if (url.username !== "" || url.password !== "")
    return invalid("baseUrl", "has a name or a password in it: give the key as apiKey")
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`
  url.hash = ""
  return Result.succeed(url)
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
const secretHeader = /auth|key|token|secret|cookie|passw|credential|session|signature/i
const connectionHeaders = new Set(
  namesIn("connection content-length host keep-alive te trailer transfer-encoding upgrade")
)

const headersIn = (options: Options): Read<Readonly<Record<string, string>>> => {
  const value = options["headers"] ?? null
  if (value === null) return Result.succeed({})
  if (typeof value !== "object" || Array.isArray(value))
    return invalid("headers", `must be names and values, got ${kindOf(value)}`)
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(value as Options)) {
    if (!headerName.test(name)) return invalid("headers", `'${name.slice(0, 80)}' is no name of a header`)
    if (connectionHeaders.has(name.toLowerCase()))
      return invalid("headers", `must not contain ${name}: only the HTTP client may set it`)
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      return invalid("headers", `the value of ${name} contains a character that a header may not have`)
    headers[name.toLowerCase()] = text
  }
  return Result.succeed(headers)
}

/** Options without effect over HTTP, where no CLI runs. */
const grants = ["skipPermissions", "allowedTools", "allow", "args", "native"]
/** Those that have an effect where a run has MCP servers. */
const ofTools = new Set(["skipPermissions", "allowedTools", "allow"])

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : (value ?? null) !== null && value !== "" && value !== false

/** Reads a call's options; the conversation's `model` is the default. A failure never quotes a key. */
export const httpSettings = (given: unknown, env: Environment, model: string | null): Read<HttpSettings> =>
  Result.gen(function* () {
    const options = fieldsOf(given)
    const own = Object.entries(fieldsOf(options["env"])).filter(([, value]) => typeof value === "string")
    const environment = { ...env, ...(Object.fromEntries(own) as Environment) }
    const base = nonBlank(yield* textIn(options, "baseUrl")) ?? nonBlank(environment["OPENAI_BASE_URL"])
    if (base === null) return yield* invalid("baseUrl", "is required: give it, or set OPENAI_BASE_URL")
    const url = yield* addressOf(base)
    const modelName =
      nonBlank(yield* textIn(options, "model")) ?? nonBlank(model) ?? nonBlank(environment["OPENAI_MODEL"])
    if (modelName === null) return yield* invalid("model", "is required: give it, or set OPENAI_MODEL")
    // An empty key means that none is sent.
    const key = nonBlank((yield* textIn(options, "apiKey")) ?? environment["OPENAI_API_KEY"])
    if (key !== null && !/^[\x21-\x7e]+$/.test(key))
      return yield* invalid("apiKey", "contains a character that is not allowed in a key")
    const systemPrompt = yield* textIn(options, "systemPrompt")
    const temperature = yield* numberIn(options, "temperature", { least: 0, most: 2 })
    const maxTokens = yield* numberIn(options, "maxTokens", { least: 0, whole: true })
    const topP = yield* numberIn(options, "topP", { least: 0, most: 1 })
    const effort = nonBlank(yield* textIn(options, "effort"))
    const timeout = yield* numberIn(options, "timeout", { above: 0 })
    const idleTimeout = yield* numberIn(options, "idleTimeout", { above: 0 })
    const userHeaders = yield* headersIn(options)
    const format = yield* textIn(options, "outputFormat")
    if (format !== null && format !== "json" && format !== "text")
      return yield* invalid("outputFormat", `must be text or json, got '${format.slice(0, 40)}'`)
    const secretValues = [
      ...(key === null ? [] : [key]),
      ...Object.entries(userHeaders).flatMap(([name, value]) =>
        secretHeader.test(name) ? [value, ...value.split(/\s+/).slice(1)] : []
      ),
      ...Object.values(fieldsOf(options["mcpServers"])).flatMap((server) =>
        Object.entries({ ...fieldsOf(fieldsOf(server)["env"]), ...fieldsOf(fieldsOf(server)["headers"]) }).flatMap(
          ([name, value]) => (secretHeader.test(name) && typeof value === "string" ? [value] : [])
        )
      ),
      ...[...url.searchParams].flatMap(([name, value]) => (secretHeader.test(name) ? [value] : []))
    ]
    return {
      url: url.href,
      model: modelName,
      headers: {
        accept: "text/event-stream, application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": "leap",
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...userHeaders
      },
      fields: {
        ...(temperature === null ? {} : { temperature }),
        ...(topP === null ? {} : { top_p: topP }),
        ...(effort === null ? {} : { reasoning_effort: effort })
      },
      maxTokens,
      systemPrompt: textOf(systemPrompt),
      json: format === "json",
      schema: (options["schema"] ?? null) === null ? null : fieldsOf(options["schema"]),
      timeout,
      idleTimeout: idleTimeout ?? defaultIdleTimeout,
      secrets: secretsOf(secretValues),
      ignoredGrants: grants.filter(
        (option) => isGiven(options[option]) && !(ofTools.has(option) && isGiven(options["mcpServers"]))
      )
    }
  })

/** The target of a redirect; null: none, or another origin, which must not get the key. */
export const redirected = (url: string, status: number, location: string | undefined): string | null => {
  if ((status !== 307 && status !== 308) || location === undefined) return null
  const to = URL.parse(location, url)
  return to === null || to.origin !== new URL(url).origin || to.username !== "" ? null : to.href
}

/** An address for people, without its query, which may contain a key. */
export const shownUrl = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "" : `${parsed.origin}${parsed.pathname}`
}
