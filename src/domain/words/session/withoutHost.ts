import type { QueuedMessage } from "./Message.ts"
import type { QueueProblem, SessionStatus } from "./Session.ts"

/**
 * The status of a session that has no host, by what the last one wrote and the log of its queue tells. One that
 * recorded no exit has crashed: nothing of it goes out before somebody starts it again.
 */
export const withoutHost = (
  last: SessionStatus,
  queue: ReadonlyArray<QueuedMessage>,
  queueProblem: QueueProblem | null
): SessionStatus => ({
  ...last,
  attached: 0,
  hostPid: null,
  pid: null,
  queue,
  queueProblem,
  ...(last.exit === null
    ? {
        state: "exited" as const,
        ready: false,
        dialog: false,
        reason: "its host died without a word",
        // what a host waits for and plans ends with it
        pause: null,
        night: null,
        problem: {
          kind: "crashed" as const,
          message: "the session's host died without a word; its queue is kept",
          until: null
        }
      }
    : {})
})
