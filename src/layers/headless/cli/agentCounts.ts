import { Effect, Option, Schedule, Schema, Stream } from "effect"
import { DatabaseSync } from "node:sqlite"
import { withCounts } from "./withCounts.ts"
import type { AgentCli } from "../../../domain/cli/headless/AgentCli.ts"
import type { AgentEvent, EventOf } from "../../../domain/cli/headless/AgentEvent.ts"
import { addTokens, noTokens, tokensSince } from "../../../domain/cli/headless/tokens.ts"
import { Tokens } from "../../../domain/cli/usage/Usage.ts"
import { sizeOf } from "../../../domain/cli/usage/UsageReader.ts"

const pace = "100 millis"

const Row = Schema.Struct({ agent: Schema.String, ...Tokens.fields })
const decodeRow = Schema.decodeUnknownOption(Row)

const attempt = <A>(run: () => A) => Effect.try({ try: run, catch: () => "not now" as const })

/**
 * The run of a CLI that reports its own usage with each request and that of its subagents nowhere, with what its
 * database has of them: the tokens of each `Used` are those of all. `resumed`: the session that the run goes on with;
 * what is there of it before belongs to earlier runs. A database that cannot be read adds nothing.
 */
export const withAgentCounts = <A extends { readonly _tag: string }, E, R>(
  run: Stream.Stream<AgentEvent | A, E, R>,
  { file, query }: NonNullable<AgentCli["agentRequests"]>,
  env: Readonly<Record<string, string>>,
  resumed: string | null
): Stream.Stream<AgentEvent | A, E, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const path = file(env)
      if (path === null) return run
      let own = noTokens
      const counted = new Map<string, Tokens>()
      const agents = () => [...counted.values()].reduce(addTokens, noTokens)

      const opened = Effect.acquireRelease(
        attempt(() => new DatabaseSync(path, { readOnly: true, timeout: 0 })),
        (database) => Effect.sync(() => database.close())
      )
      const rowsOf = (database: DatabaseSync, id: string) =>
        Effect.map(
          attempt(() => database.prepare(query).all(id)),
          (rows) => rows.flatMap((row) => Option.toArray(decodeRow(row)))
        )
      const earlier =
        resumed === null
          ? []
          : yield* Effect.scoped(Effect.flatMap(opened, (database) => rowsOf(database, resumed))).pipe(
              Effect.orElseSucceed(() => [])
            )
      const before = new Map(earlier.map((row) => [row.agent, row]))
      const withAgents = Stream.map(run, (item) => {
        if (item._tag !== "Used" || !("tokens" in item)) return item
        own = item.tokens
        return { ...item, tokens: addTokens(own, agents()) }
      })
      const lookFor = Effect.fnUntraced(function* (id: string) {
        const database = yield* Effect.orDie(Effect.retry(opened, Schedule.spaced(pace)))
        return Effect.gen(function* () {
          const used: Array<EventOf<"Used">> = []
          for (const { agent, ...tokens } of yield* rowsOf(database, id)) {
            const since = tokensSince(tokens, before.get(agent) ?? noTokens)
            if (since === null || sizeOf(since) === sizeOf(counted.get(agent) ?? noTokens)) continue
            counted.set(agent, since)
            used.push({ _tag: "Used", tokens: addTokens(own, agents()), reasoning: null, agent })
          }
          return used
        }).pipe(Effect.orElseSucceed(() => []))
      })
      return withCounts(withAgents, pace, lookFor)
    })
  )
