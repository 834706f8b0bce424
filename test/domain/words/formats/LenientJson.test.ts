import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decodeText, type LenientNode, member, parse } from "../../../../src/domain/words/formats/LenientJson.ts"

/** The value that is left of a node, with what could not be read marked. */
const left = (node: LenientNode | null): unknown => {
  if (node === null) return undefined
  if (node.kind === "leaf") return node.whole ? node.value : "?"
  const mark = node.whole ? [] : ["?"]
  return node.kind === "array"
    ? [...node.items.map(left), ...mark]
    : {
        ...Object.fromEntries(node.members.map(({ key, value }) => [key, left(value)])),
        ...(node.whole ? {} : { "?": true })
      }
}

describe("lenient JSON", () => {
  it.each<readonly [text: string, left: unknown, problems: number]>([
    ["", undefined, 0],
    ["  // nothing\n", undefined, 0],
    ["{}", {}, 0],
    ['{"a": 1, /* so */ "b": [true, null, -1.5e2,],}', { a: 1, b: [true, null, -150] }, 0],
    ['{"a": {"b": "x"}, "c": tru, "d": 2}', { a: { b: "x" }, c: "?", d: 2, "?": true }, 1],
    ['{"a": 1 "b": 2}', { a: 1, b: 2, "?": true }, 1],
    ['{"a" 1, "b": 2}', { b: 2, "?": true }, 2],
    ['{"a" [{"x": 1, "y": 2}], "b": 3}', { b: 3, "?": true }, 2],
    ['{"a": , "b": 2}', { b: 2, "?": true }, 1],
    ['{,"b": 2}', { b: 2, "?": true }, 1],
    ['{a: 1, "b": 2}', { b: 2, "?": true }, 1],
    ['{"a": [1, 2, "b": 3}', { a: [1, 2, "b", 3, "?"], "?": true }, 2],
    ['{"a": [{"x": 1], "b": 2}', { a: [{ x: 1, "?": true }, "?"], b: 2, "?": true }, 1],
    ['{"a": {"x": 1], "b": 2}', { a: { x: 1, b: 2, "?": true }, "?": true }, 2],
    ["[1}, 2]", [1, 2, "?"], 2],
    ['{"a": "cut', { a: "?", "?": true }, 2],
    ['{"a": "cut\n, "b": 1}', { a: "?", b: 1, "?": true }, 1],
    ['{"a": "\\q", "b": 1}', { a: "?", b: 1, "?": true }, 1],
    ['{"a": 1} /* open', { a: 1 }, 1],
    ['{"a": 1} {', { a: 1 }, 1],
    ["]", "?", 1],
    ["{]}", { "?": true }, 1]
  ])("%s", (text, expected, problems) => {
    const { problems: found, root } = parse(text)
    assert.deepStrictEqual(left(root), expected)
    assert.strictEqual(found.length, problems, JSON.stringify(found))
  })

  it.prop("reads all JSON as JSON.parse does", { value: Schema.Json }, ({ value }) => {
    const text = JSON.stringify(value)
    const { problems, root } = parse(text)
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(left(root), JSON.parse(text))
  })

  it.prop("takes any text, and every node lies in it", { text: Schema.String, json: Schema.Json }, ({ json, text }) => {
    for (const given of [text, JSON.stringify(json) + text, text + JSON.stringify(json), `{"a": ${text}`]) {
      const walk = (node: LenientNode): void => {
        assert.isAtMost(node.offset, given.length)
        if (node.kind === "object") node.members.forEach(({ value }) => walk(value))
        if (node.kind === "array") node.items.forEach(walk)
      }
      const { root } = parse(given)
      if (root !== null) walk(root)
    }
  })

  it("nesting without end costs what is nested, and nothing beside it", () => {
    const { problems, root } = parse(`{"a": 1, "deep": ${"[".repeat(200_000)}${"]".repeat(200_000)}, "b": 2}`)
    assert.strictEqual(left(member(root, "a")), 1)
    assert.strictEqual(left(member(root, "b")), 2)
    assert.strictEqual(problems.length, 1)
    assert.strictEqual(parse('{"a":'.repeat(200_000)).root?.kind, "object")
  })

  it("the last of two members counts", () => assert.strictEqual(left(member(parse('{"a": 1, "a": 2}').root, "a")), 2))

  it("what is not UTF-8 is told, and costs the texts it is in", () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"a": "x'),
      0xff,
      ...new TextEncoder().encode('", "b": "y"}')
    ])
    const { exact, text } = decodeText(bytes)
    assert.isFalse(exact)
    assert.deepStrictEqual(left(parse(text, exact).root), { a: "?", b: "y", "?": true })
    assert.deepStrictEqual(decodeText(new TextEncoder().encode("\uFEFF{}")), { text: "{}", exact: true })
  })
})
