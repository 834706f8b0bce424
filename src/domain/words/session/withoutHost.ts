import type { QueuedMessage } from "./Message.ts"
import type { QueueProblem, SessionStatus } from "./Session.ts"

/** What became of a host that recorded no end. One whose directory is moved ends, and cannot say so where that went. */
const unsaid = (from: string, tag: string): readonly [reason: string, message: string] => {
  if (from === tag) return ["its host died without a word", "the session's host died without a word"]
  const moved = `its directory was moved here from session '${from}', which ended it`
  return [moved, moved]
}

/**
 * The status of a session that has no host, by what the last one wrote and the log of its queue tells; `tag` is the
 * name that its directory has by now. One that recorded no exit has crashed: nothing of it goes out before somebody
 * starts it again.
 */
export const withoutHost = (
  last: SessionStatus,
  queue: ReadonlyArray<QueuedMessage>,
  queueProblem: QueueProblem | null,
  tag: string = last.tag
): SessionStatus => {
  const [reason, message] = unsaid(last.tag, tag)
  return {
    ...last,
    tag,
    attached: 0,
    hostPid: null,
    pid: null,
    queue,
    queueProblem,
    ...(last.exit === null
      ? {
          state: "exited" as const,
          ready: false,
          notReady: null,
          dialog: false,
          reason,
          // what a host waits for and plans ends with it
          pause: null,
          night: null,
          problem: { kind: "crashed" as const, message: `${message}; its queue is kept`, until: null }
        }
      : {})
  }
}
