import type { Journal } from "./Journal.ts"

/** What is on the disk of one piece of a move that died. */
export interface PieceSeen {
  /** Under its old name. */
  readonly source: boolean
  /** Set aside beside its old name, to be deleted. */
  readonly aside: boolean
  /** Under its new name: nothing, what the move put there, or something that it did not. */
  readonly destination: "absent" | "ours" | "other"
  /** Being put together, or, with everything in it, ready to be put under its new name. */
  readonly staging: "absent" | "partial" | "whole"
  /** The plan lets it be missing, and it was (as far as that is known). */
  readonly missing: boolean
}

/** What is to become of it. */
export type Recovery =
  | { readonly _tag: "Finish" }
  | { readonly _tag: "Undo" }
  | { readonly _tag: "Refuse"; readonly piece: number; readonly why: string }

const finish: Recovery = { _tag: "Finish" }
const undo: Recovery = { _tag: "Undo" }

/**
 * Decides what to do about a move that died. The phase says what was meant; what is on the disk says what can be done
 * without losing anything: undoing needs every piece at its source, finishing needs every piece at its destination or
 * ready for it. Neither direction deletes a byte that the other side does not have, so either is safe where it is possible.
 */
export const recover = (journal: Pick<Journal, "phase">, seen: ReadonlyArray<PieceSeen>): Recovery => {
  const counted = seen.map((piece, at) => ({ ...piece, at })).filter((piece) => !piece.missing)
  const lostSource = counted.find((piece) => !piece.source && !piece.aside)
  if (journal.phase === "committed") {
    // What the move put there may have been replaced since: the session lives there, and its owner may do so.
    const away = counted.filter((piece) => piece.destination === "absent")
    if (away.length === 0) return finish
    if (lostSource === undefined) return undo
    // Finishing brings along what is still at the source.
    const lost = away.find((piece) => !piece.source && !piece.aside)
    if (lost === undefined) return finish
    return { _tag: "Refuse", piece: lost.at, why: "the session was moved, and this part of it is neither where it was nor where it went" }
  }
  if (lostSource === undefined) return undo
  if (journal.phase === "staged" && counted.every((piece) => piece.destination === "ours" || (piece.destination === "absent" && piece.staging === "whole"))) {
    return finish
  }
  if (counted.every((piece) => piece.staging === "absent" && piece.destination !== "ours")) return undo
  return { _tag: "Refuse", piece: lostSource.at, why: "somebody took it away while it was being moved, and what the move had made of it is not complete" }
}
