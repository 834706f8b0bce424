import { Schema } from "effect"
import type { RefusalReason } from "../domain/words/session/Refusal.ts"
import { exitCode } from "./exitCode.ts"

/**
 * Version of the control protocol. A host and a client of different versions refuse each other with a message that says
 * so.
 */
export const protocolVersion = 1

/** A refusal's reason on the wire: the exit code with which a client's command ends. */
const codes = {
  failed: exitCode.failed,
  invalid: exitCode.usage,
  "not-found": exitCode.notFound,
  refused: exitCode.refused
} as const satisfies Record<RefusalReason, number>

/** The host understood the request and refuses it; nothing was changed. */
export class RefusedError extends Schema.TaggedError<RefusedError>()("RefusedError", {
  why: Schema.String,
  exitCode: Schema.Literals(Object.values(codes))
}) {
  static readonly because = (reason: RefusalReason, why: string): RefusedError =>
    new RefusedError({ why, exitCode: codes[reason] })

  override get message() {
    return this.why
  }
}
