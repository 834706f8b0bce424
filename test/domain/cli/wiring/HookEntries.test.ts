import { assert, it } from "@effect/vitest"
import type { Node } from "jsonc-parser"
import * as Jsonc from "../../../../src/domain/words/formats/JsoncEdit.ts"
import { Result } from "effect"
import { entriesIn } from "../../../../src/domain/cli/wiring/HookEntries.ts"

/** How often the children of any node are asked for while the hooks are listed. */
const readsFor = (events: number): number => {
  const hook = [{ hooks: [{ type: "command", command: "echo" }] }]
  const text = JSON.stringify({
    hooks: Object.fromEntries(Array.from({ length: events }, (_, i) => [`Event${i}`, hook]))
  })
  const root = Result.getOrThrow(Jsonc.parse(text))
  let touched = 0
  const counted = (node: Node): Node => {
    const children = node.children?.map(counted)
    if (children === undefined) return node
    return Object.defineProperty({ ...node }, "children", {
      get: () => {
        touched += children.length
        return children
      }
    })
  }
  assert.strictEqual(entriesIn(counted(root!)).length, events)
  return touched
}

it("the hooks of a large file are listed in one pass: four times as many events cost four times as much", () => {
  assert.isBelow(readsFor(400), 4.2 * readsFor(100))
})
