/** Why an operation was refused: invalid input, an unknown subject, impossible now, or failed although possible. */
export type RefusalReason = "invalid" | "not-found" | "refused" | "failed"
