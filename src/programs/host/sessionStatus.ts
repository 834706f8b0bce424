import { noUsage } from "../../domain/cli/usage/UsageReader.ts"
import { reasonWords } from "../../domain/words/wording/causeWords.ts"
import { planWords } from "../../domain/words/wording/nightWords.ts"
import { unwiredText, waitWords } from "../../domain/words/wording/waitWords.ts"
import { DateTime } from "effect"
import type { Facts } from "../../domain/engine/tracker/Facts.ts"
import type { QueueWait, unwiredOf } from "../../domain/engine/machine/queueWait.ts"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import { asQuestion } from "../../domain/cli/provider/DialogChoice.ts"
import type { NightPlan } from "../../domain/engine/continuation/LimitContinuation.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import type { NotedWrite } from "../../domain/words/session/RecentWrites.ts"
import type { LastTurn, NeedName, Problem, SessionStatus, View } from "../../domain/words/session/Session.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { type UsageView, usageFields } from "./usageView.ts"

const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

/**
 * Milliseconds that a finished message stays in the status, so that a client that asks now and then sees its receipt.
 */
export const receiptShown = 5_000

export interface StatusParts {
  readonly spec: HostSpec
  readonly provider: Provider
  readonly startedAt: number
  readonly hostPid: number
  readonly pid: number | null
  readonly attached: number
  readonly view: View
  readonly facts: Facts
  readonly queue: Queue.QueueState
  readonly usage: UsageView
  readonly lastTurn?: LastTurn | null
  readonly wasStopped?: boolean
  /** What becomes of a limit; see `LimitContinuation`. */
  readonly night?: NightPlan | null
  /** What the queue waits for. */
  readonly pause?: QueueWait | null
  /** See {@link unwiredOf}. */
  readonly unwired?: ReturnType<typeof unwiredOf>
  readonly unexpectedEnd?: boolean
  readonly cutOff?: boolean
  readonly dismissed?: ReadonlyArray<NeedName>
  readonly notifyProblem?: string | null
  readonly recordProblem?: string | null
  readonly branch?: string | null
  readonly writes?: ReadonlyArray<NotedWrite>
  readonly now: number
}

const stopped: Problem = {
  kind: "stuck",
  message: "its process was stopped (Ctrl+Z, or a stop signal); leap continues it",
  until: null
}

/** The status that clients see. What is not known is null. */
export const sessionStatus = (parts: StatusParts): SessionStatus => {
  const { facts, provider, queue, spec, view } = parts
  const { context, cost, lastMessage, lastResponse } = usageFields(parts.usage, facts)
  const finished = Queue.recent(queue)
    .filter((entry) => parts.now - entry.at < receiptShown)
    .map((entry) => entry.message)
  const { dialog } = facts.screen
  return {
    tag: spec.tag,
    cli: provider.id,
    baseCli: provider.base,
    displayName: provider.displayName,
    state: view.state,
    ready: view.ready,
    dialog: view.dialog,
    reason: reasonWords(view),
    notReady: view.notReady,
    since: iso(view.since),
    pid: view.state === "exited" ? null : parts.pid,
    hostPid: parts.hostPid,
    cwd: facts.directory ?? spec.cwd,
    branch: parts.branch ?? null,
    startedAt: iso(parts.startedAt),
    attached: parts.attached,
    message: view.message,
    layout: facts.screen.unknown !== true ? "known" : facts.unknownLayout === "trust" ? "trusted" : "unknown",
    question: dialog === null || view.state === "exited" ? null : asQuestion(dialog),
    problem: view.problem ?? (parts.wasStopped === true && view.state !== "exited" ? stopped : null),
    background: view.background,
    queue: [...finished, ...Queue.messages(queue)],
    modes: facts.modes,
    night:
      parts.night == null || view.state === "exited"
        ? null
        : { at: parts.night.at === null ? null : iso(parts.night.at), text: planWords(parts.night) },
    pause:
      parts.pause == null || view.state === "exited"
        ? null
        : {
            kind: parts.pause.kind,
            since: iso(parts.pause.since),
            until: parts.pause.until === null ? null : iso(parts.pause.until),
            text: waitWords(parts.pause.cause)
          },
    unwired:
      parts.unwired == null || view.state === "exited"
        ? null
        : { since: iso(parts.unwired.since), text: unwiredText(parts.unwired), rules: parts.unwired.rules },
    ...(view.state === "exited" && parts.unexpectedEnd === true ? { unexpectedEnd: true } : {}),
    ...(view.state === "exited" && parts.cutOff === true ? { cutOff: true } : {}),
    ...(parts.dismissed === undefined || parts.dismissed.length === 0 ? {} : { dismissed: parts.dismissed }),
    notifyProblem: parts.notifyProblem ?? null,
    recordProblem: parts.recordProblem ?? null,
    sessionId: facts.sessionId,
    transcriptPath: facts.transcriptPath,
    context,
    ...(provider.usage === noUsage ? { noContext: true } : {}),
    cost,
    // A CLI without hooks does not report its prompts; what leap typed is known all the same.
    lastMessage:
      lastMessage ??
      queue.finished.findLast((entry) => entry.message.status === "done" && entry.at >= parts.startedAt)?.message
        .text ??
      null,
    lastResponse,
    lastTurn: parts.lastTurn ?? null,
    writes: (parts.writes ?? []).map(({ at, path }) => ({ path, at: iso(at) })),
    exit: facts.exit
  }
}
