import { assert, describe } from "@effect/vitest"
import { utf8ToLatin1, fromLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { readOnce } from "../../../../src/domain/cli/provider/ScreenReading.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../../src/services/Screen.ts"
import { effectWith } from "../../../support/run/effects.ts"

describe("reading a screen", () => {
  effectWith(ScreenXterm.layer)("happens once for a screen that did not change", function* () {
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
  })
})
