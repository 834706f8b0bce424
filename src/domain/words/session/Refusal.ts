/** Why an operation was refused: invalid input, an unknown subject, impossible now, or possible but failed. */
export type RefusalReason = "invalid" | "not-found" | "refused" | "failed"
