import type { DialogOption } from "../../words/session/Screen.ts"
import type { AnswerKeys } from "./InputProtocol.ts"

export const enter = "\r"
export const tab = "\t"
const up = "\u001b[A"
const down = "\u001b[B"

export const refused = (why: string): AnswerKeys => ({ _tag: "Refused", why })

export const keys = (...writes: ReadonlyArray<string>): AnswerKeys => ({ _tag: "Keys", writes })

/** The arrow keys from the selected option (the first if none is) to another in a menu, by default a vertical one. */
export const arrows = (
  options: ReadonlyArray<DialogOption>,
  to: DialogOption,
  [back, forth]: readonly [string, string] = [up, down]
): string => {
  const steps =
    options.indexOf(to) -
    Math.max(
      0,
      options.findIndex(({ selected }) => selected)
    )
  return (steps < 0 ? back : forth).repeat(Math.abs(steps))
}

/** The key that moves to an option: its digit if that works, else the arrows. */
export const keyTo = (options: ReadonlyArray<DialogOption>, option: DialogOption, byDigit: boolean): string =>
  byDigit ? String(option.number) : arrows(options, option)

/** Moves by these keys, then confirms. */
export const take = (move: string, confirm: string = enter): AnswerKeys =>
  move === "" ? keys(confirm) : keys(move, confirm)

/** Chooses an option: by its digit if that chooses at once, else by the arrows and the confirming key. */
export const choose = (
  options: ReadonlyArray<DialogOption>,
  option: DialogOption,
  byDigit: boolean,
  confirm: string = enter
): AnswerKeys => (byDigit ? keys(String(option.number)) : take(arrows(options, option), confirm))

export const typedAnswer = (text: string): string => text.trim().replaceAll(/[\s\p{Cc}]+/gu, " ")

/** Why no option can be chosen; null: one can. */
export const outOfReach = (options: ReadonlyArray<DialogOption>): AnswerKeys | null => {
  if (options.length === 0)
    return refused("the dialog on screen has no options to choose from; answer it there (leap attach)")
  return options.some(({ number }, index) => number !== null && number !== index + 1)
    ? refused("only a part of the dialog's options is on screen; answer it there (leap attach)")
    : null
}

/** The options for the user; with `multiSelect` several may be ticked. */
export const offer = (options: ReadonlyArray<DialogOption>, multiSelect = false): string => {
  const all = options.map(({ label, number }, index) => `${number ?? index + 1} ${label}`).join(", ")
  return multiSelect ? `${all}, or 'next' when all are ticked` : all
}
