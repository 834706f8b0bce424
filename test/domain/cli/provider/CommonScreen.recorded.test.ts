import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readCommon } from "../../../../src/domain/cli/provider/CommonScreen.ts"
import { withPlainBlanks } from "../../../../src/domain/cli/provider/ScreenReading.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"
import { listOf, read, type RecordedCli, setsOf, truthOf } from "../../../support/recordings/recordings.ts"
import { isThorough } from "../../../support/run/thorough.ts"
import { each } from "../../../support/data/fields.ts"

/** Turns that are over before their labels say so, and one that writes too fast to draw its wheel. */
const unsigned = new Set([
  "claude-more/history-search-inline",
  "claude-more/suggestion-inline",
  "claude/fast-stream-inline"
])
const asks = new Set(["needs_permission", "needs_input"])

/** What the common reading, with the CLI's own reader off, makes of a moment in each dialog and each turn. */
const lookAt = Effect.fn("lookAt")(function* (name: string) {
  const truth = truthOf(read(name).lines)
  const moments = truth.flatMap(({ state, t }, n) => {
    const until = truth[n + 1]?.t ?? t + 4
    const fits = until - t > 1 && (asks.has(state) || state === "running")
    return fits ? [{ state, t: Math.min(t + 2, (t + until) / 2) }] : []
  })
  return yield* Effect.forEach(moments, ({ state, t }) =>
    Effect.map(screenAt(name, t), (view) => {
      const { box, dialog, working } = readCommon(withPlainBlanks(view))
      return { name, where: `${name} at ${t}`, state, dialog: dialog !== null, rests: box?.draft === "" && !working }
    })
  )
})

describe("the common reading in the place of a CLI's own reader", () => {
  it.effect.each(Object.keys(setsOf) as ReadonlyArray<RecordedCli>)("%s", (cli) =>
    Effect.gen(function* () {
      const names = listOf(cli).filter((_, n) => isThorough || n % 4 === 0)
      const looks = (yield* Effect.forEach(names, (name) => Effect.scoped(lookAt(name)))).flat()
      const dialogs = looks.filter(({ state }) => asks.has(state))
      const missed = dialogs.filter(({ dialog }) => !dialog).map(({ where }) => where)
      assert.isAbove(dialogs.length, 4)
      assert.isAtMost(missed.length, dialogs.length / 10, missed.join("\n"))
      assert.deepStrictEqual(
        each(
          looks.filter(({ name, rests }) => rests && !unsigned.has(name)),
          "where"
        ),
        [],
        "looks ready in a turn or under a dialog"
      )
    }).pipe(Effect.provide(ScreenXterm.layer))
  )
})
