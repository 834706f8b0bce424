import { errorCodeOf } from "../../domain/words/reading/Fields.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/**
 * Sends a signal to a process, or to a group by a negative number; 0 sends none. False if it cannot be sent.
 */
export const send = (target: number, signal: NodeJS.Signals | 0): boolean =>
  tryOr(() => process.kill(target, signal), false)

/** Whether there is no such process, or group by a negative number; one that may not be signalled is there. */
export const isGone = (target: number): boolean => {
  try {
    process.kill(target, 0)
    return false
  } catch (error) {
    return errorCodeOf(error) === "ESRCH"
  }
}
