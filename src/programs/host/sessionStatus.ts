import { DateTime } from "effect"
import type { Facts } from "../../domain/Facts.ts"
import type { HostSpec } from "../../domain/HostSpec.ts"
import * as Queue from "../../domain/Queue.ts"
import type { SessionStatus, View } from "../../domain/Session.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { type Shown, usageFields } from "./usage.ts"

const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

/** Milliseconds that a finished message stays in the status, so that who looks now and then still sees its receipt. */
export const receiptShown = 5_000

export interface StatusParts {
  readonly spec: HostSpec
  readonly provider: ProviderRecord
  readonly startedAt: number
  readonly hostPid: number
  readonly pid: number | null
  readonly attached: number
  readonly view: View
  readonly facts: Facts
  readonly queue: Queue.QueueState
  readonly used: Shown
  readonly now: number
}

/** The status that clients see. What is not known is null. */
export const sessionStatus = (parts: StatusParts): SessionStatus => {
  const { facts, provider, queue, spec, view } = parts
  const { context, cost, lastMessage, lastResponse } = usageFields(parts.used, facts)
  const finished = queue.finished.filter((entry) => parts.now - entry.at < receiptShown).map((entry) => entry.message)
  return {
    tag: spec.tag,
    cli: provider.id,
    baseCli: provider.base,
    displayName: provider.displayName,
    state: view.state,
    ready: view.ready,
    dialog: view.dialog,
    reason: view.reason,
    since: iso(view.since),
    pid: view.state === "exited" ? null : parts.pid,
    hostPid: parts.hostPid,
    cwd: spec.cwd,
    startedAt: iso(parts.startedAt),
    attached: parts.attached,
    message: view.message,
    problem: view.problem,
    background: view.background,
    queue: [...finished, ...Queue.messages(queue)],
    modes: facts.modes,
    sessionId: facts.sessionId,
    transcriptPath: facts.transcriptPath,
    context,
    cost,
    // a CLI without hooks does not tell what it was asked; what leap typed is known all the same
    lastMessage: lastMessage ?? queue.finished.findLast((entry) => entry.message.status === "done" && entry.at >= parts.startedAt)?.message.text ?? null,
    lastResponse,
    exit: facts.exit
  }
}
