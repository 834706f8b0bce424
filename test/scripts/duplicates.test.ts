import { assert, describe, it } from "@effect/vitest"
import { byPair, findDuplicates, problemsOf } from "../../scripts/duplicates/find.mjs"

const copied = Array.from({ length: 8 }, (_, i) => `  const step${i} = work(${i}, before[${i}] ?? after(${i}))`).join(
  "\n"
)
const file = (name: string, imports: number, body: string, after: string) =>
  [
    name,
    [
      ...Array.from({ length: imports }, (_, i) => `import { a${i}, b${i}, c${i}, d${i} } from "./of/module${i}.ts"`),
      `export const ${after} = (before: ReadonlyArray<number>) => {`,
      body,
      `  return ${after}`,
      "}"
    ].join("\n")
  ] as const

describe("what is copied", () => {
  it("is found with its places, whatever stands around it", async () => {
    const found = await findDuplicates([file("b.ts", 0, copied, "one"), file("a.ts", 3, `  // why\n${copied}`, "two")])
    assert.deepStrictEqual(Object.keys(byPair(found)), ["a.ts ~ b.ts"])
    assert.isAtLeast(byPair(found)["a.ts ~ b.ts"]!, 8)
    assert.deepStrictEqual(
      found[0]?.places.map(({ file }) => file),
      ["a.ts", "b.ts"]
    )
  })

  it("is no list of imports, and nothing short", async () => {
    const short = copied.split("\n").slice(0, 3).join("\n")
    assert.deepStrictEqual(await findDuplicates([file("a.ts", 30, short, "one"), file("b.ts", 30, short, "two")]), [])
  })

  it("may be what was known, and neither more nor less", async () => {
    const found = await findDuplicates([file("a.ts", 0, copied, "one"), file("b.ts", 0, copied, "two")])
    const known = byPair(found)
    const lines = known["a.ts ~ b.ts"]!
    assert.deepStrictEqual(problemsOf(found, known), [])
    assert.match(problemsOf(found, {}).join(), /^\d+ lines stand twice, 0 did: a\.ts:\d+ and b\.ts:\d+/)
    assert.lengthOf(problemsOf(found, { "a.ts ~ b.ts": lines - 1 }), 1)
    assert.match(problemsOf(found, { "a.ts ~ b.ts": lines + 1 }).join(), /--fewer/)
    assert.match(problemsOf([], known).join(), /0 lines now/)
  })
})
