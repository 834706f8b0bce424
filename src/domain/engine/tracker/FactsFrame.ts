import { screenShowsSelectionDialog } from "./ArrowGate.ts"
import { echoLag } from "./Composing.ts"
import type { Facts, When } from "./Facts.ts"
import { asText } from "./FactsText.ts"
import { asKnown, unknownDue } from "./FactsUnknown.ts"
import { limits } from "./stateRules/limits.ts"
import type { Dialog, ScreenFacts } from "../../words/session/Screen.ts"
import { textShape } from "../../words/reading/TextShape.ts"
import { latest, turnBegan } from "./TurnFacts.ts"

/**
 * Whether the screen shows running background work (`active`) or that there is none (`finished`). A blank or half drawn
 * screen, or one without room for it, shows neither: after `unknown` the last count stays in force.
 */
export const backgroundWorkState = ({ background, blank, box }: ScreenFacts): "active" | "finished" | "unknown" =>
  blank || background === null ? "unknown" : background > 0 ? "active" : box === null ? "unknown" : "finished"

/** Milliseconds that a CLI takes at most to redraw its screen in several writes. */
const tornLimit = 250
/** The same after a resize, to which a CLI may react slowly. */
const resizedLimit = 1_500

export const tornUntil = ({ resizedAt, torn }: Facts): number =>
  torn === null
    ? -Infinity
    : Math.max(
        torn.since + tornLimit,
        resizedAt !== null && torn.since - resizedAt <= resizedLimit ? resizedAt + resizedLimit : 0
      )

/** The frame has a box, a dialog or a picker. After its start a CLI always shows one of these. */
const isFilled = (screen: ScreenFacts): boolean => screen.box !== null || screenShowsSelectionDialog(screen)

/** The facts after a frame. A half drawn frame is ignored until the rest is drawn, or until `tornUntil`. */
export const foldFrame = (facts: Facts, screen: ScreenFacts, now: number): Facts =>
  isFilled(screen) || facts.firstBoxAt === null || !isFilled(facts.screen)
    ? foldScreen({ ...facts, torn: null }, screen, now)
    : { ...facts, torn: { since: facts.torn?.since ?? now, screen } }

export const settleTornFrame = (facts: Facts, now: number): Facts =>
  facts.torn === null || now < tornUntil(facts) ? facts : foldScreen({ ...facts, torn: null }, facts.torn.screen, now)

export const settleUnknown = (facts: Facts, now: number): Facts => {
  const due = unknownDue(facts)
  return due === null || now < due ? facts : foldScreen(facts, facts.screen, now)
}

const foldScreen = (facts: Facts, drawn: ScreenFacts, now: number): Facts => {
  const screen = asText(facts, asKnown(facts, drawn, now))
  const before = facts.visibleSince
  const since = (start: When, visible: boolean): When => (visible ? (start ?? now) : null)
  const interrupted = since(before.interrupted, screen.interrupted)
  const { box, dialog, picker, working } = screen
  const rested =
    facts.screen.resting === true
      ? before.quiet
      : before.quiet === null || before.emptyBox === null
        ? null
        : Math.max(before.quiet, before.emptyBox)
  return {
    ...facts,
    screen,
    rest: rested === null ? facts.rest : { since: rested, until: now },
    visibleSince: {
      box: since(before.box, box !== null),
      emptyBox: since(before.emptyBox, box !== null && box.draft === ""),
      draft: since(before.draft, box !== null && box.draft !== ""),
      dialog: since(before.dialog, dialog !== null),
      question: since(isSameQuestion(facts.screen.dialog, dialog) ? before.question : null, dialog !== null),
      picker: since(before.picker, picker),
      working: since(before.working, working),
      quiet: since(before.quiet, box !== null && !working && dialog === null),
      interrupted,
      titleWork: since(before.titleWork, screen.title === "work"),
      titleRest: since(before.titleRest, screen.title === "rest"),
      titleAsk: since(before.titleAsk, screen.title === "ask")
    },
    dialogClosedAt: before.dialog !== null && dialog === null ? now : facts.dialogClosedAt,
    pickerClosedAt: before.picker !== null && !picker ? now : facts.pickerClosedAt,
    covered: isCovered(screen) ? (facts.covered ?? { since: now, working: showedWork(facts, now) }) : null,
    background:
      backgroundWorkState(screen) === "unknown" ? facts.background : { at: now, count: screen.background ?? 0 },
    workedAt: working || screen.title === "work" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || working || screen.title === "work",
    movedAt: screen.picture !== undefined && screen.picture === facts.screen.picture ? facts.movedAt : now,
    unknownSince: drawn.common === undefined ? null : (facts.unknownSince ?? now),
    text: screen.working === drawn.working ? null : facts.text,
    growth: hasGrown(facts, screen, now) ? { since: growingSince(facts) ?? now, at: now } : facts.growth,
    retriedAt: working && /\bretry/i.test(screen.activity ?? "") ? now : facts.retriedAt,
    firstBoxAt: facts.firstBoxAt ?? (box === null ? null : now),
    withdrawnTurnStart:
      before.draft === null && box !== null && isWithdrawnPrompt(facts, box.draft)
        ? facts.turnStartedAt
        : facts.withdrawnTurnStart,
    stop: isNextTurn(facts, screen) ? null : stopAfter(facts.stop, screen, interrupted, now)
  }
}

/** The CLI added text above the box: after a while without work, and not just after a key or a resize. */
const hasGrown = ({ resizedAt, screen: before, userKeyAt, visibleSince }: Facts, after: ScreenFacts, now: number) =>
  before.letters !== undefined &&
  after.letters !== undefined &&
  after.letters > before.letters &&
  !after.working &&
  visibleSince.quiet !== null &&
  now - visibleSince.quiet > limits.quiet &&
  now - (resizedAt ?? -Infinity) > resizedLimit &&
  now - (userKeyAt ?? -Infinity) > echoLag

/** Since when the present turn has written text above the box. */
const growingSince = (facts: Facts): When =>
  facts.growth !== null && facts.growth.since > latest(turnBegan(facts), facts.sendAt) ? facts.growth.since : null

/** Options are not compared: keys change their selection and ticks. */
const isSameQuestion = (before: Dialog | null, after: Dialog | null): boolean =>
  before?.kind === after?.kind && before?.title === after?.title

/**
 * The stop after a frame. The CLI's interrupt line confirms it. Work without that line after the grace period disproves
 * it. `line`: since when the line has been on screen.
 */
const stopAfter = (
  stop: Facts["stop"],
  { interrupted, stopping, working }: ScreenFacts,
  line: When,
  now: number
): Facts["stop"] => {
  if (stop === null || (working && !interrupted && now > latest(stop.at, stop.stoppingAt ?? null) + limits.stopGrace))
    return null
  if (stop.confirmed === true ? stopping !== true : line === null || line < stop.at) return stop
  return { ...stop, confirmed: true, ...(stopping === true ? { stoppingAt: now } : {}) }
}

/** The user pressed a key after the interrupt line was drawn, and work has replaced the line. */
const isNextTurn = ({ visibleSince, stop, userKeyAt }: Facts, { interrupted, working }: ScreenFacts): boolean =>
  stop?.confirmed === true &&
  working &&
  !interrupted &&
  visibleSince.interrupted !== null &&
  userKeyAt !== null &&
  userKeyAt > visibleSince.interrupted

/** Something is in the place where the frame would show work. */
const isCovered = ({ box, dialog, mute, picker, working }: ScreenFacts): boolean =>
  !working && dialog === null && (box === null ? picker : box.draft !== "" || mute === true)

/** The frame before showed work, or one shortly before it: the indicator may be gone between two phases of a turn. */
const showedWork = ({ screen, workedAt }: Facts, now: number): boolean =>
  screen.working || screen.title === "work" || (workedAt !== null && now - workedAt <= limits.draft)

/** The box holds the prompt of the present turn, and no key has typed it there since the turn began. */
const isWithdrawnPrompt = ({ lastPrompt, turnStartedAt, typedAt }: Facts, draft: string): boolean =>
  turnStartedAt !== null &&
  lastPrompt !== null &&
  (typedAt ?? -Infinity) < turnStartedAt &&
  textShape(draft) !== "" &&
  textShape(draft) === textShape(lastPrompt)
