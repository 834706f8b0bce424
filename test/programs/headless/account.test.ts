import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { nothingSpent } from "../../../src/domain/cli/usage/Budget.ts"
import { sizeOf } from "../../../src/domain/cli/usage/UsageReader.ts"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { accountFor } from "../../../src/programs/headless/account.ts"
import { Output } from "../../../src/services/Output.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { StoreError } from "../../../src/services/StoreError.ts"
import { System } from "../../../src/services/System.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { effect } from "../../support/run/effects.ts"

const hour = 3_600_000
const evening = new Date(2026, 0, 1, 23).getTime()

/** A record with others' use, which adds up growth as the real one does. */
const recordOf = (others: ReadonlyArray<readonly [at: number, tokens: number]>) => {
  const rows: Array<readonly [at: number, tokens: number]> = [...others]
  let own = 0
  const state = { refuses: false }
  const failed = new StoreError({ store: "record", reason: "unwritable", file: "/r", why: "of the test" })
  const layer = Layer.mock(RecordStore, {
    file: "/r",
    spent: ({ from, to }) =>
      Effect.sync(() => ({
        tokens: rows.reduce((sum, [at, tokens]) => (at >= from && at < to ? sum + tokens : sum), 0),
        usd: 0,
        floor: false
      })),
    upkeep: () => Effect.void,
    open: () =>
      Effect.succeed({
        isNew: true,
        write: (written) =>
          Effect.suspend(() => {
            if (state.refuses) return Effect.fail(failed)
            for (const row of written)
              if (row._tag === "Usage" && row.tokens !== null) {
                rows.push([row.at, sizeOf(row.tokens) - own])
                own = sizeOf(row.tokens)
              }
            return Effect.succeed(0)
          })
      })
  })
  return { layer, rows, state }
}

const opened = Effect.fnUntraced(function* (record: ReturnType<typeof recordOf>) {
  const settings = { ...defaultSettings, budget: { ...defaultSettings.budget, dayTokens: 1_000 } }
  const account = yield* accountFor("exec", nothingSpent, false).pipe(
    Effect.provide([
      record.layer,
      Layer.mock(Paths, {
        state: "/s",
        config: "/c",
        sessions: "/s/s",
        hookScript: "/h",
        ensureBase: Effect.void,
        session: () => assert.fail("there is no session")
      }),
      Layer.mock(Output, {
        isTerminal: false,
        inputIsTerminal: false,
        errorIsTerminal: false,
        colour: false,
        note: () => Effect.void
      }),
      Layer.mock(UserSettings, { file: "/s", read: Effect.succeed({ settings, warnings: [] }) }),
      Layer.mock(System, {
        env: {},
        cwd: "/p",
        pid: 1,
        version: "1",
        node: "24",
        platform: "linux",
        self: [],
        newId: Effect.succeed("id")
      })
    ])
  )
  const { limits, spent } = yield* account?.open("x") ?? assert.fail("no account")
  /** What the day's limit counts with the run's own use so far. */
  const counted = Effect.fnUntraced(function* (tokens: number) {
    yield* spent({
      model: "m",
      tokens: { input: tokens, cacheRead: 0, cacheWrite: 0, output: 0 },
      usd: 0,
      isEstimated: false
    })
    const [limit] = yield* limits
    return (limit?.before ?? Number.NaN) + tokens
  })
  return counted
})

describe("the account of a headless run", () => {
  effect("counts what it uses in the day in which it uses it, as the record does", function* () {
    yield* TestClock.setTime(evening)
    const record = recordOf([[evening - hour, 100]])
    const scope = yield* Scope.make()
    const counted = yield* Effect.provideService(opened(record), Scope.Scope, scope)
    assert.strictEqual(yield* counted(700), 800)
    record.rows.push([evening + 1, 50])
    assert.strictEqual(yield* counted(710), 860, "with what others use meanwhile")
    yield* TestClock.adjust(2 * hour)
    assert.strictEqual(yield* counted(720), 10, "the new day has its own budget")
    record.rows.push([evening + 2 * hour, 30])
    assert.strictEqual(yield* counted(740), 60)
  })
  effect("counts what it could not record", function* () {
    yield* TestClock.setTime(evening)
    const record = recordOf([[evening - hour, 100]])
    const scope = yield* Scope.make()
    const counted = yield* Effect.provideService(opened(record), Scope.Scope, scope)
    assert.strictEqual(yield* counted(200), 300)
    record.state.refuses = true
    assert.strictEqual(yield* counted(500), 600)
    record.state.refuses = false
    assert.strictEqual(yield* counted(510), 610)
  })
})
