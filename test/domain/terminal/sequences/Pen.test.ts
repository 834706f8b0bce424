import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Pen from "../../../../src/domain/terminal/sequences/Pen.ts"

const of = (params: string) => Pen.select(Pen.plain, params)

describe("Pen", () => {
  it("reads attributes and takes them back", () => {
    assert.deepInclude(of("1;3;4;7"), { bold: true, italic: true, underline: 1, inverse: true })
    assert.deepStrictEqual(of("1;2;3;4;5;7;8;9;53;22;23;24;25;27;28;29;55"), Pen.plain)
    assert.deepStrictEqual(Pen.select(of("31;1"), ""), Pen.plain)
    assert.deepInclude(of("1;0;3"), { bold: false, italic: true })
    assert.deepInclude(of("21"), { underline: 2 })
  })

  it("reads colours in every form", () => {
    const colors: Readonly<Record<string, string>> = {
      "31": "31",
      "97": "97",
      "38;5;9": "91",
      "38;5;1": "31",
      "38;5;200": "38;5;200",
      "38:5:200": "38;5;200",
      "38;2;1;2;3": "38;2;1;2;3",
      "38:2:1:2:3": "38;2;1;2;3",
      "38:2::1:2:3": "38;2;1;2;3",
      "38;2;999;0;0": "38;2;255;0;0"
    }
    for (const [params, color] of Object.entries(colors)) assert.strictEqual(of(params).foreground, color, params)
    assert.strictEqual(of("48;5;12").background, "104")
    assert.strictEqual(of("58;5;3").underlineColor, "58:5:3")
    assert.strictEqual(of("58:2::1:2:3").underlineColor, "58:2::1:2:3")
    assert.deepStrictEqual(of("31;42;58;5;1;39;49;59"), Pen.plain)
  })

  it("ignores what it does not know", () => {
    assert.deepStrictEqual(of("77;10;66"), Pen.plain)
    assert.deepStrictEqual(of("38;9;1"), Pen.plain)
    assert.deepStrictEqual(of("38"), Pen.plain)
  })

  it.prop(
    "writes what it reads",
    {
      params: Schema.Array(
        Schema.Literals([
          "1",
          "2",
          "3",
          "4",
          "4:3",
          "4:5",
          "5",
          "7",
          "8",
          "9",
          "21",
          "22",
          "24",
          "53",
          "31",
          "92",
          "44",
          "105",
          "38;5;7",
          "38;5;77",
          "48;2;1;2;3",
          "58:5:3",
          "58:2::4:5:6",
          "39",
          "0"
        ])
      )
    },
    ({ params }) => {
      const pen = of(params.join(";"))
      assert.deepStrictEqual(of(Pen.parameters(pen)), pen)
      const [, written = ""] = /^\x1b\[(.*)m$/.exec(Pen.sequence(pen)) ?? []
      assert.deepStrictEqual(Pen.select(of("1;3;41"), written), pen)
    }
  )
})
