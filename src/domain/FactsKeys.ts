import { composing } from "./Composing.ts"
import { limits } from "./rules/limits.ts"
import { turnBegan, turnEnded } from "./rules/Look.ts"
import { type Facts, type KeyMarks, lull, unanswered } from "./Facts.ts"
import type { Dialog } from "./Screen.ts"
import type { SessionState } from "./Session.ts"
import type { KeyKind, SessionEvent } from "./SessionEvent.ts"

/** A login, or a question of trust: it stands before or beside turns. */
const isGate = (dialog: Dialog | null): boolean => dialog?.kind === "login" || dialog?.kind === "trust"

const interrupts: ReadonlySet<KeyKind> = new Set(["escape", "ctrl-c"])
const types: ReadonlySet<KeyKind> = new Set(["text", "paste"])
const chooses: ReadonlySet<KeyKind> = new Set(["text", "enter", "escape", "ctrl-c"])

/** The facts without the last key: it was the beginning of another. */
const withoutLastKey = (facts: Facts): Facts => ({ ...facts, ...facts.beforeKey, beforeKey: null })

/** Takes keys in that reached the CLI, in `state`. */
export const foldKeys = (facts: Facts, { by, continues, keys }: Extract<SessionEvent, { _tag: "Input" }>, now: number, state: SessionState): Facts =>
  keys.reduce((facts, key) => foldKey(facts, key, by, now, state), continues === true ? withoutLastKey(facts) : facts)

const foldKey = (facts: Facts, key: KeyKind, by: "user" | "leap", now: number, state: SessionState): Facts => {
  const next = {
    ...facts,
    ...marks(facts, key, by, now, state),
    beforeKey: by === "user" ? before(facts) : null,
    userKeyAt: by === "user" ? now : facts.userKeyAt,
    viewKeyAt: by === "user" && key === "other" ? now : facts.viewKeyAt
  }
  return key === "enter" ? foldEnter(next, now, state) : next
}

const before = ({ chosenAt, foundRestAt, stop, turnOverAt, typedAt }: Facts): KeyMarks => ({ chosenAt, foundRestAt, stop, turnOverAt, typedAt })

/** While leap types there is nothing to stop yet, as far as leap can tell. */
const leapTypes = ({ sendAt, submitted, turnStartedAt, workedAt }: Facts, state: SessionState): boolean =>
  state === "running" && sendAt !== null && sendAt > Math.max(workedAt ?? 0, turnStartedAt ?? 0, submitted?.at ?? 0)

const inTurn = (facts: Facts, state: SessionState): boolean =>
  !leapTypes(facts, state) && (state === "running" || state === "needs_permission" || state === "needs_input")

/** A hook has told the turn's end, which the screen is yet to show. */
const justEnded = (facts: Facts, now: number): boolean => {
  const ended = turnEnded(facts)
  return ended > turnBegan(facts) && now - ended <= limits.screenLag
}

const marks = (facts: Facts, key: KeyKind, by: "user" | "leap", now: number, state: SessionState): Pick<Facts, "typedAt" | "chosenAt" | "stop"> => {
  const { dialog, picker } = facts.screen
  const stops = dialog?.declines !== true && interrupts.has(key)
  // What is no part of the turn takes the key for itself, unless the CLI says otherwise; and a turn that is over is not stopped.
  const aside = picker || isGate(dialog) || lull(facts) || justEnded(facts, now)
  return {
    typedAt: types.has(key) ? now : facts.typedAt,
    chosenAt: chooses.has(key) ? now : facts.chosenAt,
    stop: stops && inTurn(facts, state)
      ? { at: now, during: state, ...aside ? { early: true } : {} }
      : stops && by === "user" && leapTypes(facts, state)
      ? { at: now, during: state, early: true }
      : facts.stop
  }
}

/** Enter answers a dialog, or sends what is in the box. */
const foldEnter = (facts: Facts, now: number, state: SessionState): Facts => {
  const { dialog, picker, box } = facts.screen
  // An answer takes back what was pressed before it.
  if (dialog !== null) {
    const ends = dialog.options.some(({ endsTurn, selected }) => selected && endsTurn === true)
    const goesOn = dialog.options.some(({ open, selected }) => selected && open === true)
    // In a form without choices it goes on to the next field.
    return { ...facts, entered: dialog.options.length === 0 || goesOn ? null : { at: now, dialog }, stop: ends ? { at: now, during: state } : null }
  }
  if (box === null) return facts
  const command = box.draft.startsWith("/")
  // Enter takes a suggestion from a menu over the box, and a backslash before it makes a new line.
  if ((picker && !command) || box.draft.endsWith("\\")) return facts
  if (!composing({ screen: facts.screen, typedAt: facts.typedAt, submittedAt: facts.submitted?.at ?? null }, now)) return facts
  const ahead = inTurn(facts, state)
  return { ...facts, submitted: { at: now, command, ahead, behind: ahead ? unanswered(facts) : null }, stop: ahead ? facts.stop : null }
}
