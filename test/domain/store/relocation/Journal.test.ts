import { assert, it } from "@effect/vitest"
import { format, type JournalLine, parse } from "../../../../src/domain/store/relocation/Journal.ts"
import { Plan } from "../../../../src/domain/store/relocation/Plan.ts"
import { Snapshot } from "../../../../src/domain/store/relocation/Snapshot.ts"

const plan: Plan = {
  cli: "c",
  sessionId: "s",
  pieces: [{ kind: "file", from: "/a", to: "/b", optional: false }],
  lineFiles: [],
  tidy: [],
  edits: []
}
const begun: JournalLine = { schema: 1, phase: "begun", id: "0".repeat(32), plan, parents: ["/x"], adopted: [] }
const staged: JournalLine = { phase: "staged", pieces: [null] }
const committed: JournalLine = { phase: "committed" }
const whole = [begun, staged, committed].map(format).join("")

it("a phase is reached when its line is whole", () => {
  const ends = [...whole].flatMap((char, at) => (char === "\n" ? [at + 1] : []))
  for (let length = 0; length <= whole.length; length++) {
    const read = parse(whole.slice(0, length))
    const lines = ends.filter((end) => end <= length).length
    if (lines === 0) assert.strictEqual(read._tag, "empty")
    else
      assert.strictEqual(
        read._tag === "Journal" ? read.journal.phase : read._tag,
        ["begun", "staged", "committed"][lines - 1]
      )
  }
})

it("what cannot be understood is never taken for something else", () => {
  for (const text of [
    "\n",
    "{}\n",
    format(staged),
    format(begun) + format(begun),
    format(begun) + format(committed),
    whole + format(committed),
    format(begun) + '{"phase":"later"}\n',
    format(begun) + format({ phase: "staged", pieces: [] }),
    `${format(begun)}garbage\n`,
    `${format(begun)}garbage`,
    "\0".repeat(4096),
    `${format(begun)}${"\0".repeat(100)}`,
    `${whole.slice(0, -1)}\0`,
    `${format(begun).slice(0, 40)}${"\0".repeat(100)}`
  ])
    assert.strictEqual(parse(text)._tag, "damaged", text)
  assert.strictEqual(parse(`${JSON.stringify({ schema: 2, phase: "begun", anything: 1 })}\n`)._tag, "newer")
})

/**
 * V8's JSON.parse (Node 24) takes any key that begins with an escape for the key `\\`, where it has seen that one in the
 * same place of an object before: such keys are no matter of leap's, and no CLI has one.
 */
const isRead = (key: string): boolean => !JSON.stringify(key).startsWith('"\\')

it.prop("what is written is what is read", { plan: Plan, pieces: Snapshot }, ({ pieces, plan }) => {
  if (!plan.edits.every(({ detail }) => Object.keys(detail).every(isRead))) return
  const text = format({ ...begun, plan }) + format({ phase: "staged", pieces: plan.pieces.map(() => pieces) })
  const read = parse(text)
  assert.strictEqual(read._tag, "Journal")
  if (read._tag === "Journal") {
    assert.strictEqual(format({ ...begun, plan: read.journal.plan }), format({ ...begun, plan }))
    assert.deepStrictEqual(
      read.journal.pieces,
      plan.pieces.map(() => pieces)
    )
  }
})
