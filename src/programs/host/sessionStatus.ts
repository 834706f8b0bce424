import { noUsage } from "../../domain/cli/usage/UsageReader.ts"
import { reasonWords, notReadyStatus } from "../../domain/words/wording/reasonWords.ts"
import { limitPlanText } from "../../domain/words/wording/limitPlanText.ts"
import { behindCover, unwiredText, waitWords } from "../../domain/words/wording/waitWords.ts"
import { DateTime } from "effect"
import { inTheWay, queueWait, unwiredOf } from "../../domain/engine/machine/queueWait.ts"
import { isGivenUp } from "../../domain/words/session/failedMessage.ts"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import { asQuestion } from "../../domain/cli/provider/DialogChoice.ts"
import { proposalOf } from "../../domain/engine/approvals/shownProposal.ts"
import { lastTurn } from "../../domain/engine/delivery/lastTurn.ts"
import { type SessionMemory, viewOf } from "../../domain/engine/machine/SessionMachine.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import type { NotedWrite } from "../../domain/words/session/RecentWrites.ts"
import type { Problem, SessionStatus } from "../../domain/words/session/Session.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import type { Facts } from "../../domain/engine/tracker/Facts.ts"
import { percentOf, type Usage, unknownUsage } from "../../domain/cli/usage/Usage.ts"

export interface UsageView {
  readonly usage: Usage
  /** When the transcript's last prompt and last answer were written. */
  readonly promptAt: number | null
  readonly responseAt: number | null
  /** The cost of the last turn so far, in US dollars. */
  readonly turnUsd: number | null
}

export const noUsageView: UsageView = { usage: unknownUsage, promptAt: null, responseAt: null, turnUsd: null }

/** The transcript records a prompt a little later than the hook; beyond this time it is another prompt. */
const slack = 5_000

/** The status fields of usage. The last texts are the hooks' own if those are newer. */
export const usageFields = (
  { promptAt, responseAt, turnUsd, usage }: UsageView,
  facts: Pick<Facts, "lastPrompt" | "lastResponse" | "turnEndedAt" | "turnStartedAt">
): Pick<SessionStatus, "context" | "cost" | "lastMessage" | "lastResponse"> => {
  const isNewer = (at: number | null, than: number | null): boolean => at !== null && than !== null && at > than
  const { contextTokens, cost, lastPrompt, lastResponse, window } = usage
  return {
    context:
      contextTokens === null ? null : { usedTokens: contextTokens, window, percent: percentOf(contextTokens, window) },
    cost: cost === null || turnUsd === null ? cost : { ...cost, turnUsd },
    lastMessage:
      facts.lastPrompt === null ||
      (lastPrompt !== null && facts.turnStartedAt !== null && isNewer(promptAt, facts.turnStartedAt + slack))
        ? lastPrompt
        : facts.lastPrompt,
    lastResponse:
      facts.lastResponse === null || (lastResponse !== null && isNewer(responseAt, facts.turnEndedAt))
        ? lastResponse
        : facts.lastResponse
  }
}

const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))
const isoOr = (at: number | null): string | null => (at === null ? null : iso(at))

/**
 * How long a finished message stays in the status, in milliseconds. A client that polls rarely can still see the
 * message's result.
 */
export const receiptDuration = 5_000

/** Fields of the status as it shows them, which are not in the session's memory. */
type ShownDetails = Required<
  Pick<
    SessionStatus,
    "attached" | "branch" | "cutOff" | "dismissed" | "notice" | "notifyProblem" | "recordProblem" | "uncounted"
  >
>

/** What is not in the session's memory; each is reported by the part that knows it. */
export interface StatusDetails extends ShownDetails {
  /** The CLI's process; null before it was started. */
  readonly pid: number | null
  readonly usage: UsageView
  /** The CLI's process was recently stopped by a signal. leap continues it. */
  readonly wasStopped: boolean
  /** Its CLI ended with an error that nobody asked for, while no user was present. */
  readonly unexpectedEnd: boolean
  /** The files that the CLI was about to write recently. */
  readonly writes: ReadonlyArray<NotedWrite>
}

export interface StatusParts extends StatusDetails {
  readonly spec: HostSpec
  readonly provider: Provider
  readonly startedAt: number
  readonly hostPid: number
  readonly memory: SessionMemory
  readonly now: number
}

const stopped: Problem = {
  kind: "stuck",
  message: "its process was stopped (Ctrl+Z, or a stop signal); leap continues it",
  until: null
}

const layoutOf = ({ screen, unknownLayout }: SessionMemory["tracker"]["facts"]): "known" | "trusted" | "unknown" => {
  if (screen.unknown !== true) return "known"
  return unknownLayout === "trust" ? "trusted" : "unknown"
}

/** The status that clients see. Unknown values are null. */
export const sessionStatus = (parts: StatusParts): SessionStatus => {
  const { dismissed, memory, now, provider, spec, startedAt } = parts
  const { facts } = memory.tracker
  const { evidence, queue } = memory.delivery
  const { dialog } = facts.screen
  const view = viewOf(memory)
  const runs = view.state !== "exited"
  const night = runs ? memory.night.plan : null
  const pause = runs ? queueWait(memory, now) : null
  const unwired = runs ? unwiredOf(memory) : null
  const { context, cost, lastMessage, lastResponse } = usageFields(parts.usage, facts)
  const finished = Queue.recent(queue).filter(({ at }) => now - at < receiptDuration)
  // A CLI without hooks does not report its prompts, but leap knows the prompts that it typed.
  const typed = queue.finished.findLast(({ at, message }) => message.status === "done" && at >= startedAt)
  return {
    tag: spec.tag,
    cli: provider.id,
    baseCli: provider.base,
    displayName: provider.displayName,
    state: view.state,
    ready: view.ready,
    dialog: view.dialog,
    reason: reasonWords(view),
    notReady: view.notReady === null ? null : notReadyStatus(view.notReady),
    since: iso(view.since),
    pid: runs ? parts.pid : null,
    hostPid: parts.hostPid,
    cwd: facts.directory ?? spec.cwd,
    branch: parts.branch,
    startedAt: iso(startedAt),
    attached: parts.attached,
    message: view.message,
    layout: layoutOf(facts),
    question: dialog !== null && runs ? asQuestion(dialog) : null,
    proposal: runs
      ? proposalOf(memory.approvals.pending, {
          dialog,
          since: facts.visibleSince.question,
          answeredAt: Math.max(facts.answerKeyAt ?? 0, facts.decidedAt ?? 0),
          toolEndedAt: facts.toolEndedAt ?? 0
        })
      : null,
    problem: view.problem ?? (parts.wasStopped && runs ? stopped : null),
    background: view.background,
    queue: [...finished, ...Queue.listed(queue)].map(({ at, message }) =>
      message.status === "held" || isGivenUp(message) ? { ...message, since: iso(at) } : message
    ),
    modes: facts.modes,
    night: night
      ? {
          at: isoOr(night.at),
          text: behindCover(limitPlanText(night), night.at === null ? null : inTheWay(memory.delivery))
        }
      : null,
    pause: pause
      ? { kind: pause.kind, since: iso(pause.since), until: isoOr(pause.until), text: waitWords(pause.cause) }
      : null,
    unwired: unwired ? { since: iso(unwired.since), text: unwiredText(unwired), rules: unwired.rules } : null,
    ...(!runs && parts.unexpectedEnd ? { unexpectedEnd: true } : {}),
    ...(!runs && parts.cutOff ? { cutOff: true } : {}),
    ...(dismissed.length === 0 ? {} : { dismissed }),
    notice: parts.notice,
    notifyProblem: parts.notifyProblem,
    recordProblem: parts.recordProblem,
    uncounted: parts.uncounted,
    sessionId: facts.sessionId,
    transcriptPath: facts.transcriptPath,
    context,
    ...(provider.usage === noUsage ? { noContext: true } : {}),
    cost,
    lastMessage: lastMessage ?? typed?.message.text ?? null,
    lastResponse,
    lastTurn: lastTurn(evidence),
    writes: parts.writes.map(({ at, path }) => ({ path, at: iso(at) })),
    exit: facts.exit
  }
}
