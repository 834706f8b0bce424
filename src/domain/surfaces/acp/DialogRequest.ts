import { answeredVerdict } from "../../engine/approvals/answeredVerdict.ts"
import { grantingOption } from "../../cli/provider/DialogChoice.ts"
import type { Question } from "../../words/session/Session.ts"
import { printable } from "../../words/text/printable.ts"
import type { EditorRequest, RequestOption } from "./Updates.ts"
import { isSameNeed, type Need } from "../../words/attention/Need.ts"
import { besideDialog, needLine } from "../../words/attention/needWords.ts"

/**
 * The request that an editor shows for a dialog, with its real options. `plainYes`: the answer that grants a permission
 * once and nothing more; null if none is known, or for other dialogs. An editor may be set to allow automatically.
 * Therefore only a permission has options of the kinds `allow_once` and `allow_always`, and an option that allows more
 * than once is never marked as allowing once.
 */
export const editorRequest = (
  toolCallId: string,
  question: Question,
  permission: { readonly plainYes: string | null } | null
): EditorRequest => {
  const granting = grantingOption(question, permission?.plainYes ?? null)?.label
  const kindOf = (label: string): RequestOption["kind"] =>
    permission === null || answeredVerdict(label) === "deny"
      ? "reject_once"
      : label === granting
        ? "allow_once"
        : "allow_always"
  return {
    toolCallId,
    title: printable(question.title),
    subject: question.subject === undefined ? null : printable(question.subject),
    isPermission: permission !== null,
    options: question.options.map(({ label }, index) => ({
      optionId: String(index + 1),
      name: printable(label),
      kind: kindOf(label)
    }))
  }
}

export const answerOf = ({ options }: Question, optionId: string): string | null => {
  const option = options.find((_, index) => String(index + 1) === optionId)
  return option === undefined ? null : option.number === null ? option.label : String(option.number)
}

/** Notices about needs that are new. With `isAsked`, the dialog has its own request. */
export const needNotices = (
  before: ReadonlyArray<Need>,
  now: ReadonlyArray<Need>,
  isAsked: boolean
): ReadonlyArray<string> =>
  (isAsked ? besideDialog(now) : now).filter((need) => !before.some((one) => isSameNeed(one, need))).map(needLine)
