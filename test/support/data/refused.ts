import { assert } from "@effect/vitest"
import type { AnswerKeys } from "../../../src/domain/cli/provider/InputProtocol.ts"

/** An answer is refused, for this reason. */
export const assertRefused = (answer: AnswerKeys, why: RegExp): void => {
  assert.strictEqual(answer._tag, "Refused")
  if (answer._tag === "Refused") assert.match(answer.why, why)
}
