import { echoDue } from "../Composing.ts"
import { type Facts, rootRecord, unanswered } from "../Facts.ts"
import { settling } from "./limits.ts"
import { latest, type Look, turnBegan, turnEnded } from "./Look.ts"
import { backgroundOnly, contradicted, trouble } from "./running.ts"

/** One thing that forbids typing a message into a session at rest. */
export interface Hold {
  readonly name: string
  /** For the user: why it is not ready. */
  readonly why: string
  readonly holds: (look: Look) => boolean
}

const within = ({ passed }: Look, since: number | null | undefined, span: number): boolean =>
  since !== null && since !== undefined && !passed(since + span)

const settle = ({ speaker }: Look): number => speaker === null ? settling.seen : settling.told

/** When the session came to rest, by whatever told or showed it last. */
const restSince = ({ facts, speaker }: Look): number =>
  latest(speaker?.says === "rest" ? speaker.since : null, turnEnded(facts), facts.shown.titleRest, facts.shown.quiet)

/** Keys that are not yet to be seen in the box. */
const typing = ({ facts: { screen, submitted, typedAt }, passed }: Look): boolean => {
  const due = echoDue({ screen, typedAt, submittedAt: submitted?.at ?? null })
  return due !== null && !passed(due)
}

/** What must be so on the screen. */
const onScreen: ReadonlyArray<Hold> = [
  { name: "torn", why: "the screen is being drawn", holds: ({ facts }) => facts.torn !== null },
  { name: "no-box", why: "its input box is not on screen", holds: ({ facts }) => facts.shown.box === null },
  { name: "dialog", why: "a dialog is open", holds: ({ facts }) => facts.screen.dialog !== null },
  { name: "picker", why: "a picker is open", holds: ({ facts }) => facts.screen.picker },
  { name: "draft", why: "unsent text is in the box", holds: (look) => look.facts.shown.emptyBox === null || typing(look) },
  { name: "screen-not-resting", why: "the screen does not say that it rests", holds: ({ facts }) => facts.screen.resting === false },
  { name: "screen-works", why: "the screen shows work", holds: ({ facts }) => facts.screen.working },
  {
    name: "title-works",
    why: "the terminal title shows work",
    holds: (look) => look.facts.screen.title === "work" && look.speaker?.says !== "rest" && !backgroundOnly(look)
  }
]

/** What the CLI itself must say. */
const told: ReadonlyArray<Hold> = [
  {
    name: "not-told-rest",
    why: "the CLI does not say that it rests",
    holds: (look) => {
      const { speaker } = look
      if (speaker === null || speaker.says === "rest") return false
      return !(speaker.says === "work" && backgroundOnly(look)) && !contradicted(look, speaker.since)
    }
  },
  {
    name: "asked",
    why: "a permission is being asked for",
    holds: (look) => {
      const { answeredAt, asked, chosenAt, decidedAt } = look.facts
      return asked !== null && latest(answeredAt, chosenAt, decidedAt) < asked.at && within(look, asked.at, settling.asked)
    }
  },
  { name: "logged-out", why: "the CLI wants a login", holds: ({ facts }) => rootRecord(facts.records)?.kind === "auth" || facts.screen.loggedOut === true },
  { name: "problem", why: "the last turn failed, and the next message would too", holds: (look) => failing(look) }
]

/** The user's last key sent a prompt, and the CLI has since said that its turn is over. */
const answeredKey = (facts: Facts): boolean =>
  facts.submitted !== null && facts.submitted.at === facts.userKeyAt && latest(turnEnded(facts), facts.finishedAt) > facts.userKeyAt

/** How long it must have been so. */
const settled: ReadonlyArray<Hold> = [
  {
    name: "box-settles",
    why: "the box has just come up",
    holds: (look) => within(look, latest(look.facts.shown.quiet, look.facts.shown.emptyBox), settle(look))
  },
  { name: "rest-settles", why: "the turn has just ended", holds: (look) => within(look, restSince(look), settle(look)) },
  { name: "start-settles", why: "the CLI has just started", holds: (look) => within(look, look.facts.firstBoxAt, settling.start) },
  {
    name: "key",
    why: "the user has just pressed a key",
    holds: (look) => !answeredKey(look.facts) && within(look, look.facts.userKeyAt, settling.key)
  },
  {
    name: "view-key",
    why: "the user has pressed a key that opens views",
    holds: (look) => look.facts.viewKeyAt === look.facts.userKeyAt && within(look, look.facts.viewKeyAt, settling.view)
  },
  { name: "picker-closed", why: "a picker has just closed", holds: (look) => within(look, look.facts.shown.pickerUntil, settling.command) },
  {
    name: "command",
    why: "a command was just given",
    holds: (look) => look.facts.submitted?.command === true && within(look, look.facts.submitted.at, settling.command)
  },
  {
    name: "unanswered",
    why: "a prompt was just given, and nothing has come of it yet",
    holds: (look) => look.facts.screen.loggedOut !== true && within(look, unanswered(look.facts), settling.unanswered)
  },
  {
    name: "typed-ahead",
    why: "a prompt was typed ahead",
    holds: (look) => look.facts.submitted?.ahead === true && within(look, restSince(look), settling.typedAhead)
  },
  {
    name: "recovering",
    why: "a request of the last turn failed and was tried again",
    holds: (look) => latest(look.facts.retriedAt) > turnBegan(look.facts) && within(look, restSince(look), settling.recovering)
  },
  { name: "resized", why: "the terminal was just resized", holds: (look) => within(look, look.facts.resizedAt, settling.resize) }
]

const failing = (look: Look): boolean => {
  const { submitted } = look.facts
  const found = trouble(look)
  if (found === null || submitted !== null && submitted.at > found.at) return false
  const { at, problem } = found
  const until = problem.until === null ? NaN : Date.parse(problem.until)
  if (!Number.isNaN(until)) return !look.passed(until)
  return problem.kind === "overloaded" ? within(look, at, settling.overloaded) : problem.kind !== "stuck"
}

/** Everything that keeps a session at rest from being ready. Unknown is not ready. */
export const holds: ReadonlyArray<Hold> = [...onScreen, ...told, ...settled]

/** Why a session at rest is not ready; null when it is. */
export const unready = (look: Look): string | null => holds.find((hold) => hold.holds(look))?.why ?? null
