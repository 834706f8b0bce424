import { screenShowsSelectionDialog } from "./ArrowGate.ts"
import { backgroundWorkState } from "./BackgroundWork.ts"
import { type Facts, stopGrace, type When } from "./Facts.ts"
import { limits } from "./rules/limits.ts"
import type { Dialog, ScreenFacts } from "./Screen.ts"
import { textShape } from "./TextShape.ts"

/** Redrawing a screen in several writes takes no longer than this. */
const tornLimit = 250
/** The same after a resize, which a CLI may be slow to answer. */
const resizedLimit = 1_500

/** Until when a half drawn screen is not believed. */
export const tornUntil = ({ resizedAt, torn }: Facts): number =>
  torn === null ? -Infinity : Math.max(torn.since + tornLimit, resizedAt !== null && torn.since - resizedAt <= resizedLimit ? resizedAt + resizedLimit : 0)

/** What the user can type into or choose from: after its start a CLI always shows one of these. */
const isFilled = (screen: ScreenFacts): boolean => screen.box !== null || screenShowsSelectionDialog(screen)

/**
 * A frame with none of these is mostly a terminal read in the middle of a redraw: what was there before is believed until
 * the rest of the frame comes, or the limit.
 */
export const foldFrame = (facts: Facts, screen: ScreenFacts, now: number): Facts =>
  isFilled(screen) || facts.firstBoxAt === null || !isFilled(facts.screen)
    ? foldScreen({ ...facts, torn: null }, screen, now)
    : { ...facts, torn: { since: facts.torn?.since ?? now, screen } }

/** The facts once a half drawn screen has stood for too long: it is all there is. */
export const settled = (facts: Facts, now: number): Facts =>
  facts.torn === null || now < tornUntil(facts) ? facts : foldScreen({ ...facts, torn: null }, facts.torn.screen, now)

const foldScreen = (facts: Facts, screen: ScreenFacts, now: number): Facts => {
  const was = facts.shown
  const held = (before: number | null, shows: boolean) => shows ? before ?? now : null
  const { box, dialog, picker, working } = screen
  const rested = facts.screen.resting === true ? was.quiet : was.quiet === null || was.emptyBox === null ? null : Math.max(was.quiet, was.emptyBox)
  return {
    ...facts,
    screen,
    rest: rested === null ? facts.rest : { since: rested, until: now },
    shown: {
      box: held(was.box, box !== null),
      emptyBox: held(was.emptyBox, box !== null && box.draft === ""),
      draft: held(was.draft, box !== null && box.draft !== ""),
      dialog: held(was.dialog, dialog !== null),
      question: held(asksTheSame(facts.screen.dialog, dialog) ? was.question : null, dialog !== null),
      dialogUntil: was.dialog !== null && dialog === null ? now : was.dialogUntil,
      picker: held(was.picker, picker),
      pickerUntil: was.picker !== null && !picker ? now : was.pickerUntil,
      working: held(was.working, working),
      quiet: held(was.quiet, box !== null && !working && dialog === null),
      interrupted: held(was.interrupted, screen.interrupted),
      titleWork: held(was.titleWork, screen.title === "work"),
      titleRest: held(was.titleRest, screen.title === "rest"),
      titleAsk: held(was.titleAsk, screen.title === "ask")
    },
    covered: covers(screen) ? facts.covered ?? { since: now, working: toldWork(facts, now) } : null,
    background: backgroundWorkState(screen) === "unknown" ? facts.background : { at: now, count: screen.background ?? 0 },
    workedAt: working || screen.title === "work" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || working || screen.title === "work",
    retriedAt: working && /\bretry/i.test(screen.activity ?? "") ? now : facts.retriedAt,
    firstBoxAt: facts.firstBoxAt ?? (box === null ? null : now),
    takenBackAt: was.draft === null && box !== null && takenBack(facts, box.draft) ? facts.turnStartedAt : facts.takenBackAt,
    stop: newWork(facts, screen) ? null : stopSeen(facts.stop, screen, held(was.interrupted, screen.interrupted), now)
  }
}

/** What is selected or ticked in it may have changed. */
const asksTheSame = (was: Dialog | null, dialog: Dialog | null): boolean => was?.kind === dialog?.kind && was?.title === dialog?.title

/** The CLI's line of it, once drawn, proves a stop for good; work seen long after the key, with no such line at its end, disproves it. */
const stopSeen = (stop: Facts["stop"], { interrupted, working }: ScreenFacts, line: When, now: number): Facts["stop"] => {
  if (stop === null || working && !interrupted && now > stop.at + stopGrace) return null
  return stop.told !== true && line !== null && line >= stop.at ? { ...stop, told: true } : stop
}

/** The user has pressed something under the interrupt line, and it has given way to work: that is another turn. */
const newWork = ({ shown, stop, userKeyAt }: Facts, { interrupted, working }: ScreenFacts): boolean =>
  stop?.told === true && working && !interrupted && shown.interrupted !== null && userKeyAt !== null && userKeyAt > shown.interrupted

const covers = ({ box, dialog, mute, picker, working }: ScreenFacts): boolean =>
  !working && dialog === null && (box === null ? picker : box.draft !== "" || mute === true)

/** The frame before told of work; between two phases of a turn it may have told nothing. */
const toldWork = ({ screen, workedAt }: Facts, now: number): boolean =>
  screen.working || screen.title === "work" || workedAt !== null && now - workedAt <= limits.draft

/** What has come into the box is the prompt of the present turn, and nobody typed it there. */
const takenBack = ({ lastPrompt, turnStartedAt, typedAt }: Facts, draft: string): boolean =>
  turnStartedAt !== null && lastPrompt !== null && (typedAt ?? -Infinity) < turnStartedAt &&
  textShape(draft) !== "" && textShape(draft) === textShape(lastPrompt)
