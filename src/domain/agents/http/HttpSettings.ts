import { Result } from "effect"
import { fieldsOf, textOf } from "../../usage/Fields.ts"
import type { OptionProblem } from "../AgentCli.ts"
import { type Secrets } from "./Chat.ts"
import { secretsInAnswers } from "../Masking.ts"

/** How a request is made: from the options of a call, and the environment where they are silent. */
export interface HttpSettings {
  readonly url: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  /** Further fields of the request. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly maxTokens: number | null
  readonly systemPrompt: string | null
  readonly json: boolean
  /** Milliseconds for the whole, null without a bound; and without any byte. */
  readonly timeout: number | null
  readonly idleTimeout: number
  readonly secrets: Secrets
  /** Options that were given and mean nothing here. */
  readonly ignored: ReadonlyArray<string>
}

/** A model may think for minutes before its first word. */
export const defaultIdleTimeout = 600_000

export type Environment = Readonly<Record<string, string | undefined>>

type Read<A> = Result.Result<A, OptionProblem>
const wrong = (option: string, why: string): Read<never> => Result.fail({ option, why })

const kindOf = (value: unknown): string => Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`

/** Options as they came: null counts as not given. */
type Given = Readonly<Record<string, unknown>>

const textIn = (given: Given, option: string): Read<string | null> => {
  const value = given[option] ?? null
  return value === null || typeof value === "string" ? Result.succeed(value) : wrong(option, `must be a text, got ${kindOf(value)}`)
}

interface Bounds {
  readonly least?: number
  readonly most?: number
  readonly above?: number
  readonly whole?: boolean
}

const numberIn = (given: Given, option: string, { above, least, most, whole }: Bounds): Read<number | null> => {
  const value = given[option] ?? null
  if (value === null) return Result.succeed(null)
  if (typeof value !== "number" || !Number.isFinite(value)) return wrong(option, `must be a number, got ${kindOf(value)}`)
  if (least !== undefined && most !== undefined && (value < least || value > most)) return wrong(option, `must be between ${least} and ${most}, got ${value}`)
  if (least !== undefined && value < least) return wrong(option, `must be non-negative, got ${value}`)
  if (above !== undefined && value <= above) return wrong(option, `must be greater than ${above}, got ${value}`)
  return whole === true && !Number.isInteger(value) ? wrong(option, `must be a whole number, got ${value}`) : Result.succeed(value)
}

const nonBlank = (value: string | null | undefined): string | null => textOf(value?.trim())

/** The address of the API, with or without its path and any number of slashes at its end. */
const addressOf = (base: string): Read<URL> => {
  const url = URL.parse(base)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return wrong("baseUrl", "is no http or https address, such as https://api.example.com/v1")
  if (url.username !== "" || url.password !== "") return wrong("baseUrl", "has a name or a password in it: give the key as apiKey")
  const path = url.pathname.replace(/\/+$/, "")
  url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`
  url.hash = ""
  return Result.succeed(url)
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
const secretHeader = /auth|key|token|secret|cookie|passw|credential|session|signature/i
const ofConnection = new Set(["connection", "content-length", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"])

const headersIn = (given: Given): Read<Readonly<Record<string, string>>> => {
  const value = given["headers"] ?? null
  if (value === null) return Result.succeed({})
  if (typeof value !== "object" || Array.isArray(value)) return wrong("headers", `must be names and values, got ${kindOf(value)}`)
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(value as Given)) {
    if (!headerName.test(name)) return wrong("headers", `'${name.slice(0, 80)}' is no name of a header`)
    if (ofConnection.has(name.toLowerCase())) return wrong("headers", `${name} belongs to the connection`)
    if (typeof text !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return wrong("headers", `the value of ${name} is none that a header may have`)
    headers[name.toLowerCase()] = text
  }
  return Result.succeed(headers)
}

/** Options that have a meaning for HTTP; the others of the contract are told as ignored. */
const ofOthers = ["skipPermissions", "allowedTools", "deniedTools", "cwd", "args", "maxTurns"]

const environmentIn = (given: Given, env: Environment): Environment =>
  ({ ...env, ...Object.fromEntries(Object.entries(fieldsOf(given["env"])).filter((entry): entry is [string, string] => typeof entry[1] === "string")) })

const keyIn = (given: Given, env: Environment): Read<string | null> =>
  Result.gen(function*() {
    const value = yield* textIn(given, "apiKey")
    // an empty one says that no key is to be sent
    const key = value === null ? nonBlank(env["OPENAI_API_KEY"]) : nonBlank(value)
    return key === null || /^[\x21-\x7e]+$/.test(key) ? key : yield* wrong("apiKey", "has a character in it that no key has")
  })

/** Reads what a call asks for. `model` is that of the conversation, where the options name none. Problems never quote a key. */
export const httpSettings = (options: unknown, env: Environment, model: string | null): Read<HttpSettings> =>
  Result.gen(function*() {
    const given = fieldsOf(options)
    const all = environmentIn(given, env)
    const base = nonBlank(yield* textIn(given, "baseUrl")) ?? nonBlank(all["OPENAI_BASE_URL"])
    if (base === null) return yield* wrong("baseUrl", "is required: give it, or set OPENAI_BASE_URL")
    const url = yield* addressOf(base)
    const named = nonBlank(yield* textIn(given, "model")) ?? nonBlank(model) ?? nonBlank(all["OPENAI_MODEL"])
    if (named === null) return yield* wrong("model", "is required: give it, or set OPENAI_MODEL")
    const key = yield* keyIn(given, all)
    const systemPrompt = yield* textIn(given, "systemPrompt")
    const temperature = yield* numberIn(given, "temperature", { least: 0, most: 2 })
    const maxTokens = yield* numberIn(given, "maxTokens", { least: 0, whole: true })
    const topP = yield* numberIn(given, "topP", { least: 0, most: 1 })
    const effort = nonBlank(yield* textIn(given, "effort"))
    const timeout = yield* numberIn(given, "timeout", { above: 0 })
    const idleTimeout = yield* numberIn(given, "idleTimeout", { above: 0 })
    const extra = yield* headersIn(given)
    const format = yield* textIn(given, "outputFormat")
    if (format !== null && format !== "json" && format !== "text") return yield* wrong("outputFormat", `must be text or json, got '${format.slice(0, 40)}'`)
    const values = [
      ...key === null ? [] : [key],
      ...Object.entries(extra).flatMap(([name, value]) => secretHeader.test(name) && value !== "" ? [value, ...value.split(/\s+/).slice(1)] : []),
      ...[...url.searchParams].flatMap(([name, value]) => secretHeader.test(name) && value !== "" ? [value] : [])
    ]
    return {
      url: url.href,
      model: named,
      headers: {
        accept: "text/event-stream, application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": "leap",
        ...key === null ? {} : { authorization: `Bearer ${key}` },
        ...extra
      },
      fields: {
        ...temperature === null ? {} : { temperature },
        ...topP === null ? {} : { top_p: topP },
        ...effort === null ? {} : { reasoning_effort: effort }
      },
      maxTokens,
      systemPrompt: textOf(systemPrompt),
      json: format === "json",
      timeout,
      idleTimeout: idleTimeout ?? defaultIdleTimeout,
      secrets: { values, answers: secretsInAnswers(values) },
      ignored: ofOthers.filter((option) => (given[option] ?? null) !== null)
    }
  })

/** Where a response sends a request on to: only within the same origin, as a key must not go elsewhere. Null: nowhere. */
export const redirected = (url: string, status: number, location: string | undefined): string | null => {
  if ((status !== 307 && status !== 308) || location === undefined) return null
  const to = URL.parse(location, url)
  return to === null || to.origin !== new URL(url).origin || to.username !== "" ? null : to.href
}

/** An address as people may see it: without what stands behind the `?`. */
export const shownUrl = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? "" : `${parsed.origin}${parsed.pathname}`
}
