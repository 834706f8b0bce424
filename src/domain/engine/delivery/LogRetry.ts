import { timing } from "./DeliveryLimits.ts"

/** How the queue's log stands to the queue, which is the truth. */
export interface LogRetry {
  /** The log is behind, and is to be written again, whole, at this time; null when it is up to date. */
  readonly retryAt: number | null
  /** The last records could not be written, and this has been announced. */
  readonly fails: boolean
}

export const logInOrder: LogRetry = { retryAt: null, fails: false }

/** What the log is behind in is being written. */
export const caughtUp = (log: LogRetry): LogRetry => (log.retryAt === null ? log : { ...log, retryAt: null })

/** Records are on disk. */
export const written = (log: LogRetry): LogRetry => (log.fails ? { ...log, fails: false } : log)

/** Records are not on disk, and owed to the log. */
export const notWritten = (at: number): LogRetry => ({ retryAt: at + timing.logRetry, fails: true })

/** The log is to be written again now. */
export const isRetryDue = ({ retryAt }: LogRetry, at: number): boolean => retryAt !== null && at >= retryAt
