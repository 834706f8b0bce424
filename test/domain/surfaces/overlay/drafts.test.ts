import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readDrafts, withDrafts, withoutDrafts } from "../../../../src/domain/surfaces/overlay/drafts.ts"
import { each } from "../../../support/data/fields.ts"

const writers = [
  { pid: 1, birth: "10" },
  { pid: 1, birth: "11" },
  { pid: 2, birth: null }
] as const
const Writer = Schema.Literals([0, 1, 2])
const Step = Schema.Struct({ by: Writer, text: Schema.String, left: Schema.Boolean })

describe("what is being written", () => {
  it.prop(
    "is each writer's last text, and all that was left",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(20)) },
    ({ steps }) => {
      let content: Uint8Array | null = null
      const current = new Map<number, string>()
      const left: Array<string> = []
      for (const { by, left: leaves, text } of steps) {
        content = withDrafts(content, writers[by], [{ text: "" }, { text, id: `id of ${text}` }], leaves)
        current.delete(by)
        if (text.trim() === "") continue
        if (leaves) left.push(text)
        else current.set(by, text)
      }
      const drafts = readDrafts(content)
      assert.deepStrictEqual(
        each(
          drafts.filter(({ writer }) => writer === null),
          "text"
        ),
        left
      )
      assert.isTrue(drafts.every(({ id, text }) => id === `id of ${text}`))
      assert.deepStrictEqual(
        new Map(drafts.flatMap(({ text, writer }) => (writer === null ? [] : [[JSON.stringify(writer), text]]))),
        new Map([...current].map(([by, text]) => [JSON.stringify(writers[by]), text]))
      )
      const taken = drafts.slice(0, 2)
      assert.deepStrictEqual(
        readDrafts(withoutDrafts(content, taken)),
        drafts.filter((draft) => !taken.some((one) => JSON.stringify(one) === JSON.stringify(draft)))
      )
    }
  )

  it("is nothing where the file is something else", () => {
    for (const text of ["", "nonsense", "[]", '{"schema": 2, "drafts": []}', '{"schema": 1, "drafts": [{}]}'])
      assert.deepStrictEqual(readDrafts(new TextEncoder().encode(text)), [], text)
    assert.deepStrictEqual(readDrafts(null), [])
  })

  it("keeps what of it cannot be read, which another version may have written", () => {
    const later = { writer: null, pictures: ["a.png"] }
    const mine = { writer: null, text: "mine" }
    const old = new TextEncoder().encode(JSON.stringify({ schema: 1, drafts: [later, mine] }))
    assert.deepStrictEqual(readDrafts(old), [mine])
    for (const content of [withDrafts(old, writers[0], [], false), withoutDrafts(old, [])])
      assert.deepStrictEqual(JSON.parse(new TextDecoder().decode(content)), { schema: 1, drafts: [later, mine] })
  })

  it("has two of one writer, and those of a version without ids", () => {
    const old = new TextEncoder().encode('{"schema":1,"drafts":[{"writer":null,"text":"same"}]}')
    const both = withDrafts(old, writers[0], [{ text: "of the box" }, { text: "same", id: "x" }], true)
    assert.deepStrictEqual(readDrafts(both), [
      { writer: null, text: "same" },
      { writer: null, text: "of the box" },
      { writer: null, text: "same", id: "x" }
    ])
    assert.deepStrictEqual(each(readDrafts(withoutDrafts(both, readDrafts(old))), "id"), [undefined, "x"])
  })
})
