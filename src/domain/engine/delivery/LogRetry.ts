import { timing } from "./DeliveryLimits.ts"

/** The state of the queue's log; the queue in memory is the truth. */
export interface LogRetry {
  /** When the outdated log is rewritten completely; null if it is up to date. */
  readonly retryAt: number | null
  /** The last records could not be written, and this has been announced. */
  readonly fails: boolean
}

export const logInOrder: LogRetry = { retryAt: null, fails: false }

export const caughtUp = (log: LogRetry): LogRetry => (log.retryAt === null ? log : { ...log, retryAt: null })

export const written = (log: LogRetry): LogRetry => (log.fails ? { ...log, fails: false } : log)

/** Records are not on disk; they stay owed to the log. */
export const notWritten = (at: number): LogRetry => ({ retryAt: at + timing.logRetry, fails: true })

export const isRetryDue = ({ retryAt }: LogRetry, at: number): boolean => retryAt !== null && at >= retryAt
