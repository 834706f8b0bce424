import { Result } from "effect"
import { type AnswerKeys, type InputProtocol, usualKeys } from "../../cli/provider/InputProtocol.ts"
import { enter, keys, refused } from "../../cli/provider/OptionKeys.ts"
import { choiceOf } from "../../cli/provider/DialogChoice.ts"
import { showsText } from "../../words/reading/TextShape.ts"
import type { Dialog } from "../../words/session/Screen.ts"
import { withKeys } from "../../cli/provider/withKeys.ts"
import type { KeySettings } from "../../store/settings/Settings.ts"

const up = "\u001b[A"
const down = "\u001b[B"

/** Moves to the end of the line, then deletes some rows: Ctrl+U empties a line, Backspace joins it to the one above. */
const clearing = `\u0005${"\u0015\u007f".repeat(12)}\u0015`

/** How most CLIs fold a long paste: `[Pasted text #1 +12 lines]`, `[Pasted 340 chars]`. */
const folded = /^\[past(?:e|ed)\b[^\]\d]*(?:#?\d+[^\d\]]*)?\+?(\d+) (line|char)[a-z]*[^\]]*\]$/i

const showsPasted = (draft: string, text: string): boolean => {
  const placeholder = folded.exec(draft.trim().replaceAll(/\s*\n\s*/g, " "))
  if (placeholder !== null) {
    const pasted = text.replaceAll(/\r\n?/g, "\n")
    const count = Number(placeholder[1])
    // Some count line feeds, some lines.
    if (placeholder[2]?.toLowerCase() === "char") return count === pasted.length
    const lines = pasted.split("\n").length
    if (count === lines || count === lines - 1) return true
  }
  return showsText(draft, text)
}

/** Moves the pointer and presses Enter, which every such menu accepts. A digit might choose, move, or be text. */
const answer = (dialog: Dialog, given: string): AnswerKeys => {
  const { options } = dialog
  const pointer = options.findIndex(({ selected }) => selected)
  if (pointer < 0) return refused("which of its options is chosen cannot be seen: answer it there (leap attach)")
  const choice = choiceOf(dialog, given)
  if (Result.isFailure(choice)) return refused(choice.failure)
  if (choice.success._tag === "Other")
    return refused(`'${given.trim()}' is none of the options on screen; a text is typed there (leap attach)`)
  const steps = options.indexOf(choice.success.option) - pointer
  const moves = Array.from({ length: Math.abs(steps) }, () => (steps < 0 ? up : down))
  return keys(...moves, enter)
}

const usual: InputProtocol = {
  ...usualKeys,
  clear: clearing,
  quit: ["\u0003", "\u0003"],
  showsPasted,
  answer
}

/** How leap types into an unknown program: with the keys that most programs take, and the user's own. */
export const genericInput = (keys: KeySettings): InputProtocol => withKeys(usual, keys)
