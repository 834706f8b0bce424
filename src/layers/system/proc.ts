import * as fs from "node:fs"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/**
 * A file of a process in /proc, which the kernel makes in memory, so that reading it does not block. Null if the
 * process is gone or closes the file to this user, and always on systems without /proc.
 */
export const procFile = (pid: number | string, file: string): string | null =>
  tryOr(() => fs.readFileSync(`/proc/${pid}/${file}`, "latin1"), null)

/** Whether a process is stopped (by SIGSTOP, SIGTSTP …); false where there is none, or no /proc. */
export const isProcessStopped = (pid: number | null): boolean =>
  pid !== null && /^\d+ \(.*\) T/s.test(procFile(pid, "stat") ?? "")
