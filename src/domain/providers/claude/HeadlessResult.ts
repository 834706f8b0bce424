import { oneLine } from "../../words/text/printable.ts"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import type { ModelUse } from "../../cli/headless/AgentEvent.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { withoutReason } from "../../cli/headless/Refusals.ts"
import { addTokens, noTokens } from "../../cli/headless/tokens.ts"
import type { State } from "./HeadlessState.ts"
import { claudeTokens } from "./Usage.ts"

const modelTokens = (usage: Fields): Tokens => ({
  input: countOf(usage["inputTokens"]),
  cacheRead: countOf(usage["cacheReadInputTokens"]),
  cacheWrite: countOf(usage["cacheCreationInputTokens"]),
  output: countOf(usage["outputTokens"])
})

const modelsIn = (uses: unknown): ReadonlyArray<ModelUse> =>
  Object.entries(fieldsOf(uses)).map(([model, use]) => {
    const usage = fieldsOf(use)
    return { model, tokens: modelTokens(usage), usd: numberOf(usage["costUSD"]) }
  })

/**
 * Tokens and cost of the run so far. The figures since the last result take precedence, because `total_cost_usd` and
 * `modelUsage` cover the whole session with its former runs, and `usage` leaves out subagents.
 */
const used = (state: State, line: Fields): Pick<State, "models" | "reasoning" | "tokens" | "usd"> => {
  const since = line["model_usage_since_last_result"]
  const before = state.tokens ?? noTokens
  const isOfRun = typeof since === "object" && since !== null
  const models = isOfRun ? modelsIn(since) : state.resumed ? [] : modelsIn(line["modelUsage"])
  const thought = numberOf(fieldsOf(fieldsOf(line["usage"])["output_tokens_details"])["thinking_tokens"])
  const more = {
    reasoning: Decode.addReasoning(state.reasoning, thought),
    models: models.length === 0 ? state.models : Decode.addModels(isOfRun ? (state.models ?? []) : [], models)
  }
  if (isOfRun) {
    return {
      ...more,
      tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), before),
      usd: models.reduce((sum, { usd }) => sum + Math.max(0, usd ?? 0), state.usd ?? 0)
    }
  }
  const usage = line["usage"]
  return {
    ...more,
    tokens:
      typeof usage === "object" && usage !== null ? addTokens(before, claudeTokens(fieldsOf(usage))) : state.tokens,
    // In a resumed session the sum includes former runs.
    usd: state.resumed ? null : (numberOf(line["total_cost_usd"]) ?? state.usd)
  }
}

const answerOf = (result: unknown): string | null =>
  typeof result === "string" ? result : typeof result === "number" ? String(result) : null

/** The text of a result if a hook of the user's refused the prompt; the prompt follows it. */
const promptRefused = /^UserPromptSubmit operation blocked by hook\b/

/** A result ends a turn. */
export const result = (state: State, line: Fields): Decode.Step<State> => {
  const next: State = {
    ...state,
    ...used(state, line),
    turns: (state.turns ?? 0) + countOf(line["num_turns"]),
    stopReason:
      line["terminal_reason"] === "max_turns" ? "max_turns" : (textOf(line["stop_reason"]) ?? state.stopReason),
    complete: true,
    streams: {},
    requested: noTokens
  }
  const tokens = Decode.used(next.tokens, next.reasoning)
  const [denied, refusals] = denials(next, line["permission_denials"])
  const errors = Array.isArray(line["errors"]) ? line["errors"].filter((error) => typeof error === "string") : []
  const answer = answerOf(line["result"])
  if (line["num_turns"] === 0 && answer !== null && promptRefused.test(answer)) {
    const [said] = answer.split(/\n+Original prompt:/)
    const [after, events] = Decode.failed(denied, { message: oneLine(said ?? answer, 500) })
    return [after, [...refusals, ...tokens, ...events]]
  }
  if (line["is_error"] === true || (typeof line["subtype"] === "string" && line["subtype"].startsWith("error"))) {
    // The text of such a result describes the failure; it is not an answer of the model.
    const message =
      textOf(errors.join("; ")) ?? textOf(answer) ?? `the turn ended with ${textOf(line["subtype"]) ?? "an error"}`
    const [after, events] = Decode.failed(denied, {
      message,
      status: numberOf(line["api_error_status"]),
      code: textOf(line["api_error_type"])
    })
    return [{ ...after, message: after.message === answer ? "" : after.message }, [...refusals, ...tokens, ...events]]
  }
  // an answer by schema comes in a field of its own
  const structured = line["structured_output"]
  const isStructured = structured !== undefined && structured !== null
  // some versions and gateways leave the text empty although the model has just written it
  const isMissing = answer === null || (answer.trim() === "" && next.spoken)
  const text = isStructured ? JSON.stringify(structured) : isMissing ? next.message : answer
  // the answer came by a tool whose result nobody waits for
  const stopReason = isStructured ? "end_turn" : denied.stopReason
  return [
    { ...denied, stopReason, problem: null, answers: [...denied.answers, text], message: "", spoken: false },
    [...refusals, ...tokens, { _tag: "Answered", text }]
  ]
}

/** Refused tools that have not been reported yet. */
export const denials = (state: State, list: unknown): Decode.Step<State> => {
  if (!Array.isArray(list)) return [state, []]
  const fresh = list.map(fieldsOf).filter((denial) => !state.refused.includes(textOf(denial["tool_use_id"]) ?? ""))
  return [
    { ...state, refused: [...state.refused, ...fresh.flatMap((denial) => textOf(denial["tool_use_id"]) ?? [])] },
    fresh.map((denial) => ({
      _tag: "Refused",
      tool: textOf(denial["tool_name"]) ?? "unknown",
      why: textOf(denial["message"]) ?? withoutReason
    }))
  ]
}
