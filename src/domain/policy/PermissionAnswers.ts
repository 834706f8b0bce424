import type { EventDecision, PermissionProtocol } from "../PermissionProtocol.ts"
import type { Dialog, DialogOption } from "../Screen.ts"
import { Verdict } from "./Decision.ts"
import { personal, type ToolRequest } from "./ToolRequest.ts"

/** What a hook prints for each verdict that the CLI heeds from it, by event; `why` is never empty. */
export type Answers = Readonly<Record<string, Partial<Readonly<Record<Verdict, (why: string) => object>>>>>

export interface OwnPermissions {
  readonly answers: Answers
  /** The request in the payload of one of these events; null when it does not say what it is for. */
  readonly read: (event: string, payload: unknown) => ToolRequest | null
  /** It asks for more than one use of a tool: it may be refused, and never granted. */
  readonly widens?: (request: ToolRequest) => boolean
  readonly plainYes: PermissionProtocol["plainYes"]
}

/**
 * The protocol of a CLI whose hooks are answered with JSON. What is a person's to answer is never answered, and a command
 * that cannot be read is never granted.
 */
export const answering = ({ answers, plainYes, read, widens = () => false }: OwnPermissions): PermissionProtocol => {
  const decisions: ReadonlyArray<EventDecision> = Object.entries(answers).map(([event, heeded]) => ({
    event,
    verdicts: Verdict.literals.filter((verdict) => heeded[verdict] !== undefined)
  }))
  return {
    decisions,
    request: (event, payload) => {
      const verdicts = decisions.find((decision) => decision.event === event)?.verdicts
      if (verdicts === undefined) return null
      const request = read(event, payload)
      if (request === null) return null
      if (personal.has(request.kind)) return { request, decides: [] }
      const grantable = !widens(request) && (request.kind !== "command" || request.command !== null)
      return { request, decides: grantable ? verdicts : verdicts.filter((verdict) => verdict !== "allow") }
    },
    reply: (event, verdict, why) => {
      const answer = Object.hasOwn(answers, event) ? answers[event]?.[verdict] : undefined
      return answer === undefined ? null : JSON.stringify(answer(why.trim() === "" ? "refused by leap's policy" : why))
    },
    plainYes
  }
}

/** The number of the dialog's one option that is meant, as an answer; null for none, or more than one. */
export const onlyOption = (dialog: Dialog, isMeant: (option: DialogOption) => boolean): string | null => {
  const meant = dialog.options.flatMap((option, index) => isMeant(option) ? [index + 1] : [])
  return meant.length === 1 ? String(meant[0]) : null
}
