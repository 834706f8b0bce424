import { isBusy } from "../../words/session/states.ts"
import { composing } from "./Composing.ts"
import { limits } from "./stateRules/limits.ts"
import type { Facts, KeyMarks } from "./Facts.ts"
import { isLull, turnBegan, turnEnded, unansweredPromptAt } from "./TurnFacts.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import type { SessionState } from "../../words/session/Session.ts"
import type { KeyKind, SessionEvent } from "../../words/session/SessionEvent.ts"

/** A login, a question of trust, or what a CLI shows before its first turn: no part of a turn. */
const isGate = (facts: Facts, dialog: Dialog | null): boolean =>
  dialog?.kind === "login" || dialog?.kind === "trust" || (dialog?.kind === "other" && !hasBegun(facts))

const hasBegun = (facts: Facts): boolean =>
  facts.hasWorked || facts.sendAt !== null || facts.submitted !== null || facts.turnStartedAt !== null

const interrupts: ReadonlySet<KeyKind> = new Set(["escape", "ctrl-c"])
const types: ReadonlySet<KeyKind> = new Set(["text", "paste"])
const chooses: ReadonlySet<KeyKind> = new Set(["text", "enter", "escape", "ctrl-c"])

/** Undoes the last key, whose byte was the first of a longer sequence. */
const withoutLastKey = (facts: Facts): Facts => ({ ...facts, ...facts.beforeKey, beforeKey: null })

/** The facts after keys that reached the CLI. `state`: the classification before them. */
export const foldKeys = (
  facts: Facts,
  { by, continues, keys }: Extract<SessionEvent, { _tag: "Input" }>,
  now: number,
  state: SessionState
): Facts =>
  keys.reduce((facts, key) => foldKey(facts, key, by, now, state), continues === true ? withoutLastKey(facts) : facts)

const foldKey = (facts: Facts, key: KeyKind, by: "user" | "leap", now: number, state: SessionState): Facts => {
  const next = {
    ...facts,
    ...marksAfter(facts, key, by, now, state),
    beforeKey: by === "user" ? marksBefore(facts) : null,
    userKeyAt: by === "user" ? now : facts.userKeyAt,
    viewKeyAt: by === "user" && key === "other" ? now : facts.viewKeyAt
  }
  if (key !== "enter") return next
  const entered = foldEnter(next, now, state)
  return by === "user" && entered.submitted !== next.submitted ? { ...entered, promptedAt: now } : entered
}

const marksBefore = ({ answerKeyAt, foundRestAt, stop, concludedTurnStart, typedAt }: Facts): KeyMarks => ({
  answerKeyAt,
  foundRestAt,
  stop,
  concludedTurnStart,
  typedAt
})

/** leap types a message, and no source has shown or reported work since it began to. */
const isLeapTyping = ({ sendAt, submitted, turnStartedAt, workedAt }: Facts, state: SessionState): boolean =>
  state === "running" && sendAt !== null && sendAt > Math.max(workedAt ?? 0, turnStartedAt ?? 0, submitted?.at ?? 0)

const inTurn = (facts: Facts, state: SessionState): boolean => !isLeapTyping(facts, state) && isBusy(state)

/** A hook has reported the turn's end, and the screen may not show it yet. */
const justEnded = (facts: Facts, now: number): boolean => {
  const ended = turnEnded(facts)
  return ended > turnBegan(facts) && now - ended <= limits.screenLag
}

/** A dialog opened after the turn's end, and nothing has worked since: a key that closes it stops nothing. */
const isBehindTurn = (facts: Facts, dialog: Dialog | null): boolean => {
  const ended = turnEnded(facts)
  return dialog !== null && ended > turnBegan(facts) && (facts.workedAt ?? 0) <= ended + limits.screenLag
}

const marksAfter = (
  facts: Facts,
  key: KeyKind,
  by: "user" | "leap",
  now: number,
  state: SessionState
): Pick<Facts, "typedAt" | "answerKeyAt" | "stop"> => {
  const { dialog, picker } = facts.screen
  const stops = dialog?.declines !== true && dialog?.suggests !== true && interrupts.has(key)
  // An open dialog or picker may take the key, and a turn that is over cannot be stopped: only the CLI can confirm.
  const uncertain =
    picker || isGate(facts, dialog) || isLull(facts) || justEnded(facts, now) || isBehindTurn(facts, dialog)
  return {
    typedAt: types.has(key) ? now : facts.typedAt,
    answerKeyAt: chooses.has(key) ? now : facts.answerKeyAt,
    stop:
      stops && inTurn(facts, state)
        ? { at: now, during: state, ...(uncertain ? { needsConfirmation: true } : {}) }
        : stops && by === "user" && isLeapTyping(facts, state)
          ? { at: now, during: state, needsConfirmation: true }
          : facts.stop
  }
}

const foldEnter = (facts: Facts, now: number, state: SessionState): Facts => {
  const { dialog, picker, box } = facts.screen
  // An answer cancels an interrupt key before it.
  if (dialog !== null) {
    // If no option is shown as selected, Enter may have chosen one that ends the turn.
    const isSeen = dialog.options.some(({ selected }) => selected)
    const ends = dialog.options.some(({ endsTurn, selected }) => endsTurn === true && (selected || !isSeen))
    const staysOpen = dialog.options.some(({ open, selected }) => selected && open === true)
    // In a form without choices Enter goes to the next field.
    return {
      ...facts,
      dialogEnter: dialog.options.length === 0 || staysOpen ? null : { at: now, dialog },
      stop: ends ? { at: now, during: state } : null
    }
  }
  if (box === null) return facts
  const command = box.draft.startsWith("/")
  // With a menu over the box, Enter inserts its suggestion; after a backslash, Enter begins a new line.
  if ((picker && !command) || box.draft.endsWith("\\")) return facts
  if (!composing({ screen: facts.screen, typedAt: facts.typedAt, submittedAt: facts.submitted?.at ?? null }, now))
    return facts
  const ahead = inTurn(facts, state)
  return {
    ...facts,
    submitted: { at: now, command, ahead, behind: ahead ? unansweredPromptAt(facts) : null },
    stop: ahead ? facts.stop : null
  }
}
