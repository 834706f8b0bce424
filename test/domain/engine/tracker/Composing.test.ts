import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { composing, echoDue, echoLag, type Typing } from "../../../../src/domain/engine/tracker/Composing.ts"
import { blankFacts, ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { frame, play, type Trace, t } from "../../../support/session/trace.ts"

const box = (text: string): ScreenFacts => ({ ...blankFacts, blank: false, box: { draft: text } })
const typing = (more: Partial<Typing> = {}): Typing => ({ screen: box(""), typedAt: null, submittedAt: null, ...more })
const at = 1_000_000

describe("the composing mirror", () => {
  it.each<readonly [string, Typing, boolean]>([
    ["nothing typed", typing(), false],
    ["a draft on screen, by whatever way it came", typing({ screen: box("x") }), true],
    ["a draft on screen, long after the last key", typing({ screen: box("x"), typedAt: at - 3_600_000 }), true],
    ["a draft on screen that was sent before: it is a new one", typing({ screen: box("x"), submittedAt: at }), true],
    ["typed and not shown yet", typing({ typedAt: at - 10 }), true],
    ["typed and not shown yet, at the end of the bridge", typing({ typedAt: at - echoLag }), true],
    ["typed, and the box stays empty", typing({ typedAt: at - echoLag - 1 }), false],
    ["typed and sent", typing({ typedAt: at - 10, submittedAt: at - 5 }), false],
    ["sent, and typed again", typing({ typedAt: at - 5, submittedAt: at - 10 }), true],
    ["typed before any box was drawn", typing({ screen: blankFacts, typedAt: at - 10 }), true],
    [
      "keys for a dialog",
      typing({
        screen: { ...blankFacts, blank: false, dialog: { kind: "permission", title: "?", options: [] } },
        typedAt: at - 10
      }),
      false
    ]
  ])("%s", (_, typing, expected) => {
    assert.strictEqual(composing(typing, at), expected)
  })

  const When = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })))
  it.prop(
    "follows the box, and the keys for a moment only",
    { screen: ScreenFacts, typedAt: When, submittedAt: When },
    ({ screen, submittedAt, typedAt }) => {
      const known = { screen, typedAt, submittedAt }
      const draft = (screen.box?.draft ?? "") !== ""
      if (draft) assert.isTrue(composing(known, 0))
      assert.strictEqual(composing(known, 10_000 + echoLag + 1), draft)
      const due = echoDue(known)
      if (due !== null && !draft)
        assert.deepStrictEqual([composing(known, due), composing(known, due + 1)], [true, false])
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("a session that is being typed into", () => {
  const nobodyTells = { tells: { programStatus: false, ownStatus: false, turnHooks: false } } as const
  const leapTypes: Trace = [t(20, { _tag: "Input", keys: ["paste"], by: "leap" })]
  it("is not ready before the text can have shown, whoever typed it", () => {
    assert.isTrue(play([t(1, frame())], 20, nobodyTells).view.ready)
    const typed = play([t(1, frame()), ...leapTypes], 20.5, nobodyTells).view
    assert.deepStrictEqual(typed.notReady, { _tag: "Blocked", by: "draft" })
    assert.isTrue(play([t(1, frame()), ...leapTypes], 22, nobodyTells).view.ready, "it never showed")
  })
})
