import { countOf, fieldsOf, type Fields, numberOf, textOf, textsOf, timeOf, windowOf } from "../usage/Fields.ts"
import { type Billed, promptOf, type UsageFact, type UsageReader, type WindowQuestion } from "../usage/UsageReader.ts"
import { promptText } from "./ClaudePrompt.ts"

const short = 200_000
const long = 1_000_000
const texts = new Set(["text"])

const billed = (usage: Fields): Billed => {
  const cacheWrite = countOf(usage["cache_creation_input_tokens"])
  return {
    input: countOf(usage["input_tokens"]),
    cacheRead: countOf(usage["cache_read_input_tokens"]),
    cacheWrite,
    output: countOf(usage["output_tokens"]),
    cacheWriteLong: Math.min(cacheWrite, countOf(fieldsOf(usage["cache_creation"])["ephemeral_1h_input_tokens"])),
    reasoning: 0
  }
}

/** Each of a message's blocks is a record of its own, with the usage of the whole message. */
const answer = (record: Fields, message: Fields): ReadonlyArray<UsageFact> => {
  const usage = fieldsOf(message["usage"])
  const at = timeOf(record["timestamp"])
  const model = textOf(message["model"])
  // what the CLI says itself in the assistant's place: an error, an interruption
  if (model === "<synthetic>" || record["isApiErrorMessage"] === true) return []
  const said = textsOf(message["content"], texts).join("\n").trim()
  const facts: Array<UsageFact> = said === "" ? [] : [{ _tag: "Response", text: said, at }]
  if (Object.keys(usage).length === 0) return facts
  const tokens = billed(usage)
  const cwd = textOf(record["cwd"])
  // the long variant is asked for by a name that the reply does not have
  const named = model !== null && record["requestedModel"] === `${model}[1m]` ? `${model}[1m]` : model
  if (named !== null) facts.push({ _tag: "Model", model: named, ...cwd === null ? {} : { cwd } })
  const ids = [textOf(message["id"]), textOf(record["requestId"])]
  facts.push(
    { _tag: "Context", tokens: promptOf(tokens), window: null },
    {
      _tag: "Billed",
      id: ids.every((id) => id === null) ? null : ids.join(" "),
      // requests of the fast mode have prices of their own
      model: model !== null && usage["speed"] === "fast" ? `fast/${model}` : model,
      tokens,
      at
    }
  )
  return facts
}

const asked = (record: Fields, message: Fields): ReadonlyArray<UsageFact> => {
  if (record["isMeta"] === true || record["isCompactSummary"] === true) return []
  const text = promptText(message["content"])
  return text === null ? [] : [{ _tag: "Prompt", text, at: timeOf(record["timestamp"]) }]
}

/** A record of the transcript. Subagents' records, where they stand in it, are not the session's. */
const record = (value: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(value)
  if (fields["isSidechain"] === true) return []
  switch (fields["type"]) {
    case "assistant":
      return answer(fields, fieldsOf(fields["message"]))
    case "user":
      return asked(fields, fieldsOf(fields["message"]))
    case "cost-state": {
      const usd = numberOf(fields["totalCostUSD"])
      return usd === null || usd < 0 ? [] : [{ _tag: "Cost", usd }]
    }
    default:
      return []
  }
}

/** What the status line is told: the window, the context, the model, the cost. */
const statusLine = (payload: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(payload)
  const facts: Array<UsageFact> = []
  const named = fields["model"]
  const model = textOf(named) ?? textOf(fieldsOf(named)["id"]) ?? textOf(fieldsOf(named)["display_name"])
  if (model !== null) facts.push({ _tag: "Model", model })
  const context = fieldsOf(fields["context_window"])
  const size = windowOf(context["context_window_size"])
  if (size !== null) {
    const current = context["current_usage"]
    const used = typeof current === "object" && current !== null && !Array.isArray(current)
      ? promptOf(billed(fieldsOf(current)))
      : countOf(context["total_input_tokens"])
    facts.push({ _tag: "Context", tokens: used, window: used > size ? Math.max(size, long) : size })
  }
  const usd = numberOf(fieldsOf(fields["cost"])["total_cost_usd"])
  if (usd !== null && usd >= 0) facts.push({ _tag: "Cost", usd })
  return facts
}

/** The models that a project used last, as Claude Code keeps them for each directory. */
const modelsOf = (project: unknown): ReadonlyArray<string> => Object.keys(fieldsOf(fieldsOf(project)["lastModelUsage"]))

/**
 * Whether a model runs with the long window: what this directory used last decides, where it names the model; else whether
 * any directory used its `[1m]` variant.
 */
const isLong = ({ aside, cwd, model }: WindowQuestion): boolean => {
  if (model === null) return false
  if (model.endsWith("[1m]")) return true
  const projects = fieldsOf(fieldsOf(aside)["projects"])
  const variant = `${model}[1m]`
  const own = cwd === null || !Object.hasOwn(projects, cwd) ? [] : modelsOf(projects[cwd])
  if (own.includes(variant)) return true
  if (own.includes(model)) return false
  return Object.values(projects).some((project) => modelsOf(project).includes(variant))
}

/** Without a status line: what the model has by itself, more where its long variant is on or where more is used already. */
const window = (question: WindowQuestion): number => {
  const base = question.listed ?? short
  return isLong(question) || question.used !== null && question.used > base ? Math.max(base, long) : base
}

/** Claude Code: its status line, and its transcript. */
export const claudeUsage: UsageReader = {
  hook: (event, payload) => event === "StatusLine" ? statusLine(payload) : [],
  record,
  window,
  // beside the directory that may be set to another place, else in the home directory itself
  aside: (env) => `${env["CLAUDE_CONFIG_DIR"] || (env["HOME"] ?? "")}/.claude.json`
}
