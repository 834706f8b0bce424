import { Option, Schema } from "effect"
import { isCutObject } from "../../words/formats/cutJson.ts"
import { Plan } from "./Plan.ts"
import { Snapshot } from "./Snapshot.ts"

const Begun = Schema.Struct({
  schema: Schema.Literal(1),
  phase: Schema.Literal("begun"),
  /** Random; part of every name that the move makes up. */
  id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/)),
  plan: Plan,
  /** Directories that the move makes for its destinations, outermost first. */
  parents: Schema.Array(Schema.String),
  /** Pieces that were already at their destination and complete: undoing must not remove them. */
  adopted: Schema.Array(Schema.Natural)
})

const Staged = Schema.Struct({ phase: Schema.Literal("staged"), pieces: Schema.Array(Snapshot) })

const Committed = Schema.Struct({ phase: Schema.Literal("committed") })

export const JournalLine = Schema.Union([Begun, Staged, Committed])
export type JournalLine = typeof JournalLine.Type

/** The plan of a move and the phase that it durably reached. */
export interface Journal {
  readonly id: string
  readonly plan: Plan
  readonly parents: ReadonlyArray<string>
  readonly adopted: ReadonlyArray<number>
  readonly phase: "begun" | "staged" | "committed"
  /** A snapshot for each piece, from the phase `staged` on. */
  readonly pieces: ReadonlyArray<Snapshot>
}

/**
 * The content of a journal. `empty`: the mover died before it did anything. `newer`: a later version of leap wrote it.
 * `damaged`: the state of the move is unknown.
 */
export type JournalText =
  | { readonly _tag: "Journal"; readonly journal: Journal }
  | { readonly _tag: "empty" | "newer" | "damaged" }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(JournalLine))
const decodeVersion = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ schema: Schema.Int })))
const encode = Schema.encodeSync(Schema.fromJsonString(JournalLine))

export const format = (line: JournalLine): string => `${encode(line)}\n`

/** Reads a journal. A last line that was cut off does not count; any other unreadable line means damage. */
export const parse = (text: string): JournalText => {
  const lines = text.split("\n")
  const tail = lines.pop() ?? ""
  if (tail !== "" && !isCutObject(tail) && Option.isNone(decode(tail)) && Option.isNone(decodeVersion(tail)))
    return { _tag: "damaged" }
  const first = lines[0]
  if (first === undefined) return { _tag: "empty" }
  const version = decodeVersion(first)
  if (Option.isSome(version) && version.value.schema > 1) return { _tag: "newer" }
  const records = lines.map((line) => Option.getOrNull(decode(line)))
  const [begun, staged, committed] = records
  if (
    records.length > 3 ||
    begun?.phase !== "begun" ||
    (staged !== undefined && staged?.phase !== "staged") ||
    (committed !== undefined && committed?.phase !== "committed") ||
    (staged !== undefined && staged.pieces.length !== begun.plan.pieces.length)
  )
    return { _tag: "damaged" }
  const { adopted, id, parents, plan } = begun
  const phase = committed?.phase ?? staged?.phase ?? "begun"
  return { _tag: "Journal", journal: { id, plan, parents, adopted, phase, pieces: staged?.pieces ?? [] } }
}
