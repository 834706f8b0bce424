import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readCommon } from "../../../../src/domain/cli/provider/CommonScreen.ts"
import { withPlainBlanks } from "../../../../src/domain/cli/provider/ScreenReading.ts"
import { parseSize } from "../../../../src/domain/terminal/recording/Cast.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../../src/services/Screen.ts"
import { listOf, read, type RecordedCli, setsOf, truthOf } from "../../../support/recordings/recordings.ts"
import { isThorough } from "../../../support/run/thorough.ts"

/** Turns that are over before their labels say so, and one that writes too fast to draw its wheel. */
const unsigned = new Set([
  "claude-more/history-search-inline",
  "claude-more/suggestion-inline",
  "claude/fast-stream-inline"
])
const asks = new Set(["needs_permission", "needs_input"])

/** What the common reading, with the CLI's own reader off, makes of a moment in each dialog and each turn. */
const lookAt = Effect.fn("lookAt")(function* (name: string) {
  const { header, lines } = read(name)
  const truth = truthOf(lines)
  const moments = truth.flatMap(({ state, t }, n) => {
    const until = truth[n + 1]?.t ?? t + 4
    const fits = until - t > 1 && (asks.has(state) || state === "running")
    return fits ? [{ state, t: Math.min(t + 2, (t + until) / 2) }] : []
  })
  const screen = yield* (yield* Screen).make({ cols: header.width, rows: header.height, scrollback: 0 })
  let next = 0
  return moments.map(({ state, t }) => {
    for (; next < lines.length && (lines[next]?.[0] ?? 0) <= t; next++) {
      const [, code, data] = lines[next] ?? [0, "", ""]
      if (code === "o") screen.feed(fromLatin1(utf8ToLatin1(data)))
      const size = code === "r" ? parseSize(data) : null
      if (size !== null) screen.resize(size.cols, size.rows)
    }
    const { box, dialog, working } = readCommon(withPlainBlanks(screen.view()))
    return { name, where: `${name} at ${t}`, state, dialog: dialog !== null, rests: box?.draft === "" && !working }
  })
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
        looks.filter(({ name, rests }) => rests && !unsigned.has(name)).map(({ where }) => where),
        [],
        "looks ready in a turn or under a dialog"
      )
    }).pipe(Effect.provide(ScreenXterm.layer))
  )
})
