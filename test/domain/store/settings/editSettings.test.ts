import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { AutoSendMode, ChurnMode } from "../../../../src/domain/words/session/Session.ts"
import {
  addCli,
  changeCli,
  inTurn,
  removeCli,
  removeIn,
  setIn,
  setModes,
  setOrder,
  type SettingsEdit
} from "../../../../src/domain/store/settings/editSettings.ts"
import { readSettings } from "../../../../src/domain/store/settings/readSettings.ts"

const after = (edit: SettingsEdit, text: string | null) => Result.getOrThrow(edit(text))
const meaning = (text: string) => readSettings(new TextEncoder().encode(text), ["claude", "codex"])

const mine = `// my settings
{
    "other": {"x": 1}, /* keep */ // unknown to leap
    "clis": {
        "claude": { "flags": "-a" }, // mine
        "work": {
            "base": "claude", // the one
            "env": { "A": "1", "B": "2" },
        },
    },
    "order": ["work", "claude"],
}
`

describe("an edit of the settings", () => {
  it.each<readonly [what: string, edit: SettingsEdit, from: string, to: string]>([
    ["a value", setIn(["clis", "claude", "flags"], "-b"), '"flags": "-a"', '"flags": "-b"'],
    ["a variable", changeCli("work", { variables: { A: "9" } }), '"A": "1"', '"A": "9"'],
    ["a variable more", changeCli("work", { variables: { C: "3" } }), '"B": "2" }', '"B": "2", "C":"3" }'],
    ["a variable less", changeCli("work", { variables: { A: null } }), '"A": "1", ', ""],
    ["a flag of a CLI that has one already", changeCli("claude", { hidden: true }), '"-a" }', '"-a", "hidden":true }'],
    ["the order", setOrder(["claude"]), '["work", "claude"]', '["claude"]'],
    [
      "nothing, where all is as wanted",
      inTurn([setOrder(["work", "claude"]), setIn(["clis", "claude", "flags"], "-a")]),
      "keep",
      "keep"
    ]
  ])("changes %s and leaves the rest as it is", (_, edit, from, to) =>
    assert.strictEqual(after(edit, mine), mine.replace(from, to))
  )

  it("keeps comments, unknown members and layout where it adds and takes away", () => {
    const text = after(
      inTurn([
        setModes({ autoSend: "always" }),
        addCli("new", { base: "codex", flags: "-x" }),
        removeCli("work", ["work", "claude"])
      ]),
      mine
    )
    assert.strictEqual(
      text,
      `// my settings
{
    "other": {"x": 1}, /* keep */ // unknown to leap
    "clis": {
        "claude": { "flags": "-a" }, // mine
        "new": {
            "base": "codex",
            "flags": "-x"
        },
    },
    "order": ["claude"],
    "modes": {
        "autoSend": "always"
    },
}
`
    )
    assert.strictEqual(meaning(text).warnings.length, 1)
  })

  it("makes the file, and fills an empty one", () => {
    assert.strictEqual(after(setModes({ churn: "send" }), null), '{\n  "modes": {\n    "churn": "send"\n  }\n}\n')
    assert.strictEqual(after(setOrder(["codex"]), "// soon"), '// soon\n{\n  "order": [\n    "codex"\n  ]\n}\n')
    assert.strictEqual(meaning(after(setOrder(["codex"]), "")).settings.order[0], "codex")
  })

  it.each([
    ['{"clis": 5}', changeCli("claude", { flags: "x" }), /"clis" is no object/],
    ['{"clis": {"claude": []}}', changeCli("claude", { flags: "x" }), /"clis.claude" is no object/],
    ["[]", setOrder(["x"]), /not an object/],
    ['{"a": ', setOrder(["x"]), /line 1, column \d+: value expected/],
    ['{"clis": {"x": 5}}', addCli("x", { base: "claude" }), /a CLI 'x' already/]
  ])("refuses what it would have to overwrite: %s", (text, edit, why) => {
    const result = edit(text)
    assert.isTrue(Result.isFailure(result))
    assert.match(Result.isFailure(result) ? result.failure : "", why)
  })

  it("of a name that stands there twice changes the one that counts, and takes all away", () => {
    const text = '{"order": ["a"], "order": ["b"]}'
    assert.strictEqual(after(setOrder(["c"]), text), '{"order": ["a"], "order": ["c"]}')
    assert.strictEqual(after(removeIn(["order"]), text), "{}")
  })

  const Step = Schema.Union([
    Schema.Struct({
      set: Schema.Literals(["claude", "codex", "mine"]),
      flags: Schema.String.check(Schema.isPattern(/^[ -~]*$/))
    }),
    Schema.Struct({
      variable: Schema.Literals(["A", "B", "C"]),
      value: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[^\0]*$/)))
    }),
    Schema.Struct({ autoSend: AutoSendMode }),
    Schema.Struct({ churn: ChurnMode }),
    Schema.Struct({ order: Schema.Array(Schema.Literals(["claude", "codex"])) }),
    Schema.Struct({ drop: Schema.Literals(["claude", "mine"]) })
  ])
  it.prop(
    "after any other means what was said last",
    { steps: Schema.Array(Step), start: Schema.Literals(["", "{}", mine, '{ "clis": {\n\t} }\r\n']) },
    ({ start, steps }) => {
      let text = after(changeCli("mine", { base: "codex" }), start)
      for (const step of steps) {
        const edit =
          "set" in step
            ? changeCli(step.set, step.set === "mine" ? { base: "codex", flags: step.flags } : { flags: step.flags })
            : "variable" in step
              ? changeCli("claude", { variables: { [step.variable]: step.value } })
              : "autoSend" in step
                ? setModes(step)
                : "churn" in step
                  ? setModes(step)
                  : "order" in step
                    ? setOrder(step.order)
                    : removeCli(step.drop, [])
        text = after(edit, text)
        const { settings } = meaning(text)
        if ("set" in step) assert.strictEqual(settings.clis[step.set]?.flags, step.flags)
        if ("variable" in step) assert.strictEqual(settings.clis["claude"]?.env?.[step.variable] ?? null, step.value)
        if ("autoSend" in step) assert.strictEqual(settings.modes.autoSend, step.autoSend)
        if ("churn" in step) assert.strictEqual(settings.modes.churn, step.churn)
        if ("order" in step) assert.deepStrictEqual(settings.order, [...new Set(step.order)])
        if ("drop" in step) assert.notProperty(settings.clis, step.drop)
        if (start === mine)
          for (const comment of ["// my settings", "/* keep */", "// unknown to leap"]) assert.include(text, comment)
      }
    }
  )
})
