import type { Journal } from "./Journal.ts"

/** The state on disk of one piece of a move whose mover died. */
export interface PieceState {
  /** Under its old name. */
  readonly source: boolean
  /** Set aside beside its old name, to be deleted. */
  readonly aside: boolean
  /** Under its new name: nothing, what the move put there, or something else. */
  readonly destination: "absent" | "ours" | "other"
  /** The assembled piece: incomplete, or complete and ready for its new name. */
  readonly staging: "absent" | "partial" | "whole"
  /** It is optional, and was missing as far as is known. */
  readonly missing: boolean
}

export type Recovery =
  | { readonly _tag: "Finish" }
  | { readonly _tag: "Undo" }
  | { readonly _tag: "Refuse"; readonly piece: number; readonly why: string }

const finish: Recovery = { _tag: "Finish" }
const undo: Recovery = { _tag: "Undo" }

/**
 * Decides what to do about a move whose mover died: the disk shows what can be done without loss. Undoing needs every
 * piece at its source, or no piece made yet. Finishing needs every piece at its destination or ready for it, or, once
 * committed, still at its source. Neither deletes a byte that the other side lacks.
 */
export const recover = (journal: Pick<Journal, "phase">, states: ReadonlyArray<PieceState>): Recovery => {
  const required = states.map((piece, at) => ({ ...piece, at })).filter((piece) => !piece.missing)
  const lostSource = required.find((piece) => !piece.source && !piece.aside)
  if (journal.phase === "committed") {
    // The session lives at the destination, so its files may have been replaced since.
    const away = required.filter((piece) => piece.destination === "absent")
    if (away.length === 0) return finish
    if (lostSource === undefined) return undo
    // Finishing brings over what is still at the source.
    const lost = away.find((piece) => !piece.source && !piece.aside)
    if (lost === undefined) return finish
    return {
      _tag: "Refuse",
      piece: lost.at,
      why: "the session was moved, and this part of it is neither where it was nor where it went"
    }
  }
  if (lostSource === undefined) return undo
  if (
    journal.phase === "staged" &&
    required.every(
      (piece) => piece.destination === "ours" || (piece.destination === "absent" && piece.staging === "whole")
    )
  ) {
    return finish
  }
  if (required.every((piece) => piece.staging === "absent" && piece.destination !== "ours")) return undo
  return {
    _tag: "Refuse",
    piece: lostSource.at,
    why: "somebody took it away while it was being moved, and what the move had made of it is not complete"
  }
}
