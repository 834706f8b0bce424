import { echoDue } from "../Composing.ts"
import { type Facts, rootRecord } from "../Facts.ts"
import { settling } from "./limits.ts"
import { latest, turnBegan, turnEnded, unansweredPromptAt } from "../TurnFacts.ts"
import type { RuleContext } from "./RuleContext.ts"
import { backgroundOnly, contradicted, endUnknown } from "./turnConditions.ts"

/** A condition under which no message may be typed into a session at rest. */
export interface ReadinessBlocker {
  readonly name: string
  /** Why the session is not ready, for the user. */
  readonly why: string
  readonly blocks: (context: RuleContext) => boolean
}

/** `span` milliseconds since `since` are not over. */
const within = ({ passed }: RuleContext, since: number | null | undefined, span: number): boolean =>
  since !== null && since !== undefined && !passed(since + span)

const settlingTime = ({ authority }: RuleContext): number =>
  authority === null ? settling.observed : settling.reported

/** When the session came to rest, by the source that was the last to report or show it. */
const restSince = ({ facts, authority }: RuleContext): number =>
  latest(
    authority?.phase === "rest" ? authority.since : null,
    turnEnded(facts),
    facts.visibleSince.titleRest,
    facts.visibleSince.quiet
  )

/** Typed text may not have appeared in the box yet. */
const echoPending = ({ facts: { screen, submitted, typedAt }, passed }: RuleContext): boolean => {
  const due = echoDue({ screen, typedAt, submittedAt: submitted?.at ?? null })
  return due !== null && !passed(due)
}

/** Conditions of the screen. */
const onScreen: ReadonlyArray<ReadinessBlocker> = [
  { name: "torn", why: "the screen is being drawn", blocks: ({ facts }) => facts.torn !== null },
  {
    name: "unknown-screen",
    why: "its screen is not known to leap: type there yourself, or use `leap send --force`; `leap doctor` says more",
    // With a box on it, the CLI's own report of rest is enough.
    blocks: ({ authority, facts: { screen, unknownLayout } }) =>
      screen.unknown === true && unknownLayout !== "trust" && (screen.box === null || authority?.phase !== "rest")
  },
  { name: "no-box", why: "its input box is not on screen", blocks: ({ facts }) => facts.visibleSince.box === null },
  { name: "dialog", why: "a dialog is open", blocks: ({ facts }) => facts.screen.dialog !== null },
  { name: "picker", why: "a picker is open", blocks: ({ facts }) => facts.screen.picker },
  {
    name: "draft",
    why: "unsent text is in the box",
    blocks: (context) => context.facts.visibleSince.emptyBox === null || echoPending(context)
  },
  {
    name: "screen-not-resting",
    why: "the screen does not say that it rests",
    blocks: ({ facts }) => facts.screen.resting === false
  },
  { name: "screen-works", why: "the screen shows work", blocks: ({ facts }) => facts.screen.working },
  {
    name: "title-works",
    why: "the terminal title shows work",
    blocks: (context) =>
      context.facts.screen.title === "work" && context.authority?.phase !== "rest" && !backgroundOnly(context)
  }
]

/** A hook reported the last turn as failed, and none has begun since. */
const turnHasFailed = ({ turnEndedAt, turnFailedAt, turnStartedAt }: Facts): boolean =>
  turnFailedAt !== null && turnFailedAt >= latest(turnStartedAt, turnEndedAt)

/** Conditions that the CLI itself reports. */
const byCLI: ReadonlyArray<ReadinessBlocker> = [
  {
    name: "not-told-rest",
    why: "the CLI does not say that it rests",
    blocks: (context) => {
      const { authority } = context
      if (authority === null || authority.phase === "rest") return false
      return !(authority.phase === "work" && backgroundOnly(context)) && !contradicted(context, authority.since)
    }
  },
  {
    name: "asked",
    why: "a permission is being asked for",
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
    why: "the CLI wants a login",
    // Where it says so of a turn that failed, the queue waits for that, and the user may try again.
    blocks: ({ facts }) =>
      facts.screen.loggedOut === true || (rootRecord(facts.records)?.kind === "auth" && !turnHasFailed(facts))
  }
]

/** The user's last key sent a prompt, and the CLI has since reported the end of that turn. */
const lastKeyWasAnsweredPrompt = (facts: Facts): boolean =>
  facts.submitted !== null &&
  facts.submitted.at === facts.userKeyAt &&
  latest(turnEnded(facts), facts.reportedDoneAt) > facts.userKeyAt

/** How long the conditions must have lasted. */
const settled: ReadonlyArray<ReadinessBlocker> = [
  {
    name: "box-settles",
    why: "the box has just come up",
    blocks: (context) =>
      within(
        context,
        latest(context.facts.visibleSince.quiet, context.facts.visibleSince.emptyBox),
        settlingTime(context)
      )
  },
  {
    name: "rest-settles",
    why: "the turn has just ended",
    blocks: (context) => within(context, restSince(context), settlingTime(context))
  },
  {
    name: "start-settles",
    why: "the CLI has just started",
    blocks: (context) => within(context, context.facts.firstBoxAt, settling.start)
  },
  {
    name: "key",
    why: "the user has just pressed a key",
    blocks: (context) =>
      !lastKeyWasAnsweredPrompt(context.facts) && within(context, context.facts.userKeyAt, settling.key)
  },
  {
    name: "view-key",
    why: "the user has pressed a key that opens views",
    blocks: (context) =>
      context.facts.viewKeyAt === context.facts.userKeyAt && within(context, context.facts.viewKeyAt, settling.view)
  },
  {
    name: "picker-closed",
    why: "a picker has just closed",
    blocks: (context) => within(context, context.facts.pickerClosedAt, settling.command)
  },
  {
    name: "command",
    why: "a command was just given",
    blocks: (context) =>
      context.facts.submitted?.command === true && within(context, context.facts.submitted.at, settling.command)
  },
  {
    name: "unanswered",
    why: "a prompt was just given, and nothing has come of it yet",
    blocks: (context) =>
      context.facts.screen.loggedOut !== true && within(context, unansweredPromptAt(context.facts), settling.unanswered)
  },
  {
    name: "end-unknown",
    why: "nothing that is known shows that the turn is over",
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
    why: "a prompt was typed ahead",
    blocks: (context) =>
      context.facts.submitted?.ahead === true && within(context, restSince(context), settling.typedAhead)
  },
  {
    name: "recovering",
    why: "a request of the last turn failed and was tried again",
    blocks: (context) =>
      latest(context.facts.retriedAt) > turnBegan(context.facts) &&
      within(context, restSince(context), settling.recovering)
  },
  {
    name: "resized",
    why: "the terminal was just resized",
    blocks: (context) => within(context, context.facts.resizedAt, settling.resize)
  }
]

/** All readiness blockers. Where a condition is unknown they block. */
export const readinessBlockers: ReadonlyArray<ReadinessBlocker> = [...onScreen, ...byCLI, ...settled]

/** The reason of the first blocker that applies, for the user; null when the session is ready. */
export const notReadyReason = (context: RuleContext): string | null =>
  readinessBlockers.find((blocker) => blocker.blocks(context))?.why ?? null
