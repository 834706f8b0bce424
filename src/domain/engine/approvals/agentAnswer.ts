import { Result } from "effect"
import type { Dialog } from "../../words/session/Screen.ts"
import type { Post } from "../../store/settings/Settings.ts"
import { choiceOf } from "../../cli/provider/DialogChoice.ts"
import { answeredVerdict } from "./answeredVerdict.ts"

export interface AskedPermission {
  /** The answer that grants this one request and nothing more; null if unknown. */
  readonly plainYes: string | null
  /** It is certain which request the dialog is for. */
  readonly known: boolean
  /** The user's rule, or the doubt, that leaves the decision to the user; null for none. */
  readonly kept: string | null
}

/**
 * The answer to press if an agent of another session answers this dialog, or why it must not. Agents choose among a
 * question's options. They grant one request at a time, and none that a rule leaves to the user.
 */
export const agentAnswer = (
  setting: Post["answer"],
  dialog: Dialog,
  answer: string,
  { kept, known, plainYes }: AskedPermission
): Result.Result<string, string> => {
  const users = (why: string) => Result.fail(`${why}: this dialog waits for the user ('${dialog.title}')`)
  if (setting === "none") return users('agents answer no dialogs here (the setting "post": { "answer": "none" })')
  if (dialog.kind === "question") return Result.succeed(answer)
  if (dialog.kind !== "permission")
    return users("agents answer questions and requests for permission, and this is neither")
  if (setting === "questions")
    return users('agents answer questions alone (the setting "post": { "answer": "questions" })')
  const choice = choiceOf(dialog, answer)
  if (Result.isFailure(choice)) return Result.fail(choice.failure)
  if (choice.success._tag === "Other") return users(`'${answer}' is none of its options`)
  const { label, number } = choice.success.option
  const isOption = (word: string): boolean => {
    const other = choiceOf(dialog, word)
    return Result.isSuccess(other) && other.success._tag === "Option" && other.success.option.label === label
  }
  if (answeredVerdict(label) === "deny") return Result.succeed(number === null ? label : String(number))
  if (plainYes === null || !isOption(plainYes))
    return users(`agents may say the plain yes or no, and '${label}' is neither`)
  if (!known) return users("it is not certain what this dialog is for")
  return kept === null ? Result.succeed(plainYes) : users(`the user's rules keep it (${kept})`)
}
