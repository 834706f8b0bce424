import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import {
  nothingBilled,
  type SessionParts,
  sizeOf,
  type UsageFact
} from "../../../../src/domain/cli/usage/UsageReader.ts"
import { codexUsage } from "../../../../src/domain/providers/codex/Usage.ts"
import { withRequestCounts } from "../../../../src/layers/headless/cli/requestCounts.ts"
import { patience } from "../../../support/run/patience.ts"

const counted = (total: number) => {
  const usage = { input_tokens: total, cached_input_tokens: 0, output_tokens: 0 }
  const info = { total_token_usage: usage, last_token_usage: usage, model_context_window: 256_000 }
  return `${JSON.stringify({ type: "event_msg", payload: { type: "token_count", info } })}\n`
}
const started = (sessionId: string): AgentEvent => ({ _tag: "Started", sessionId, model: null })

describe("what the requests of a run use, by the file that its CLI writes", () => {
  it.live.each([
    ["from its beginning", false, [100, 250]],
    ["without what the session had used before", true, [150]]
  ] as const)("is told %s, as it grows, and ends with the run", ([, isResumed, expected]) =>
    Effect.gen(function* () {
      const home = fs.mkdtempSync(path.join(os.tmpdir(), "leap-counts-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(home, { recursive: true, force: true })))
      const file = path.join(home, "sessions/2026/11/29/rollout-a-one.jsonl")
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(path.join(path.dirname(file), "rollout-a-other.jsonl"), counted(9_999))
      // half a line is none yet
      fs.writeFileSync(file, `${counted(100)}${counted(250).slice(0, 20)}`)
      const seen = yield* Deferred.make<void>()
      const run = Stream.concat(Stream.make(started("one")), Stream.drain(Stream.fromEffect(Deferred.await(seen))))
      let reads = 0
      const place = {
        file: () => ({ directory: path.join(home, "sessions"), ending: "-one.jsonl" }),
        usage: (record: unknown) => {
          if (++reads === 1) fs.appendFileSync(file, counted(250).slice(20))
          return codexUsage.record(record)
        }
      }
      const totals: Array<number> = []
      yield* withRequestCounts(run, place, {}, isResumed).pipe(
        Stream.runForEach((event) => {
          if (event._tag === "Used") totals.push(sizeOf(event.tokens))
          return totals.at(-1) === expected.at(-1) ? Deferred.succeed(seen, undefined) : Effect.void
        }),
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.die(`told in time: ${totals.join()}`) })
      )
      assert.deepStrictEqual(totals, [...expected])
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )

  /** A line of a transcript: what it says, and what one request has billed. */
  const line = (fields: object) => `${JSON.stringify(fields)}\n`
  const billed = (id: string, input: number) => line({ id, input })
  const usage = (record: unknown): ReadonlyArray<UsageFact> => {
    const { id, input, part } = record as { id?: string; input?: number; part?: string }
    if (part !== undefined) return [{ _tag: "Part", id: part }]
    if (id === undefined || input === undefined) return []
    return [{ _tag: "Billed", id, model: null, tokens: { ...nothingBilled, input }, at: null }]
  }

  it.live.each([
    ["in a directory of the session's own", "one", false],
    ["in a directory that sessions share", "", true]
  ] as const)("has those of its subagents, %s, and says whose they are", ([, directory, isShared]) =>
    Effect.gen(function* () {
      const home = fs.mkdtempSync(path.join(os.tmpdir(), "leap-counts-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(home, { recursive: true, force: true })))
      const at = (name: string) => path.join(home, directory, name)
      fs.mkdirSync(at("."), { recursive: true })
      const own = path.join(home, "main-one.jsonl")
      fs.writeFileSync(own, line({ of: "one" }) + billed("a", 100))
      // of an earlier run, and of another session
      fs.writeFileSync(at("agent-early.jsonl"), line({ of: "one", name: "early" }) + billed("b", 1_000))
      if (isShared) fs.writeFileSync(at("agent-strange.jsonl"), line({ of: "two", name: "x" }) + billed("c", 5_000))
      let begun = false
      const seen: Array<readonly [number, string | null]> = []
      const place = {
        file: () => ({ directory: home, ending: "main-one.jsonl" }),
        usage: (record: unknown) => {
          // the first of this run, behind what an earlier one had used
          if (!begun) fs.appendFileSync(own, billed("g", 7))
          begun = true
          return usage(record)
        },
        parts: (_: string, first: unknown): SessionParts | null => {
          assert.deepStrictEqual(first, { of: "one" })
          return {
            directories: () => [at(".")],
            ...(isShared
              ? {
                  mayBe: (name: string) => name.includes("/agent-"),
                  idOf: (record: unknown) => {
                    const { name = null, of } = record as { name?: string; of?: string }
                    return of === "one" ? name : null
                  }
                }
              : {})
          }
        }
      }
      /** What happens when so much was told. */
      const next: Readonly<Record<number, () => void>> = {
        7: () => {
          if (isShared) fs.appendFileSync(own, line({ part: "early" }) + line({ part: "new" }))
          fs.writeFileSync(at("agent-new.jsonl"), line({ of: "one", name: "new" }) + billed("d", 20))
        },
        27: () => fs.appendFileSync(at("agent-early.jsonl"), billed("e", 300)),
        327: () => fs.appendFileSync(own, billed("f", 5))
      }
      const done = yield* Deferred.make<void>()
      const run = Stream.concat(Stream.make(started("one")), Stream.drain(Stream.fromEffect(Deferred.await(done))))
      yield* withRequestCounts(run, place, {}, true).pipe(
        Stream.runForEach((event) => {
          if (event._tag !== "Used") return Effect.void
          const size = sizeOf(event.tokens)
          seen.push([size, event.agent ?? null])
          next[size]?.()
          return size === 332 ? Deferred.succeed(done, undefined) : Effect.void
        }),
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.die(`told in time: ${JSON.stringify(seen)}`) })
      )
      const [fresh, early] = isShared ? ["new", "early"] : ["agent-new.jsonl", "agent-early.jsonl"]
      assert.deepStrictEqual(seen, [
        [7, null],
        [27, fresh],
        [327, early],
        [332, null]
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )
})
