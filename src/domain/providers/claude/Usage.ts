import {
  countOf,
  fieldsOf,
  type Fields,
  numberOf,
  textOf,
  textsOf,
  timeOf,
  windowOf
} from "../../words/reading/Fields.ts"
import {
  type Billed,
  promptOf,
  type UsageFact,
  type UsageReader,
  type WindowQuery
} from "../../cli/usage/UsageReader.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import { modelFacts } from "../../cli/usage/modelFacts.ts"
import { unwrapPastes } from "./Hooks.ts"
import { interrupted } from "./Transcript.ts"

const command = /^<command-name>([^<]*)<\/command-name>\s*<command-message>/
const argument = /<command-args>([^<]*)<\/command-args>/
/** Text that the CLI adds to the conversation in the user's name. */
const injected = /^<(?:command-|local-command-|bash-(?:stdout|stderr)|task-notification|system-reminder)/

const typedText = (raw: string): string => {
  const text = unwrapPastes(raw).trim()
  const name = command.exec(text)?.[1]?.trim()
  if (name !== undefined) return `${name} ${argument.exec(text)?.[1] ?? ""}`.trim()
  return interrupted.test(text) || injected.test(text) ? "" : text
}

/** The text that the user typed; null for tool results and for text that the CLI adds. */
export const promptText = (content: unknown): string | null =>
  textsOf(content, new Set(["text"]))
    .map(typedText)
    .filter((text) => text !== "")
    .join("\n") || null

const shortWindow = 200_000
const longWindow = 1_000_000
const texts = new Set(["text"])

/** Tokens by the API's field names. */
export const claudeTokens = (usage: Fields): Tokens => ({
  input: countOf(usage["input_tokens"]),
  cacheRead: countOf(usage["cache_read_input_tokens"]),
  cacheWrite: countOf(usage["cache_creation_input_tokens"]),
  output: countOf(usage["output_tokens"])
})

const billed = (usage: Fields): Billed => {
  const tokens = claudeTokens(usage)
  const long = countOf(fieldsOf(usage["cache_creation"])["ephemeral_1h_input_tokens"])
  return { ...tokens, cacheWriteLong: Math.min(tokens.cacheWrite, long), reasoning: 0 }
}

/** A subagent's request adds to the session's usage, not to the conversation's context, model or response. */
const asideFacts = (record: Fields, message: Fields): ReadonlyArray<UsageFact> =>
  responseFacts(record, message).flatMap((fact) => (fact._tag === "Billed" ? [{ ...fact, aside: true }] : []))

/** The end of the period that the reported cost covers: start time plus duration. */
const reportedUntil = (record: Fields): number | null => {
  const began = numberOf(record["startTime"])
  const lasted = numberOf(record["totalDuration"])
  return began === null || lasted === null ? null : began + lasted
}

/** Each block of a message is a separate record, with the usage of the whole message. */
const responseFacts = (record: Fields, message: Fields): ReadonlyArray<UsageFact> => {
  const usage = fieldsOf(message["usage"])
  const at = timeOf(record["timestamp"])
  const model = textOf(message["model"])
  // The CLI, not the model, wrote this text: an error or an interruption.
  if (model === "<synthetic>" || record["isApiErrorMessage"] === true) return []
  const response = textsOf(message["content"], texts).join("\n").trim()
  const facts: Array<UsageFact> = response === "" ? [] : [{ _tag: "Response", text: response, at }]
  if (Object.keys(usage).length === 0) return facts
  const tokens = billed(usage)
  const cwd = textOf(record["cwd"])
  // The long variant is requested by a name that the response does not repeat.
  const billedModel = model !== null && record["requestedModel"] === `${model}[1m]` ? `${model}[1m]` : model
  if (billedModel !== null) facts.push({ _tag: "Model", model: billedModel, ...(cwd === null ? {} : { cwd }) })
  const ids = [textOf(message["id"]), textOf(record["requestId"])]
  facts.push(
    { _tag: "Context", tokens: promptOf(tokens), window: null },
    {
      _tag: "Billed",
      id: ids.every((id) => id === null) ? null : ids.join(" "),
      // Requests in fast mode have their own prices.
      model: model !== null && usage["speed"] === "fast" ? `fast/${model}` : model,
      tokens,
      at
    }
  )
  return facts
}

const promptFacts = (record: Fields, message: Fields): ReadonlyArray<UsageFact> => {
  if (record["isMeta"] === true || record["isCompactSummary"] === true) return []
  const text = promptText(message["content"])
  return text === null ? [] : [{ _tag: "Prompt", text, at: timeOf(record["timestamp"]) }]
}

/** The result of the tool that starts a subagent contains the subagent's id. */
const partFacts = (record: Fields): ReadonlyArray<UsageFact> => {
  const id = textOf(fieldsOf(record["toolUseResult"])["agentId"])
  return id === null || id.length < 4 ? [] : [{ _tag: "Part", id }]
}

/**
 * A record of the transcript, or of a subagent's. It has no tokens of compactions: the CLI reports those at its exit.
 */
const record = (value: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(value)
  if (fields["isSidechain"] === true)
    return fields["type"] === "assistant" ? asideFacts(fields, fieldsOf(fields["message"])) : []
  switch (fields["type"]) {
    case "assistant":
      return responseFacts(fields, fieldsOf(fields["message"]))
    case "user":
      return [...partFacts(fields), ...promptFacts(fields, fieldsOf(fields["message"]))]
    case "cost-state": {
      const usd = numberOf(fields["totalCostUSD"])
      return usd === null || usd < 0 ? [] : [{ _tag: "Cost", usd, at: reportedUntil(fields) }]
    }
    case "system":
      return fields["subtype"] === "compact_boundary"
        ? [{ _tag: "Uncounted", why: "what a compaction used is not written down" }]
        : []
    default:
      return []
  }
}

const statusLine = (payload: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(payload)
  const facts = [...modelFacts(fields["model"])]
  const context = fieldsOf(fields["context_window"])
  const size = windowOf(context["context_window_size"])
  if (size !== null) {
    const current = context["current_usage"]
    const used =
      typeof current === "object" && current !== null && !Array.isArray(current)
        ? promptOf(billed(fieldsOf(current)))
        : countOf(context["total_input_tokens"])
    // A context that exceeds the reported window proves the long one.
    facts.push({ _tag: "Context", tokens: used, window: used > size ? Math.max(size, longWindow) : size })
  }
  const usd = numberOf(fieldsOf(fields["cost"])["total_cost_usd"])
  if (usd !== null && usd >= 0) facts.push({ _tag: "Cost", usd })
  return facts
}

/** The models that a project used last, as Claude Code keeps them per directory. */
const modelsOf = (project: unknown): ReadonlyArray<string> => Object.keys(fieldsOf(fieldsOf(project)["lastModelUsage"]))

/** Whether a model has the long window: as last used in this project, else if any project used its `[1m]` variant. */
const isLong = ({ aside, cwd, model }: WindowQuery): boolean => {
  if (model === null) return false
  if (model.endsWith("[1m]")) return true
  const projects = fieldsOf(fieldsOf(aside)["projects"])
  const variant = `${model}[1m]`
  const projectModels = cwd === null || !Object.hasOwn(projects, cwd) ? [] : modelsOf(projects[cwd])
  if (projectModels.includes(variant)) return true
  if (projectModels.includes(model)) return false
  return Object.values(projects).some((project) => modelsOf(project).includes(variant))
}

/** The window if no status line reports it: the long one if the model has it or the context exceeds the usual one. */
const window = (query: WindowQuery): number => {
  const base = query.listed ?? shortWindow
  return isLong(query) || (query.used !== null && query.used > base) ? Math.max(base, longWindow) : base
}

/** Claude Code's usage, from its status line and its transcript. */
export const claudeUsage: UsageReader = {
  hook: (event, payload) => (event === "StatusLine" ? statusLine(payload) : []),
  record,
  parts: (path) =>
    path.endsWith(".jsonl") ? { directories: () => [`${path.slice(0, -".jsonl".length)}/subagents`] } : null,
  window,
  // The CLI's configuration file is in the configured directory if one is set, else in the home directory.
  aside: (env) => `${env["CLAUDE_CONFIG_DIR"] || (env["HOME"] ?? "")}/.claude.json`
}
