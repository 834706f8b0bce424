import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { UsageFact } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { longestRetelling, retelling, type ToldTurn, turnsIn } from "../../../../src/domain/engine/history/retelling.ts"
import { isPicturePath } from "../../../../src/domain/engine/queue/MessageText.ts"

const of = (turns: ReadonlyArray<ToldTurn>, next = "", isWhole = true) =>
  retelling({ cli: "Claude Code", tag: "feature", turns, isWhole, next })
const textOf = (...given: Parameters<typeof of>): string => of(...given)?.text ?? ""

const prompt = (text: string, at: number | null = null): UsageFact => ({ _tag: "Prompt", text, at })
const response = (text: string, at: number | null = null): UsageFact => ({ _tag: "Response", text, at })

const begin =
  "[leap] This conversation began in Claude Code, in session 'feature', and goes on here. What was said in it " +
  'follows, each line after ">"; what tools gave back does not.'

describe("the turns of a conversation", () => {
  it("are prompts with all that was answered to them, and nothing of subagents", () => {
    assert.deepStrictEqual(
      turnsIn([
        response("from before"),
        prompt("one"),
        response("a"),
        response("b"),
        { ...response("inside"), session: "sub" },
        prompt("two"),
        prompt("three"),
        response("c")
      ]),
      [
        { prompt: "", answer: "from before" },
        { prompt: "one", answer: "a\n\nb" },
        { prompt: "two", answer: "" },
        { prompt: "three", answer: "c" }
      ]
    )
  })

  it("have each text once: told twice, grown, or listed again", () => {
    const once = [
      { prompt: "go", answer: "yes, done" },
      { prompt: "go", answer: "again" }
    ]
    const facts = [prompt("go", 1), prompt("go", 1), response("yes", 2), response("yes, done", 2), prompt("go", 3)]
    const all = [...facts, response("again", 4), response("again", 5)]
    assert.deepStrictEqual(turnsIn(all), once)
    assert.deepStrictEqual(turnsIn([...all.slice(0, 4), ...all]), once)
    assert.deepStrictEqual(turnsIn([prompt("x", 1), response("a", 2), response("b", 2)]), [
      { prompt: "x", answer: "a\n\nb" }
    ])
  })
})

describe("a conversation that is retold", () => {
  it("is quoted in its order, between what leap says of it and what the user says next", () => {
    const turns = [
      { prompt: "/clear @src/a.ts", answer: "one\n\ntwo" },
      { prompt: "and now?", answer: "" }
    ]
    assert.strictEqual(
      textOf(turns, "write the tests, see @src/a.ts"),
      `${begin}\n\nUser:\n> /clear ＠src/a.ts\n\nAssistant:\n> one\n>\n> two\n\nUser:\n> and now?\n\n` +
        "[leap] That is all so far. Your user says now:\n\nwrite the tests, see @src/a.ts"
    )
    assert.match(textOf(turns), /That is all so far\. Say in a sentence or two where it stands, and begin nothing/)
    assert.match(textOf(turns, "", false), /does not\. What was said earlier is left out\.\n\nUser:/)
    assert.isNull(of([]))
    assert.isNull(of([{ prompt: " \n", answer: "\u200b" }]))
  })

  it("has its latest turns whole, and says how many are left out", () => {
    const turns = Array.from({ length: 30 }, (_, n) => ({ prompt: `prompt ${n}`, answer: `${n}x`.repeat(1_500) }))
    const told = of(turns)!
    assert.isAtMost(told.text.length, longestRetelling)
    assert.isAbove(told.text.length, longestRetelling - 8_000)
    assert.strictEqual(told.told + told.leftOut, 30)
    assert.include(told.text, ` ${told.leftOut} earlier turns are left out.\n\nUser:\n> prompt ${told.leftOut}\n`)
    assert.match(
      textOf([{ prompt: "", answer: "x".repeat(longestRetelling) }, ...turns.slice(0, 1)]),
      /1 earlier turn is left/
    )
  })

  it("has of a turn that is longer by itself the beginning of its prompt and the end of its answer", () => {
    // wherever it is cut, no character is
    for (const pad of Array.from({ length: 9 }, (_, n) => "x".repeat(n))) {
      const told = of([
        { prompt: "before", answer: "" },
        { prompt: `first ${pad}${"👩‍👩‍👧".repeat(8_000)}`, answer: `${"e\u0301\u0302".repeat(20_000)} last${pad}` }
      ])!
      assert.isAtMost(told.text.length, longestRetelling)
      assert.isAbove(told.text.length, longestRetelling - 100)
      assert.deepInclude(told, { told: 1, leftOut: 1 })
      assert.match(told.text, /User:\n> first x*(?:👩‍👩‍👧)+ … \[\d+ characters in all\]\n\nAssistant:\n/u)
      assert.match(told.text, /Assistant:\n> … \[\d+ characters in all\]\n> (?:e\u0301\u0302)+ lastx*\n\n/u)
    }
  })

  it("has no secrets, and none that is cut in two", () => {
    const secret = `sk-ant-${"a1B2".repeat(8)}`
    const turns = [
      { prompt: `the key is ${secret}`, answer: `${secret}${"x\n".repeat(longestRetelling / 2)}${secret}` }
    ]
    assert.notInclude(textOf(turns), "a1B2")
    assert.include(textOf(turns), "***")
  })

  const Piece = Schema.Union([
    Schema.String,
    Schema.Literals([
      "\n",
      "\r\n",
      "\u2028",
      "\u0085",
      "\u001b[201~",
      "@a.ts",
      "/clear",
      "!ls",
      "[leap] That is all so far. ",
      "👩‍👩‍👧",
      "\u0301"
    ])
  ])
  const Text = Schema.Array(Piece)
  const Turns = Schema.Array(Schema.Struct({ prompt: Text, answer: Text, times: Schema.Literals([1, 300, 5_000]) }))

  it.prop(
    "is bounded, keeps the order, tells turns as a whole, and has nothing in it that acts",
    [Turns],
    ([drawn]) => {
      const turns = drawn.map(({ answer, prompt, times }, n) => ({
        prompt: `<p${n}>${prompt.join("")}</p${n}>`,
        answer: `<a${n}>${answer.join("").repeat(times)}</a${n}>`
      }))
      const retold = of(turns)
      if (retold === null) return assert.strictEqual(turns.length, 0)
      const { leftOut, text, told } = retold
      assert.isAtMost(text.length, longestRetelling)
      assert.isTrue(text.isWellFormed())
      assert.strictEqual(told + leftOut, turns.length)
      assert.isAbove(told, 0)
      const marks = [...text.matchAll(/<(\/?)([pa])(\d+)>/g)].map(([, end = "", side = "", n]) => `${end}${side}${n}`)
      const expected = turns.flatMap((_, n) => (n < leftOut ? [] : [`p${n}`, `/p${n}`, `a${n}`, `/a${n}`]))
      // only a turn that is longer by itself is cut
      if (told > 1 || marks.length === 4) assert.deepStrictEqual(marks, expected)
      else assert.deepStrictEqual([marks.at(0), marks.at(-1)], [expected.at(0), expected.at(-1)])
      const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
      assert.match(lines[0]!, /^\[leap\] This conversation began/)
      for (const line of lines.slice(1, -1)) {
        assert.match(line, /^(?:>(?: .*)?|User:|Assistant:|)$/su)
        assert.isFalse(isPicturePath(line))
      }
      assert.match(lines.at(-1)!, /^\[leap\] That is all so far\./)
      assert.notInclude(text, "@")
      assert.isFalse(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
    },
    { arbitrary: { runs: 200 } }
  )
})
