import { Struct } from "effect"
import type { EventDecision, PermissionProtocol } from "./PermissionProtocol.ts"
import type { Dialog, DialogOption } from "../../words/session/Screen.ts"
import { Verdict } from "../../policy/Decision.ts"
import { personal, type ToolRequest } from "../../policy/ToolRequest.ts"
import { type Remainder, remainderOf, type RequestShape } from "./RequestRemainder.ts"

/** A hook's output for each verdict that the CLI accepts from it, by event. `why` is never empty. */
export type HookAnswers = Readonly<Record<string, Partial<Readonly<Record<Verdict, (why: string) => object>>>>>

/** The output of a hook in the form that several CLIs share. */
export const hookOutput = (hookEventName: string, specific: object) => ({
  hookSpecificOutput: { hookEventName, ...specific }
})

/** The same for a permission request. */
export const permissionAnswers: HookAnswers[string] = {
  allow: () => hookOutput("PermissionRequest", { decision: { behavior: "allow" } }),
  deny: (message) => hookOutput("PermissionRequest", { decision: { behavior: "deny", message } })
}

/** The same before a tool. */
export const preToolUseAnswer = (permissionDecision: "ask" | "deny") => (permissionDecisionReason: string) =>
  hookOutput("PreToolUse", { permissionDecision, permissionDecisionReason })

/** What a CLI's hooks decide, and how requests are read from them. */
export interface HookPermissions {
  readonly answers: HookAnswers
  /** The request in an event's payload; null: none. */
  readonly read: (event: string, payload: unknown) => ToolRequest | null
  readonly shape: RequestShape
  readonly edit?: NonNullable<PermissionProtocol["edit"]>
  /** Whether the request asks for more than one use of a tool: it may be refused, but never granted. */
  readonly widens?: (request: ToolRequest) => boolean
  readonly plainYes: PermissionProtocol["plainYes"]
  readonly asksNobody?: NonNullable<PermissionProtocol["asksNobody"]>
  readonly place?: NonNullable<PermissionProtocol["place"]>
}

/** Whether one of these options is among the arguments: `--flag`, or `--flag value`, which `--flag=value` fits too. */
export const hasOption =
  (...options: ReadonlyArray<string>) =>
  (args: ReadonlyArray<string>): boolean =>
    args.some((arg, i) => options.includes(arg) || options.includes(`${arg} ${args[i + 1] ?? ""}`)) ||
    args.some((arg) => options.includes(arg.replace("=", " ")))

/**
 * Answers hooks with JSON. A decision that only a person may make is never answered; an unreadable request is never
 * granted.
 */
export const hookPermissions = (parts: HookPermissions): PermissionProtocol => {
  const { answers, read, shape, widens = () => false } = parts
  const decisions: ReadonlyArray<EventDecision> = Object.entries(answers).map(([event, supported]) => ({
    event,
    verdicts: Verdict.literals.filter((verdict) => supported[verdict] !== undefined)
  }))
  return {
    ...Struct.pick(parts, ["asksNobody", "edit", "place", "plainYes"]),
    decisions,
    request: (event, payload) => {
      const verdicts = decisions.find((decision) => decision.event === event)?.verdicts
      if (verdicts === undefined) return null
      const asked = read(event, payload)
      if (asked === null) return null
      if (personal.has(asked.kind)) return { request: asked, heeds: [] }
      const request = withRemainder(asked, remainderOf(event, payload, asked, shape))
      const grantable = !widens(request) && (request.kind !== "command" || request.command !== null)
      return { request, heeds: grantable ? verdicts : verdicts.filter((verdict) => verdict !== "allow") }
    },
    reply: (event, verdict, why) => {
      const answer = Object.hasOwn(answers, event) ? answers[event]?.[verdict] : undefined
      return answer === undefined ? null : JSON.stringify(answer(why.trim() === "" ? "refused by leap's policy" : why))
    }
  }
}

/** A request with what none of its fields has. */
export const withRemainder = (request: ToolRequest, { carried, unread }: Remainder): ToolRequest => ({
  ...request,
  ...(carried.length === 0 ? {} : { carried: [...(request.carried ?? []), ...carried] }),
  ...(unread.length === 0 ? {} : { unread: [...(request.unread ?? []), ...unread] })
})

/** The number of the one option that matches; null: none, or several. */
export const onlyOption = (dialog: Dialog, matches: (option: DialogOption) => boolean): string | null => {
  const numbers = dialog.options.flatMap((option, index) => (matches(option) ? [index + 1] : []))
  return numbers.length === 1 ? String(numbers[0]) : null
}

/** The one option with such a label is a plain yes, in the dialogs that `suits` accepts. */
export const onlyYes =
  (label: RegExp, suits: (dialog: Dialog) => boolean = () => true): PermissionProtocol["plainYes"] =>
  (dialog) =>
    dialog.kind === "permission" && suits(dialog) ? onlyOption(dialog, (option) => label.test(option.label)) : null
