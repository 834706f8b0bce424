import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  customIdProblem,
  expand,
  idFromName,
  variableProblem
} from "../../../../src/domain/store/settings/CustomCli.ts"

const builtin = ["claude", "cursor-agent"]

describe("an id of a CLI of one's own", () => {
  it.each(["x", "9", "my-claude", "a_b-9", "claude-2"])("%s is fine", (id) =>
    assert.isNull(customIdProblem(id, builtin))
  )
  it.each(["claude", "cursor-agent", "", "-x", "_x", "X", "a b", "a/b", "..", "ä", "a".repeat(101)])(
    "%s is none",
    (id) => assert.isString(customIdProblem(id, builtin))
  )

  it.each([
    ["My Claude", "my-claude"],
    ["  --Work (EU)-- ", "work-eu"],
    ["Ünïcode 2", "n-code-2"],
    ["!!!", "custom-claude"],
    ["claude", "claude-2"],
    ["Taken", "taken-3"]
  ])("is made of the name %s: %s", (name, id) =>
    assert.strictEqual(idFromName(name, "claude", [...builtin, "taken", "taken-2"]), id)
  )

  it.prop(
    "made of any name can be one, and is not taken",
    { name: Schema.String, taken: Schema.Array(Schema.String) },
    ({ name, taken }) => {
      const id = idFromName(name, "claude", [...builtin, ...taken])
      assert.isNull(customIdProblem(id, builtin))
      assert.notInclude(taken, id)
    }
  )
})

describe("a CLI's environment", () => {
  it.each(["", "1A", "A-B", "A B", "A=B", "LEAP_TAG", "LEAP_SIGNAL_DIR", "LEAP_CLI_PROVIDER", "Ä"])(
    "%s is no variable for it",
    (name) => assert.isString(variableProblem(name, "x"))
  )
  it("takes any value but one with a NUL", () => {
    assert.isNull(variableProblem("_A9", "a\nb = \u001b"))
    assert.isString(variableProblem("A", "a\0b"))
  })

  const env = { HOME: "/home/me", A: "x", EMPTY: "", PATH: "/bin" }
  it.each([
    ["~", "/home/me"],
    ["~/x", "/home/me/x"],
    ["~you/x", "~you/x"],
    ["x~", "x~"],
    ["~/a:~/b:c~/d", "/home/me/a:/home/me/b:c~/d"],
    ["$HOME/x", "/home/me/x"],
    ["${A}b$A-$A", "xbx-x"],
    ["$Ab", "$Ab"],
    ["[$EMPTY]", "[]"],
    ["$MISSING/${MISSING}", "$MISSING/${MISSING}"],
    ["$$HOME $5 $ ${ ${}", "$HOME $5 $ ${ ${}"],
    ["/opt/bin:$PATH", "/opt/bin:/bin"],
    ["$toString", "$toString"]
  ])("puts in what %s stands for", (value, expanded) => assert.strictEqual(expand(value, env), expanded))

  it("does not put anything in what it put in", () => assert.strictEqual(expand("$A", { A: "$B", B: "no" }), "$B"))
})
