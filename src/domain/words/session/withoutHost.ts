import type { QueuedMessage } from "./Message.ts"
import type { Problem, QueueProblem, SessionStatus } from "./Session.ts"

/** The reason and message for a host that recorded no end, perhaps because its directory was moved. */
const unrecordedEnd = (from: string, tag: string): readonly [reason: string, message: string] => {
  if (from === tag) return ["its host died without a word", "the session's host died without a word"]
  const moved = `its directory was moved here from session '${from}', which ended it`
  return [moved, moved]
}

const gone = { attached: 0, hostPid: null, pid: null } as const

/**
 * The status of a session without a host, from its last host's status and the log of its queue. `tag`: the present name
 * of its directory. A host that recorded no exit has crashed: nothing is sent until somebody starts the session again.
 */
export const withoutHost = (
  last: SessionStatus,
  queue: ReadonlyArray<QueuedMessage>,
  queueProblem: QueueProblem | null,
  tag: string = last.tag
): SessionStatus => {
  const left = { ...last, ...gone, tag, queue, queueProblem }
  if (last.exit !== null) return left
  const [reason, message] = unrecordedEnd(last.tag, tag)
  return endedWithout(left, reason, { kind: "crashed", message: `${message}; its queue is kept`, until: null })
}

/** The last status of a host whose session has ended since: its screen, waits and plans are dropped. */
export const endedWithout = (last: SessionStatus, reason: string, problem: Problem | null): SessionStatus => ({
  ...last,
  ...gone,
  state: "exited",
  ready: false,
  notReady: null,
  dialog: false,
  reason,
  message: null,
  question: null,
  pause: null,
  night: null,
  unwired: null,
  notice: null,
  problem
})
