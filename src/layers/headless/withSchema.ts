import { Clock, Effect, Stream } from "effect"
import {
  checkAnswer,
  faultsText,
  type JsonSchema,
  repairPrompt,
  type SchemaCheck
} from "../../domain/cli/headless/AnswerSchema.ts"
import type { AgentResult } from "../../domain/cli/headless/AgentResult.ts"
import { incompleteness } from "../../domain/cli/headless/incomplete.ts"
import { limitsLeft } from "../../domain/cli/headless/Spending.ts"
import { sumOf } from "../../domain/cli/headless/sumOf.ts"
import * as turns from "../../domain/cli/headless/turns.ts"
import type { Conversation } from "../../domain/cli/headless/Conversation.ts"
import {
  type AgentError,
  AgentProtocolError,
  AgentReportedError,
  type AgentProviderShape,
  type AgentRun,
  type AgentRunOptions,
  type ConversationResult
} from "../../services/AgentProvider.ts"
import { resultAlone, withNotices } from "./agentRun.ts"
import { schemaCheck } from "./AnswerSchemaAjv.ts"

type Options = AgentRunOptions & { readonly fork?: boolean }

/** A run whose result continues as another stream. */
const thenRun = (
  run: AgentRun<ConversationResult>,
  next: (result: ConversationResult) => AgentRun<ConversationResult>
): AgentRun<ConversationResult> =>
  Stream.flatMap(run, (item): AgentRun<ConversationResult> =>
    item._tag === "Result" ? next(item.result) : Stream.make(item)
  )

/** The failure of a further turn, with the earlier answer, which was paid for. */
const keeping =
  ({ text }: AgentResult) =>
  (error: AgentError): AgentError => {
    if (error._tag !== "AgentReportedError" || error.text !== "") return error
    const { exit, problem, provider, sessionId, stderr } = error
    return new AgentReportedError({ provider, problem, exit, sessionId, text, stderr })
  }

/**
 * The same provider with a check of each answer against the call's schema. If the provider only asks the model to
 * follow the schema, the model gets the faults once, and answers again.
 */
export const withSchema = (base: AgentProviderShape): AgentProviderShape => {
  const misfit = (result: AgentResult, why: string) =>
    new AgentProtocolError({
      provider: base.name,
      why: `its answer does not fit the schema: ${why}`,
      sessionId: result.sessionId,
      text: result.text,
      stderr: ""
    })

  const checked = (check: SchemaCheck, { conversation, result }: ConversationResult): AgentRun<ConversationResult> => {
    const { faults, json } = checkAnswer(result.text, check)
    return faults.length === 0
      ? Stream.make({ _tag: "Result", result: { conversation, result: { ...result, json } } })
      : Stream.fail(misfit(result, faultsText(faults)))
  }

  /** The limits of a further turn; null: none are left, or it would not help. */
  const leftFor = (schema: JsonSchema, options: Options, { result }: ConversationResult, ms: number) => {
    const { maxTurns, timeout } = options
    const turnsLeft = maxTurns === undefined ? null : maxTurns - (result.turns ?? 1)
    // A further turn cannot mend an answer that was cut off or withheld.
    const isBroken = incompleteness(result) !== null && result.text !== ""
    const limits = limitsLeft(options, { tokens: result.tokens.total, usd: result.cost?.usd ?? null })
    if (base.keepsSchema?.(schema) === true || isBroken || limits === null) return null
    if (turnsLeft !== null && turnsLeft < 1) return null
    const left = { ...limits, ...(turnsLeft === null ? {} : { maxTurns: turnsLeft }) }
    if (timeout === undefined) return left
    return timeout > ms ? { ...left, timeout: timeout - ms } : null
  }

  const converse = (given: Conversation, prompt: string, options: Options): AgentRun<ConversationResult> => {
    const { outputFormat: _, schema, ...others } = options
    if (schema === undefined) return base.executeConversation(given, prompt, options)
    const asked = { ...others, schema }
    return Stream.unwrap(
      Effect.gen(function* () {
        const check = yield* schemaCheck(base.name, schema)
        const from = yield* Clock.currentTimeMillis
        const mended = Effect.fnUntraced(function* (first: ConversationResult) {
          const { faults } = checkAnswer(first.result.text, check)
          const left = leftFor(schema, asked, first, (yield* Clock.currentTimeMillis) - from)
          if (faults.length === 0 || left === null) return checked(check, first)
          const { fork: _fork, images: _images, ...same } = asked
          // The faults quote the model: they must name no file to read.
          const repair = repairPrompt(faults)
          const again = base.executeConversation(first.conversation, base.inert?.(repair) ?? repair, {
            ...same,
            ...left
          })
          const text = `its answer does not fit the schema, and it is asked once more: ${faultsText(faults)}`
          const mendedRun = thenRun(Stream.mapError(again, keeping(first.result)), (second) =>
            checked(check, { ...second, result: sumOf(first.result, second.result) })
          )
          return withNotices(mendedRun, [text])
        })
        return thenRun(base.executeConversation(given, prompt, asked), (first) => Stream.unwrap(mended(first)))
      })
    )
  }

  return {
    ...base,
    execute: (prompt, options) =>
      options.schema === undefined
        ? base.execute(prompt, options)
        : resultAlone(converse(turns.begin(base.name), prompt, options)),
    executeConversation: converse
  }
}
