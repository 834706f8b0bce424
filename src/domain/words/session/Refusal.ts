/**
 * In which way an operation was refused: what was given cannot be used, what it is about is not there, it is not
 * possible as things are, or it should have been possible.
 */
export type RefusalReason = "invalid" | "not-found" | "refused" | "failed"
