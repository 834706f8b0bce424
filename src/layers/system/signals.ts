import { tryOr } from "../../domain/words/reading/tryOr.ts"

/**
 * Sends a signal to a process, or to a group by a negative number; 0 sends none. False if it cannot be sent.
 */
export const send = (target: number, signal: NodeJS.Signals | 0): boolean =>
  tryOr(() => process.kill(target, signal), false)
