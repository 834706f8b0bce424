// The suite that leap's own providers pass, on the one of custom-provider.ts: screens of any bytes, texts of any shape.
// Run it with vitest and @effect/vitest.
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ScreenFacts, Session } from "leap"
import { sessionLaws, sessionLives } from "leap/testing"
import { suite } from "leap/testing/suite"
import { parrot, provider } from "./custom-provider.ts"

suite(parrot, {
  screens: [
    ["  this is parrot", "parrot> "],
    ["  this is parrot", "  hello? hello!", "parrot> and then"],
    ["  this is parrot", "parrot: thinking"]
  ]
})

// Sessions at random, in which Parrot draws its screens as it does: what it shows of them, and that it shows no others.
const drawn = sessionLaws.subjectOf(provider, ({ dialog, draft, picker, working }) =>
  dialog !== null || picker || (draft === null && !working)
    ? null
    : ["  this is parrot", working ? "parrot: thinking" : `parrot> ${draft}`]
)

// The laws that every session keeps. One that does not hold says by which life.
it.effect.each(sessionLaws.laws.map((law) => [law.says, law] as const))("%s", ([, law]) =>
  Effect.map(law.holds(drawn, { runs: 20 }), (held) => assert.isUndefined(held))
)

// And three properties of Parrot's own.
const life = sessionLives.lifeOf(["box", "draft", "working", "text", "enter", "resize"])
const lived = (life: sessionLives.Life) => sessionLaws.lived(drawn, life, Session.defaultModes)

it.prop("asks its user nothing", { life }, ({ life }) => {
  for (const { view } of lived(life)) assert.notInclude(["needs_permission", "needs_input"], view.state)
})

it.prop(
  "has in its box what was typed",
  { draft: Schema.String.check(Schema.isPattern(/^\w+( \w+)*$/)) },
  ({ draft }) =>
    assert.deepStrictEqual(drawn.sees({ ...ScreenFacts.blankFacts, blank: false, box: { draft } })?.box, { draft })
)

it.prop("is ready again a while after its box is empty", { life }, ({ life }) => {
  const { ready } = lived([...life, { wait: 1600, step: "box" }, { wait: 61_000, step: "box" }]).at(-1)!.view
  assert.isTrue(ready)
})
