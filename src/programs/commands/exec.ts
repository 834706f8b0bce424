import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import * as turns from "../../domain/cli/headless/turns.ts"
import { nothingSpent } from "../../domain/cli/usage/Budget.ts"
import { accountFor } from "../headless/account.ts"
import { fanOut } from "../headless/fanOut.ts"
import { askedOf, promptFor } from "../headless/promptText.ts"
import { renderRun, requireComplete, withFailureRendered } from "../headless/renderRun.ts"
import { withWholeWrites } from "../headless/withWholeWrites.ts"
import { fail } from "../exit.ts"
import { flags, promptArgument } from "./shared/headlessFlags.ts"
import { agentOf, agentWithFallback, fullOptions, invocationOf, nameOf, providersIn } from "./shared/headlessOptions.ts"
import { textFlag, toggle } from "./shared/common.ts"

export const exec = (rest: ReadonlyArray<string>) =>
  Command.make(
    "exec",
    {
      ...flags,
      session: textFlag("resume", "Go on in this session of the CLI"),
      fork: toggle("fork", "Go on in a copy of it"),
      prompt: promptArgument
    },
    Effect.fn(function* ({ fork, prompt, session, ...values }) {
      const { format, json, options: own, output, progress, shared, streams } = yield* invocationOf(values, rest)
      yield* Effect.gen(function* () {
        const account = yield* accountFor("exec", nothingSpent, false)
        const read = yield* fullOptions(own, values)
        const options = account === null ? read : { ...read, account: account.open }
        // an empty variable in a script must not silently start another session
        if (Option.isSome(session) && session.value.trim() === "")
          return yield* fail("usage", "--resume: the session is empty")
        if (fork && Option.isNone(session)) return yield* fail("usage", "--fork: of which session? --resume names it")
        const name = yield* nameOf(values)
        const names = name === null ? [] : [...new Set(providersIn(name))]
        if (names.length > 1) {
          if (Option.isSome(session) || Option.isSome(values.fallback))
            return yield* fail("usage", "--resume and --fallback are for one provider; --provider names several")
          if (format === "native")
            return yield* fail("usage", "--output native is one provider's own lines; --provider names several")
          const agents = yield* Effect.forEach(names, (one) => agentOf(one, options))
          return yield* fanOut(agents, yield* askedOf(prompt, values.promptFile), options, { format, progress })
        }
        const first = yield* agentOf(names[0] ?? name, options)
        const agent = yield* agentWithFallback(first, options, values, progress)
        const rendering = { format, progress, json, streams: streams(agent) }
        const promptText = yield* promptFor(yield* askedOf(prompt, values.promptFile), agent)
        if (Option.isNone(session)) {
          const rendered = yield* renderRun(agent.execute(promptText, options), {
            ...rendering,
            resultOf: (result) => result,
            document: (result) => ({ schema: 1, ...result })
          })
          yield* requireComplete(rendered)
        } else {
          if (account?.limitsConversation === true)
            yield* output.note(`leap: what ${session.value} has spent before is not known: its budget counts this run`)
          const conversation = turns.begin(agent.name, { sessionId: session.value })
          const rendered = yield* renderRun(agent.executeConversation(conversation, promptText, { ...options, fork }), {
            ...rendering,
            resultOf: ({ result }) => result,
            document: ({ result }) => ({ schema: 1, ...result })
          })
          yield* requireComplete(rendered)
        }
      }).pipe(withFailureRendered(format), withWholeWrites(shared))
    })
  ).pipe(
    Command.withDescription(
      "Asks an AI CLI or API one thing, without its terminal interface; what follows a lone -- goes to the CLI"
    )
  )
