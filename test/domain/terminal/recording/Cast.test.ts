import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parseHeader, parseLine, parseMarker, parseSize } from "../../../../src/domain/terminal/recording/Cast.ts"

describe("parseHeader", () => {
  it("takes what leap reads and leaves the rest", () => {
    const parsed = parseHeader(
      `{"version":2,"width":80,"height":24,"timestamp":1795246726,"env":{"TERM":"x"},"leap":{"cli":"claude","provider":"claude","scenario":"x"}}`
    )
    assert.deepStrictEqual(parsed, {
      _tag: "Parsed",
      value: {
        version: 2,
        width: 80,
        height: 24,
        timestamp: 1_795_246_726,
        leap: { cli: "claude", provider: "claude" }
      }
    } as never)
  })

  it.each<readonly [string, RegExp]>([
    ["nonsense", /not JSON/],
    ['[0.1,"o","x"]', /not an asciicast/],
    [`{"version":3,"term":{"cols":80,"rows":24}}`, /version 2 but 3/],
    [`{"version":2}`, /width and height/],
    [`{"version":2,"width":0,"height":24}`, /width and height/],
    [`{"version":2,"width":"80","height":24}`, /width and height/],
    [`{"version":{"toString":1},"width":80,"height":24}`, /version 2 but/],
    [`{"version":2,"width":10000,"height":10000}`, /no terminal is 10000 columns by 10000 rows/]
  ])("refuses %s", (line, why) => {
    const parsed = parseHeader(line)
    assert.strictEqual(parsed._tag, "Malformed")
    if (parsed._tag === "Malformed") assert.match(parsed.why, why)
  })
})

describe("what a header says besides", () => {
  it.each<readonly [string, unknown]>([
    ['"timestamp":null,"leap":null', { leap: {} }],
    ['"timestamp":"now","leap":{"provider":null,"cli":7}', { leap: {} }],
    ['"timestamp":1e300,"leap":["claude"]', { leap: {} }],
    ['"timestamp":1.5,"leap":{"provider":"codex"}', { timestamp: 1.5, leap: { provider: "codex" } }]
  ])("is taken where it has the right form: %s", (fields, value) => {
    assert.deepStrictEqual(parseHeader(`{"version":2,"width":80,"height":24,${fields}}`), {
      _tag: "Parsed",
      value: { version: 2, width: 80, height: 24, ...(value as object) }
    } as never)
  })
})

describe("parseLine", () => {
  it("wants data only where it means something", () => {
    for (const line of ['[1,"k"]', '[1,"k",null]', '[1,"z",{"a":1}]', '[1,"o","x",3]']) {
      assert.strictEqual(parseLine(line)._tag, "Parsed", line)
    }
    assert.deepStrictEqual(parseLine('[1,"k"]'), { _tag: "Parsed", value: [1, "k", ""] })
    for (const code of ["o", "i", "r", "m"]) assert.strictEqual(parseLine(`[1,"${code}",null]`)._tag, "Malformed", code)
  })

  it("takes any code", () => {
    assert.deepStrictEqual(parseLine(` [1.5, "x", "data"] \r`), { _tag: "Parsed", value: [1.5, "x", "data"] })
  })

  it("passes over what is empty", () => {
    for (const line of ["", "  \r", "# a comment"]) assert.strictEqual(parseLine(line)._tag, "Empty")
  })

  it.each(["{", "[1]", '[1,"o"]', '["1","o","x"]', '[1,"o",2]', "{}", "null", "1", '[1e300,"k",""]'])(
    "refuses %s",
    (line) => {
      assert.strictEqual(parseLine(line)._tag, "Malformed")
    }
  )

  it("refuses what takes far more memory than its text", () => {
    const nested = `${"[".repeat(300_000)}${"]".repeat(300_000)}`
    const many = `[${"0,".repeat(300_000)}0]`
    for (const bomb of [nested, many, `[1,"o","x",${nested}]`, `${'{"a":'.repeat(300_000)}0${"}".repeat(300_000)}`]) {
      const parsed = parseLine(bomb)
      assert.strictEqual(parsed._tag === "Malformed" ? parsed.why : parsed._tag, "it holds more than 200000 values")
      assert.deepStrictEqual(parseMarker(`hook:Stop ${bomb}`), { _tag: "Hook", event: "Stop", payload: null })
    }
  })

  it("takes long texts with as many brackets and commas", () => {
    for (const text of ["[,".repeat(300_000), '\\"[,'.repeat(300_000), '"'.repeat(300_001), "\\".repeat(300_001)]) {
      assert.deepStrictEqual(parseLine(JSON.stringify([1, "o", text])), { _tag: "Parsed", value: [1, "o", text] })
    }
  })

  it.prop("takes any text", { line: Schema.String }, ({ line }) => {
    assert.isString(parseLine(line)._tag)
    assert.isString(parseHeader(line)._tag)
  })
})

describe("parseMarker", () => {
  it.each<readonly [string, unknown]>([
    ["send", { _tag: "Send" }],
    ["exit", { _tag: "Exit" }],
    ["signal:idle", { _tag: "Signal", state: "idle" }],
    [`hook:Stop {"a":1}`, { _tag: "Hook", event: "Stop", payload: { a: 1 } }],
    ["hook:Stop", { _tag: "Hook", event: "Stop", payload: null }],
    ["hook:Stop {broken", { _tag: "Hook", event: "Stop", payload: null }],
    [`session:{"status":"idle"}`, { _tag: "OwnStatus", content: { status: "idle" } }],
    ["session:gone", { _tag: "OwnStatus", content: "gone" }],
    [`transcript:{"type":"user"}`, { _tag: "Transcript", record: { type: "user" } }],
    ['transcript:{"garbled', { _tag: "Transcript", record: null }],
    ["truth:idle", { _tag: "Other" }],
    ["model:start 1", { _tag: "Other" }],
    ["", { _tag: "Other" }],
    ["sending", { _tag: "Other" }]
  ])("%s", (label, marker) => {
    assert.deepStrictEqual(parseMarker(label), marker as never)
  })
})

describe("parseSize", () => {
  it.each([
    ["80x24", { cols: 80, rows: 24 }],
    ["0x24", null],
    ["80", null],
    ["80x24x1", null],
    ["-1x5", null],
    ["", null],
    ["10000x100", { cols: 10_000, rows: 100 }],
    ["10000x101", null],
    ["99999x1", null]
  ] as const)("%s", (data, size) => {
    assert.deepStrictEqual(parseSize(data), size)
  })
})
