import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { byArrival, dataName, markOf, parseFile, parseName } from "../../../../src/domain/store/hookSpool/HookFile.ts"
import { each } from "../../../support/data/fields.ts"

const name = { event: "Stop", writer: 20, parent: 10, count: 0 }
const stat = "10 (sh) S 9 10 10 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 555 0 0"

describe("names", () => {
  it("of spool files are read", () => assert.deepStrictEqual(parseName("Stop,20,10,0"), name))
  it.each([
    "Stop",
    "Stop,20,10",
    ".Stop,20,10,0",
    "a b,1,2,3",
    "decision",
    "Stop,x,10,0",
    "../Stop,1,2,3",
    ",1,2,3",
    "me.signal"
  ])("that are not ours are not: %s", (other) => assert.isNull(parseName(other)))
  it("of hidden files lead to their mark and back", () => {
    assert.strictEqual(markOf(dataName("Stop,20,10,0")), "Stop,20,10,0")
    assert.isNull(markOf("Stop,20,10,0"))
    assert.isNull(markOf(".bashrc"))
  })
})

describe("parseFile", () => {
  it("finds the caller and the payload", () => {
    const file = parseFile(name, `leap-hook 1 Stop 10\n${stat}\n{"a":1}\n`)
    assert.deepStrictEqual(file.payload, { a: 1 })
    assert.strictEqual(file.raw, '{"a":1}\n')
    assert.strictEqual(file.caller?.parent, 9)
    assert.strictEqual(file.caller?.birth, "555")
  })

  it("takes a line of the payload for the caller only when it is one", () => {
    for (const line of ["11 (sh) S 9 10 10 0 -1", "10 (sh) S", "10 (never ends"]) {
      const file = parseFile(name, `leap-hook 1 Stop 10\n${line}\nrest`)
      assert.isNull(file.caller)
      assert.strictEqual(file.raw, `${line}\nrest`)
    }
  })

  it.each(["", "leap-hook 1 St", "leap-hook 2 Stop 10\n{}", "leap-hook 1 Stop 11\n{}", '{"a":'])(
    "keeps what it cannot read: %s",
    (text) => {
      const file = parseFile(name, text)
      assert.strictEqual(file.raw, text)
      assert.isNull(file.payload)
      assert.strictEqual(file.event, "Stop")
    }
  )

  it.prop("gives back any payload", [Schema.String], ([raw]) =>
    assert.strictEqual(parseFile(name, `leap-hook 1 Stop 10\n${stat}\n${raw}`).raw, raw)
  )
})

describe("byArrival", () => {
  const order = (...them: ReadonlyArray<readonly [at: number, writer: number]>) =>
    them
      .map(([at, writer]) => ({ at: BigInt(at), writer, count: 0 }))
      .sort(byArrival)
      .map(({ writer }) => writer)
  it("goes by time first", () => assert.deepStrictEqual(order([2, 1], [1, 9], [3, 5]), [9, 1, 5]))
  it("goes by the count of one writer within one instant", () =>
    assert.deepStrictEqual(
      each([10, 9, 100, 2].map((count) => ({ at: 1n, writer: 7, count })).sort(byArrival), "count"),
      [2, 9, 10, 100]
    ))
  it("knows that pids start over", () =>
    assert.deepStrictEqual(order([1, 301], [1, 32767], [1, 302], [1, 32766]), [32766, 32767, 301, 302]))
})
