/**
 * Why an operation was refused: its input is invalid, its subject does not exist, it is not possible now, or it should
 * have been possible.
 */
export type RefusalReason = "invalid" | "not-found" | "refused" | "failed"
