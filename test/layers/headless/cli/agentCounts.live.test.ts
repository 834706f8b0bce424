import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Queue, Stream } from "effect"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as os from "node:os"
import * as path from "node:path"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { noTokens } from "../../../../src/domain/cli/headless/tokens.ts"
import { sizeOf } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { opencodeHeadless } from "../../../../src/domain/providers/opencode/Headless.ts"
import { withAgentCounts } from "../../../../src/layers/headless/cli/agentCounts.ts"
import { live } from "../../../support/run/effects.ts"
import { patience } from "../../../support/run/patience.ts"

const { agentRequests } = opencodeHeadless

describe("what a CLI's subagents use, by its database", () => {
  live(
    "is a part of what is used, with whose it is, without other sessions' and what earlier runs had used",
    function* () {
      const home = fs.mkdtempSync(path.join(os.tmpdir(), "leap-agents-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(home, { recursive: true, force: true })))
      const place = agentRequests ?? assert.fail("none")
      const env = { HOME: home }
      const file = place.file(env) ?? assert.fail("none")
      const events = yield* Queue.unbounded<AgentEvent>()
      const done = yield* Deferred.make<void>()
      const run = Stream.merge(Stream.fromQueue(events), Stream.drain(Stream.fromEffect(Deferred.await(done))), {
        haltStrategy: "right"
      })
      yield* Queue.offer(events, { _tag: "Started", sessionId: "root", model: null })
      const own = (input: number) => Queue.offer(events, { _tag: "Used", tokens: { ...noTokens, input } })
      /** What the database gets when so much was told. */
      const next: Readonly<Record<number, Effect.Effect<unknown>>> = {
        100: Effect.sync(() => write("child", "root", 40)),
        140: Effect.sync(() => write("grandchild", "child", 7)),
        147: own(200),
        247: Effect.sync(() => write("early", "root", 1_003)),
        250: Deferred.succeed(done, undefined)
      }
      fs.mkdirSync(path.dirname(file), { recursive: true })
      const database = new DatabaseSync(file)
      yield* Effect.addFinalizer(() => Effect.sync(() => database.close()))
      database.exec(
        "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, tokens_input INT, tokens_output INT DEFAULT 0, " +
          "tokens_reasoning INT DEFAULT 0, tokens_cache_read INT DEFAULT 0, tokens_cache_write INT DEFAULT 0)"
      )
      const write = (id: string, parent: string | null, input: number) =>
        database
          .prepare("INSERT OR REPLACE INTO session (id, parent_id, tokens_input) VALUES (?, ?, ?)")
          .run(id, parent, input)
      write("root", null, 100)
      write("early", "root", 1_000)
      write("other", null, 5_000)
      write("others", "other", 5_000)
      const seen: Array<readonly [number, string | null]> = []
      yield* own(100)
      yield* withAgentCounts(run, place, env, "root").pipe(
        Stream.runForEach((event) => {
          if (event._tag !== "Used") return Effect.void
          const size = sizeOf(event.tokens)
          seen.push([size, event.agent ?? null])
          return next[size] ?? Effect.void
        }),
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.die(`told in time: ${JSON.stringify(seen)}`) })
      )
      assert.deepStrictEqual(seen, [
        [100, null],
        [140, "child"],
        [147, "grandchild"],
        [247, null],
        [250, "early"]
      ])
    }
  )
})
