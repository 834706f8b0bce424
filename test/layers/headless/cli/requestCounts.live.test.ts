import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { sizeOf } from "../../../../src/domain/cli/usage/UsageReader.ts"
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
})
