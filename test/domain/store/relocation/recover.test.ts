import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { type PieceState, recover } from "../../../../src/domain/store/relocation/recover.ts"

const seen = (changed: Partial<PieceState> = {}): PieceState => ({
  source: true,
  aside: false,
  destination: "absent",
  staging: "absent",
  missing: false,
  ...changed
})
const gone = { source: false } as const
const ours = { destination: "ours" } as const
const other = { destination: "other" } as const

it("what is done about a move that died", () => {
  const table: ReadonlyArray<readonly ["begun" | "staged" | "committed", ReadonlyArray<PieceState>, string, string]> = [
    ["begun", [seen()], "Undo", "nothing was done"],
    ["begun", [seen({ staging: "partial" }), seen()], "Undo", "a half was staged"],
    ["begun", [seen({ ...gone })], "Undo", "the source went, and there is nothing of ours to take away"],
    ["begun", [seen({ ...gone, staging: "partial" })], "Refuse", "what was staged may be the last of it"],
    ["begun", [seen({ ...gone, missing: true }), seen()], "Undo", "a piece that the session does without"],
    ["staged", [seen({ staging: "whole" })], "Undo", "staged, not placed"],
    ["staged", [seen(ours), seen({ staging: "whole" })], "Undo", "one of two placed"],
    ["staged", [seen(other)], "Undo", "somebody else took the name"],
    ["staged", [seen({ ...gone, ...ours })], "Finish", "the source went after all was placed"],
    ["staged", [seen({ ...gone, staging: "whole" }), seen(ours)], "Finish", "the rest can be placed"],
    [
      "staged",
      [seen({ ...gone, ...other, staging: "whole" })],
      "Refuse",
      "the name is somebody else's, the staging the last"
    ],
    [
      "staged",
      [seen({ ...gone, staging: "partial" })],
      "Refuse",
      "an undoing that was cut off, and then the source went"
    ],
    ["committed", [seen(ours)], "Finish", "the source is to go"],
    ["committed", [seen({ ...gone, ...ours, aside: true })], "Finish", "it was set aside"],
    [
      "committed",
      [seen({ ...gone, ...ours }), seen(other)],
      "Finish",
      "the CLI has replaced a file since: it lives there"
    ],
    ["committed", [seen(), seen(ours)], "Undo", "the user took a part of it away, and the source is whole"],
    ["committed", [seen({ ...gone, aside: true }), seen()], "Undo", "what was set aside goes back"],
    ["committed", [seen(), seen({ ...gone, ...ours })], "Finish", "what is still at the source is brought along"],
    ["committed", [seen({ ...gone })], "Refuse", "neither here nor there"],
    [
      "committed",
      [seen({ missing: true, ...gone }), seen({ ...gone, ...ours })],
      "Finish",
      "a piece that the session does without"
    ]
  ]
  for (const [phase, pieces, expected, why] of table) assert.strictEqual(recover({ phase }, pieces)._tag, expected, why)
})

const Piece = Schema.Struct({
  source: Schema.Boolean,
  aside: Schema.Boolean,
  destination: Schema.Literals(["absent", "ours", "other"]),
  staging: Schema.Literals(["absent", "partial", "whole"]),
  missing: Schema.Boolean
})

it.prop(
  "nothing is undone that is not whole at the source, nothing finished that is nowhere else",
  {
    phase: Schema.Literals(["begun", "staged", "committed"]),
    pieces: Schema.Array(Piece).check(Schema.isMaxLength(4))
  },
  ({ phase, pieces }) => {
    const decision = recover({ phase }, pieces)
    const counted = pieces.filter((piece) => !piece.missing)
    const atSource = (piece: PieceState) => piece.source || piece.aside
    if (decision._tag === "Undo") {
      assert.isTrue(
        counted.every(atSource) || counted.every((piece) => piece.staging === "absent" && piece.destination !== "ours")
      )
    }
    if (decision._tag === "Finish") {
      assert.notStrictEqual(phase, "begun")
      assert.isTrue(
        counted.every(
          (piece) =>
            piece.destination !== "absent" || piece.staging === "whole" || (phase === "committed" && atSource(piece))
        )
      )
    }
    if (decision._tag === "Refuse") assert.isFalse(counted.every(atSource))
  }
)
