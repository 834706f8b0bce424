import { Schema } from "effect"
import type { RefusalReason } from "../domain/words/session/Refusal.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"

/** The version of the control protocol. A client refuses a host of another version, with a message. */
export const protocolVersion = 1

/** The exit code with which the client's command ends, by the reason of the refusal. */
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
