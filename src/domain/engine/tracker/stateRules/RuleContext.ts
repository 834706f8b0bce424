import { type Authority, authority } from "./Authority.ts"
import { screenShowsSelectionDialog } from "../ArrowGate.ts"
import type { Detection } from "../../../cli/provider/Detection.ts"
import { type Facts, rootRecord } from "../Facts.ts"
import type { SessionState } from "../../../words/session/Session.ts"
import type { StateReason } from "../../../words/session/StateReason.ts"
import { limits } from "./limits.ts"

export interface Classification {
  readonly state: SessionState
  readonly reason: StateReason
}

/** One line of the ranked table. `leap why` shows `name`; `classify` gives null if the rule does not apply. */
export interface Rule {
  readonly name: string
  readonly classify: (context: RuleContext) => Classification | null
}

/** What a rule sees: the facts at one moment, and a clock that notes when an answer may change without an event. */
export interface RuleContext {
  readonly facts: Facts
  readonly now: number
  readonly turnHooks: boolean
  /** How long the CLI may load before its first turn shows work; null once it has worked, or if it does not load. */
  readonly firstTurnLoading: number | null
  readonly idleCommands: boolean
  readonly authority: Authority | null
  /** Whether `moment` has come. If not, it is noted for `changesAt`. */
  readonly passed: (moment: number) => boolean
  readonly changesAt: () => number | null
}

export type RuleCapabilities = Pick<Detection["capabilities"], "turnHooks" | "firstTurn" | "idleCommands">

export const ruleContext = (
  facts: Facts,
  now: number,
  { firstTurn, idleCommands, turnHooks }: RuleCapabilities
): RuleContext => {
  let earliest = Infinity
  return {
    facts,
    now,
    turnHooks,
    idleCommands: idleCommands === true,
    firstTurnLoading: facts.hasWorked ? null : (firstTurn ?? null),
    authority: authority(facts),
    passed: (moment) => {
      if (now >= moment) return true
      if (moment < earliest) earliest = moment
      return false
    },
    changesAt: () => (earliest === Infinity ? null : earliest)
  }
}

/**
 * How much background work runs; null if no source shows it. While the CLI reports rest, the largest count applies,
 * because each source knows only some kinds of work. While the program status reports work, its count applies: other
 * sources cannot tell whose work they show.
 */
export const backgroundCount = (context: RuleContext): number | null => {
  const { facts, passed, authority } = context
  const records = rootRecord(facts.records) === null ? null : facts.records.length - 1
  const ownStatus = facts.ownStatus?.phase === "rest" ? (facts.ownStatus.background ? 1 : 0) : null
  const reported = records ?? ownStatus
  if (reported !== null && authority?.phase === "rest")
    return Math.max(reported, ownStatus ?? 0, shownSince(facts) ?? namedTasks(context))
  if (reported !== null) return reported
  if (facts.turnTasks !== null && authority !== null) return facts.turnTasks.length
  return (
    facts.screen.background ??
    rememberedBackground(facts, passed) ??
    (facts.turnTasks === null ? null : facts.turnTasks.length)
  )
}

/** The count on screen, or 0 if the status file has reported rest since that frame; null if the screen has none. */
const shownSince = ({ background, ownStatus, screen }: Facts): number | null =>
  ownStatus?.phase === "rest" && background !== null && background.at < ownStatus.since ? 0 : screen.background

/** The tasks that the end of the turn named. Their end is not reported, so they count only for a while. */
const namedTasks = ({ facts: { ownStatus, turnEndedAt, turnTasks }, passed }: RuleContext): number =>
  turnTasks === null || turnTasks.length === 0 || ownStatus?.phase === "rest" || turnEndedAt === null
    ? 0
    : passed(turnEndedAt + limits.background)
      ? 0
      : turnTasks.length

/** The last count on screen, for a while after it disappeared: a passing hint may stand in its place. */
const rememberedBackground = ({ background, screen }: Facts, passed: RuleContext["passed"]): number | null =>
  background === null || screenShowsSelectionDialog(screen) || passed(background.at + limits.background)
    ? null
    : background.count
