import * as fs from "node:fs"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/**
 * Whether a process is stopped (by SIGSTOP, SIGTSTP …); false where there is none, or no /proc, whose files the kernel
 * makes in memory: to read one blocks nobody.
 */
export const isProcessStopped = (pid: number | null): boolean =>
  tryOr(() => pid !== null && /^\d+ \(.*\) T/s.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1")), false)
