import { assert, describe, it } from "@effect/vitest"
import { runInNewContext } from "node:vm"
import { directExports } from "../../scripts/build/directExports.mjs"

/** As the bundler writes it. */
const getter = (name: string, local: string) => `Object.defineProperty(exports, ${JSON.stringify(name)}, {
  enumerable: true,
  get: function () {
    return ${local};
  }
});`

/** What a module exports after it has run, and after its `later` has. */
const run = (code: string) => {
  const exports: Record<string, unknown> = {}
  runInNewContext(code, { exports })
  const first = { ...exports }
  const { later } = exports
  if (typeof later === "function") later()
  return { first, after: { ...exports }, direct: Object.getOwnPropertyDescriptor(exports, "value")?.get === undefined }
}

describe("what the built files export to each other", () => {
  for (const [what, code, direct] of [
    ["a constant", "const local = 1", true],
    ["a function", "function local() {}", true],
    ["a class", "var local = class {}", true],
    ["a variable that is set later", "let local = 1; function later() { local = 2 }", false],
    ["one that is counted up", "let local = 1; function later() { local++ }", false],
    ["one that is made when it is needed", "var local; function later() { local ??= { made: true } }", false],
    ["one that is set with others", "let local = 1; function later() { ({ it: [local = 3] } = { it: [] }) }", false],
    ["one that takes the rest", "let local = 1; function later() { [, ...local] = [1, 2] }", false],
    ["one that a loop sets", "let local = 1; function later() { for (local of [4, 5]); }", false],
    ["one that a loop over names sets", "let local = 1; function later() { for (local in { a: 1 }); }", false],
    ["one of whose name there is another that is set", "let local = 1; function other(local) { local = 2 }", false]
  ] as const)
    it(`${direct ? "gives" : "looks up"} ${what}`, () => {
      const exported = `${code};\n${getter("value", "local")}\n${/ later\(/.test(code) ? getter("later", "later") : ""}`
      const made = directExports(exported)
      const [plain, got] = [run(exported), run(made)]
      assert.strictEqual(got.direct, direct)
      const shown = (values: object) =>
        JSON.stringify(values, (_, value: unknown) => (typeof value === "function" ? "f" : value))
      assert.strictEqual(shown(got.first), shown(plain.first))
      assert.strictEqual(shown(got.after), shown(plain.after))
    })

  it("takes names that are no words", () =>
    assert.deepStrictEqual(run(directExports(`const local = 1;\n${getter("a-b", "local")}`)).first, { "a-b": 1 }))

  it.each([
    "const a = 1",
    `Object.defineProperty(other, "x", { get: function () { return a } })`,
    `Object.defineProperty(exports, "x", { get: function () { return make() } })`,
    `Object.defineProperty(exports, "x", { value: 1 })`
  ])("leaves what the bundler does not write: %s", (code) => assert.strictEqual(directExports(code), code))
})
