import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { utf8ToLatin1, fromLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { readOnce } from "../../../../src/domain/cli/provider/ScreenReading.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../../src/services/Screen.ts"

describe("reading a screen", () => {
  it.effect("happens once for a screen that did not change", () =>
    Effect.gen(function* () {
      const screen = yield* (yield* Screen).make({ cols: 20, rows: 5, scrollback: 0 })
      let reads = 0
      const read = readOnce((view) => {
        reads++
        return { ...blankFacts, activity: view.lines.join("|") }
      })
      const look = () => read(screen.view()).activity
      const feed = (text: string) => screen.feed(fromLatin1(utf8ToLatin1(text)))
      feed("one")
      assert.deepStrictEqual([look(), look(), look(), reads], ["one||||", "one||||", "one||||", 1])
      feed("")
      look()
      assert.strictEqual(reads, 1)
      feed(" two")
      assert.deepStrictEqual([look(), look(), reads], ["one two||||", "one two||||", 2])
      screen.resize(4, 5)
      look()
      assert.strictEqual(reads, 3)
    }).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer))
  )
})
