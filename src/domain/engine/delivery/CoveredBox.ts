import { asks } from "../../words/session/states.ts"
import { become } from "./attempts.ts"
import { isCommand, showsTyped } from "./Box.ts"
import { andThen, type Delivery, receipt, stay } from "./DeliveryMemory.ts"
import { holdKeys } from "./HeldKeys.ts"
import type { BoxPhase } from "./Phase.ts"
import { moved, type Verdict, waits } from "./Verdict.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"

/**
 * The CLI shows a dialog or a picker over the box, or asks: no key may be written. A suggestion menu over the message's
 * own text does not count.
 */
export const isCovered = (input: InputProtocol, m: Delivery, { attempt }: BoxPhase): boolean => {
  const { screen, view } = m.evidence
  if (screen === null || screen.dialog !== null) return true
  if (asks(view.state)) return true
  return screen.picker && !showsTyped(input, m, attempt.text)
}

/** What a command's receipt says while a view, which it has most likely opened, covers the box. */
const viewOpen = "a view of the CLI's covers its box; nothing goes out until that is closed ('leap keys <tag> Esc')"

/** A dialog covers the box: the user's keys go to it, and nothing is written until it is gone. */
export const underCover = (m: Delivery, phase: BoxPhase): Verdict => {
  const { screen, view } = m.evidence
  const { attempt, cover } = phase
  const isPicker = screen?.dialog?.opened === true || (screen?.dialog === null && screen.picker && !asks(view.state))
  const kind = isPicker && cover?.kind !== "dialog" ? "picker" : "dialog"
  if (cover?.kind === kind && !cover.gone) return waits(m, "the dialog over the box to close")
  const isOpened = phase._tag === "Submitting" && kind === "picker" && cover === null && isCommand(attempt.text)
  const under = become(m, { ...phase, cover: { kind, gone: false } })
  return moved(andThen(holdKeys(under, false), (m) => (isOpened ? receipt(m, attempt.id, "typed", viewOpen) : stay(m))))
}
