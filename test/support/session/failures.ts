import type { Problem, ProblemKind } from "../../../src/domain/words/session/Session.ts"
import type { Signal } from "../../../src/domain/words/session/Signal.ts"
import * as Queue from "../../../src/domain/engine/queue/Queue.ts"

export const minute = 60_000

const problem = (kind: ProblemKind, until: number | null): Problem => ({
  kind,
  message: `the model says: ${kind}`,
  until: until === null ? null : new Date(until).toISOString()
})

/** What a CLI tells of a turn that failed with a problem of this kind; `until`: when a limit is over. */
export const failed = (kind: ProblemKind, until: number | null = null): Signal => ({
  _tag: "TurnFailed",
  problem: kind === "unknown" ? null : problem(kind, until),
  message: `the model says: ${kind}`
})

/** A message's status, and whether its turn failed. */
export const statusOf = (queue: Queue.QueueState, id: string): string => {
  const message = Queue.find(queue, id)?.message
  return message === undefined ? "lost" : Queue.isFailed(message) ? `${message.status}, failed` : message.status
}
