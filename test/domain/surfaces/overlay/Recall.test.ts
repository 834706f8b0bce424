import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Recall from "../../../../src/domain/surfaces/overlay/Recall.ts"

/** A box whose CLI shows what it is given; a text of several lines as a placeholder. */
const shows = (text: string) => (text.includes("\n") ? `[pasted ${text.split("\n").length} lines]` : text)

const Entry = Schema.Literals(["fix it", "a\nb\nc", "/help", "run the tests"])
const Step = Schema.Literals(["older", "newer", "type", "enter", "elsewhere", "back"])

describe("what an arrow does at a prompt", () => {
  const at = (draft: string | null, keys = 0): Recall.Prompt => ({ draft, keys })

  it.each<readonly [what: string, prompt: Recall.Prompt, older: boolean, plan: Recall.RecallPlan]>([
    ["nothing is certain", at(null), true, { _tag: "Pass" }],
    ["an empty box", at(""), true, { _tag: "Begin", before: "" }],
    ["a text of one line", at("half"), true, { _tag: "Begin", before: "half" }],
    ["a text of several lines", at("two\nlines"), true, { _tag: "Pass" }],
    ["a folded paste", at("[Pasted text #1 +12 lines]"), true, { _tag: "Pass" }],
    ["a command of the CLI's shell", at("!ls"), true, { _tag: "Pass" }],
    ["↓ where nothing was brought back", at(""), false, { _tag: "Pass" }]
  ])("%s", (_, prompt, older, plan) => assert.deepStrictEqual(Recall.planFor(null, prompt, older), plan))

  it("walks to the oldest and back to what stood there, one entry of several alike", () => {
    const texts: Array<string> = []
    let walk: Recall.Recall | null = Recall.begin(["a", "b", "b", "a"], "half")
    for (const older of [true, true, true, true, false, false, false, false]) {
      const next = Recall.step(walk, older)
      texts.push(next === null ? "stays" : Recall.textOf(next))
      walk = next ?? walk
    }
    assert.deepStrictEqual(texts, ["a", "b", "a", "stays", "b", "a", "half", "stays"])
    assert.isTrue(Recall.isOver(walk))
    assert.isNull(Recall.step(Recall.begin([], ""), true), "nothing was typed yet")
  })

  it.prop(
    "takes none that is the CLI's, and none of the user's text, whatever comes between",
    { history: Schema.Array(Entry), steps: Schema.Array(Step) },
    ({ history, steps }) => {
      let recalled: Recall.Recalled | null = null
      let box = ""
      let keys = 0
      let covered = false
      /** What the user has typed into the box, as far as nobody has sent it. */
      let own = ""
      for (const one of steps) {
        const prompt = { draft: covered ? null : shows(box), keys }
        switch (one) {
          case "type":
            keys++
            box += "x"
            own = box
            break
          case "enter":
            keys++
            box = own = ""
            break
          case "elsewhere":
            covered = true
            break
          case "back":
            covered = false
            break
          case "older":
          case "newer": {
            const plan = Recall.planFor(recalled, prompt, one === "older")
            if (covered) assert.strictEqual(plan._tag, "Pass", "a dialog, a picker or a menu has the arrows")
            if (plan._tag === "Pass") {
              keys++
              recalled = null
              break
            }
            if (plan._tag === "Stay") break
            if (plan._tag === "Begin") assert.strictEqual(plan.before, own, "the user's text is what comes back")
            const next: Recall.Recall | null =
              plan._tag === "Show" ? plan.recall : Recall.step(Recall.begin(history, plan.before), true)
            if (next === null) break
            assert.strictEqual(next.before, own)
            box = Recall.textOf(next)
            if (plan._tag === "Begin") assert.include([...history], box)
            recalled = Recall.isOver(next) ? null : { recall: next, draft: shows(box), keys }
            if (Recall.isOver(next)) assert.strictEqual(box, own)
            break
          }
        }
        // what the user goes on typing at an entry is theirs
        if (recalled === null || recalled.keys !== keys) own = box
      }
    },
    { arbitrary: { runs: 1000 } }
  )
})
