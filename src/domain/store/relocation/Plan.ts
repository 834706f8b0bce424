import { Schema } from "effect"
import { isSafeName } from "./safeName.ts"
import { isWithin } from "../../words/text/paths.ts"

/** One file or directory of a session: where it is and where it goes, as absolute paths. */
export const Piece = Schema.Struct({
  kind: Schema.Literals(["file", "tree"]),
  from: Schema.String,
  to: Schema.String,
  /** The session can do without it. */
  optional: Schema.Boolean
})
export type Piece = typeof Piece.Type

/** A change of a registry that belongs to the move. Its meaning is up to what applies it. */
export const Edit = Schema.Struct({
  kind: Schema.NonEmptyString,
  detail: Schema.Record(Schema.String, Schema.String)
})
export type Edit = typeof Edit.Type

/** All that has to change for a session to live in another directory. It may consist of edits alone. */
export const Plan = Schema.Struct({
  cli: Schema.String,
  sessionId: Schema.String,
  pieces: Schema.Array(Piece),
  /** Endings of names of files to which the CLI only appends whole lines. */
  lineFiles: Schema.Array(Schema.NonEmptyString),
  /** Directories of the source that are removed if the move leaves them empty. */
  tidy: Schema.Array(Schema.String),
  edits: Schema.Array(Edit)
})
export type Plan = typeof Plan.Type

const notPlain = (path: string): string | null => {
  if (!path.startsWith("/")) return "it is not absolute"
  if (path.includes("\0")) return "it holds a NUL"
  const parts = path.slice(1).split("/")
  if (parts.includes("..") || parts.includes(".") || parts.includes("")) return "it is not in its plain form"
  return null
}

/** Why the plan must not be carried out, or null. The disk is not consulted. */
export const fault = (plan: Plan): { readonly path: string; readonly why: string } | null => {
  if (!isSafeName(plan.cli)) return { path: "", why: `${JSON.stringify(plan.cli)} is no name of a CLI` }
  if (plan.sessionId === "") return { path: "", why: "the session id is missing" }
  if (!isSafeName(plan.sessionId)) {
    return { path: "", why: `the session id has an unexpected format: ${JSON.stringify(plan.sessionId)}` }
  }
  if (plan.lineFiles.includes("")) return { path: "", why: "an ending of line files is empty" }
  for (const path of [...plan.pieces.flatMap(({ from, to }) => [from, to]), ...plan.tidy]) {
    const why = notPlain(path)
    if (why !== null) return { path, why: `the path cannot be used: ${why}` }
  }
  const ends = plan.pieces.flatMap(({ from, to }) => [from, to])
  for (const [at, path] of ends.entries()) {
    const other = ends.find((other, otherAt) => otherAt !== at && isWithin(other, path))
    if (other !== undefined) return { path, why: `${other} is inside of it, and both have a part in the same move` }
  }
  return null
}

/** Whether the CLI only appends whole lines to the file. */
export const isLineFile = (plan: Plan, path: string): boolean => plan.lineFiles.some((ending) => path.endsWith(ending))

/** Whether two plans move the same things to the same places. */
export const isSameMove = (a: Plan, b: Plan): boolean =>
  a.pieces.length === b.pieces.length &&
  a.pieces.every((piece, at) => piece.from === b.pieces[at]?.from && piece.to === b.pieces[at]?.to)
