import type { BlockerName, NotReadyCause } from "../../../words/session/NotReady.ts"
import { echoDue } from "../Composing.ts"
import { type Facts, rootRecord } from "../Facts.ts"
import { settling } from "./limits.ts"
import { latest, turnBegan, turnEnded, unansweredPromptAt } from "../TurnFacts.ts"
import type { RuleContext } from "./RuleContext.ts"
import { backgroundOnly, contradicted, endUnknown } from "./turnConditions.ts"

export interface ReadinessBlocker {
  readonly name: BlockerName
  readonly blocks: (context: RuleContext) => boolean
}

const within = ({ passed }: RuleContext, since: number | null | undefined, span: number): boolean =>
  since !== null && since !== undefined && !passed(since + span)

const settlingTime = ({ authority }: RuleContext): number =>
  authority === null ? settling.observed : settling.reported

/** When the session came to rest, by the last source to report or show it. */
const restSince = ({ facts, authority }: RuleContext): number =>
  latest(
    authority?.phase === "rest" ? authority.since : null,
    turnEnded(facts),
    facts.visibleSince.titleRest,
    facts.visibleSince.quiet
  )

const echoPending = ({ facts: { screen, submitted, typedAt }, passed }: RuleContext): boolean => {
  const due = echoDue({ screen, typedAt, submittedAt: submitted?.at ?? null })
  return due !== null && !passed(due)
}

const onScreen: ReadonlyArray<ReadinessBlocker> = [
  { name: "torn", blocks: ({ facts }) => facts.torn !== null },
  {
    name: "unknown-screen",
    // If a box is on screen, the CLI's own report of rest is enough.
    blocks: ({ authority, facts: { screen, unknownLayout } }) =>
      screen.unknown === true && unknownLayout !== "trust" && (screen.box === null || authority?.phase !== "rest")
  },
  { name: "no-box", blocks: ({ facts }) => facts.visibleSince.box === null },
  { name: "dialog", blocks: ({ facts }) => facts.screen.dialog !== null },
  { name: "picker", blocks: ({ facts }) => facts.screen.picker },
  {
    name: "draft",
    // Without a box there is no draft.
    blocks: (context) =>
      context.facts.visibleSince.box !== null && (context.facts.visibleSince.emptyBox === null || echoPending(context))
  },
  {
    name: "screen-not-resting",
    blocks: ({ facts }) => facts.screen.resting === false
  },
  { name: "screen-works", blocks: ({ facts }) => facts.screen.working },
  {
    name: "title-works",
    blocks: (context) =>
      context.facts.screen.title === "work" && context.authority?.phase !== "rest" && !backgroundOnly(context)
  }
]

const turnHasFailed = ({ turnEndedAt, turnFailedAt, turnStartedAt }: Facts): boolean =>
  turnFailedAt !== null && turnFailedAt >= latest(turnStartedAt, turnEndedAt)

const byCLI: ReadonlyArray<ReadinessBlocker> = [
  {
    name: "not-told-rest",
    blocks: (context) => {
      const { authority } = context
      if (authority === null || authority.phase === "rest") return false
      return !(authority.phase === "work" && backgroundOnly(context)) && !contradicted(context, authority.since)
    }
  },
  {
    name: "asked",
    blocks: (context) => {
      const { answeredAt, lastQuestion, answerKeyAt, decidedAt } = context.facts
      return (
        lastQuestion !== null &&
        latest(answeredAt, answerKeyAt, decidedAt) < lastQuestion.at &&
        within(context, lastQuestion.at, settling.permission)
      )
    }
  },
  {
    name: "logged-out",
    // If a failed turn has this reason, the queue waits for the problem, and the user may try again.
    blocks: ({ facts }) =>
      facts.screen.loggedOut === true || (rootRecord(facts.records)?.kind === "auth" && !turnHasFailed(facts))
  }
]

const lastKeyWasAnsweredPrompt = (facts: Facts): boolean =>
  facts.submitted !== null &&
  facts.submitted.at === facts.userKeyAt &&
  latest(turnEnded(facts), facts.reportedDoneAt) > facts.userKeyAt

const settled: ReadonlyArray<ReadinessBlocker> = [
  {
    name: "box-settles",
    blocks: (context) =>
      within(
        context,
        latest(context.facts.visibleSince.quiet, context.facts.visibleSince.emptyBox),
        settlingTime(context)
      )
  },
  {
    name: "rest-settles",
    blocks: (context) => within(context, restSince(context), settlingTime(context))
  },
  {
    name: "start-settles",
    blocks: (context) => within(context, context.facts.firstBoxAt, settling.start)
  },
  {
    name: "key",
    blocks: (context) =>
      !lastKeyWasAnsweredPrompt(context.facts) && within(context, context.facts.userKeyAt, settling.key)
  },
  {
    name: "view-key",
    blocks: (context) =>
      context.facts.viewKeyAt === context.facts.userKeyAt && within(context, context.facts.viewKeyAt, settling.view)
  },
  {
    name: "picker-closed",
    blocks: (context) => within(context, context.facts.pickerClosedAt, settling.command)
  },
  {
    name: "command",
    blocks: (context) =>
      context.facts.submitted?.command === true && within(context, context.facts.submitted.at, settling.command)
  },
  {
    name: "unanswered",
    blocks: (context) =>
      context.facts.screen.loggedOut !== true && within(context, unansweredPromptAt(context.facts), settling.unanswered)
  },
  {
    name: "end-unknown",
    blocks: (context) =>
      endUnknown(context) &&
      within(
        context,
        latest(context.facts.growth?.at ?? null, context.facts.workedAt, turnBegan(context.facts)),
        settling.endUnknown
      )
  },
  {
    name: "typed-ahead",
    blocks: (context) =>
      context.facts.submitted?.ahead === true && within(context, restSince(context), settling.typedAhead)
  },
  {
    name: "recovering",
    blocks: (context) =>
      latest(context.facts.retriedAt) > turnBegan(context.facts) &&
      within(context, restSince(context), settling.recovering)
  },
  {
    name: "resized",
    blocks: (context) => within(context, context.facts.resizedAt, settling.resize)
  }
]

/** All readiness blockers. The first that blocks is the reason shown. */
export const readinessBlockers: ReadonlyArray<ReadinessBlocker> = [...onScreen, ...byCLI, ...settled]

export const firstBlocker = (context: RuleContext): NotReadyCause | null => {
  const blocker = readinessBlockers.find(({ blocks }) => blocks(context))
  return blocker === undefined ? null : { _tag: "Blocked", by: blocker.name }
}
