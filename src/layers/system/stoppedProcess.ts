import * as fs from "node:fs"

/**
 * Whether a process is stopped (by SIGSTOP, SIGTSTP …); false where there is none, or no /proc, whose files the kernel
 * makes in memory: to read one blocks nobody.
 */
export const isProcessStopped = (pid: number | null): boolean => {
  try {
    return pid !== null && /^\d+ \(.*\) T/s.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"))
  } catch {
    return false
  }
}
