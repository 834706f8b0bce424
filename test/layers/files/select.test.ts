import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { literal, piece, selectIn } from "../../../src/layers/files/select.ts"
import { rowsOf } from "../../support/data/fields.ts"

describe("a query", () => {
  const select = selectIn(new DatabaseSync(":memory:"))

  it("has values for what is put into its text, in their order through all pieces", () => {
    const range = piece`n > ${1} AND n < ${4}`
    const rows = select<{ n: number; name: string; last: string }>`
      WITH numbers (n) AS (VALUES (1), (2), (3), (4))
      SELECT n, ${"it's"} AS name, ${literal("'a text of its own'")} AS last FROM numbers
      WHERE ${piece`(${range} OR n = ${9})`} ORDER BY n ${literal("DESC")} LIMIT ${5}`
    assert.deepStrictEqual(rowsOf(rows, "n", "name", "last"), [
      [3, "it's", "a text of its own"],
      [2, "it's", "a text of its own"]
    ])
  })

  it("that is made again with other values gives other rows", () => {
    const twice = (value: number) => select<{ n: number }>`SELECT ${value} * 2 AS n`.map(({ n }) => n)
    assert.deepStrictEqual([...twice(2), ...twice(3)], [4, 6])
  })
})
