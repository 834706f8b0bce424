import type { PermissionProtocol } from "../PermissionProtocol.ts"
import type { Dialog } from "../Screen.ts"
import type { Modes, SessionState } from "../Session.ts"
import type { Policy } from "../settings/Settings.ts"
import type { Decision, Verdict } from "./Decision.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/**
 * What leap does about a permission dialog that stands on the screen: for CLIs that no hook can answer, for a hook that
 * came too late, and for a mode or a policy that was changed meanwhile. A dialog does not say for certain what it is
 * for, so it is answered only where every request that it could be for would be granted.
 */

/** A request that one of the CLI's hooks named. */
export interface NamedRequest {
  readonly id: number
  readonly at: number
  readonly request: ToolRequest
  /** It could be seen where its paths lead. */
  readonly sure: boolean
  /** How far leap's answer to its hook has come: since when the CLI has it, or knows that leap has none. */
  readonly told: { readonly at: number; readonly how: "answered" | "asked" } | null
}

/** The requests that a dialog on the screen could be for, oldest first. `many`: more than are remembered. */
export interface Asked {
  readonly named: ReadonlyArray<NamedRequest>
  readonly many: boolean
}

export const nothingAsked: Asked = { named: [], many: false }

/** What is on the screen, and since when. Times are milliseconds since the epoch. */
export interface Standing {
  readonly state: SessionState
  readonly dialog: Dialog | null
  /** Since when this very question has been there, and when the last dialog went. */
  readonly since: number | null
  readonly until: number | null
  readonly userKeyAt: number | null
}

const namedLimit = 200
/** A CLI draws the dialog for a request no later than this. */
const drawing = 5_000
/** One dialog may follow another at once. */
const gap = 2_000
/** How long a dialog must have stood: its keys may be ignored at first, and another hook may answer it. */
const settling = 800
/**
 * The same after an answer through the hook: a CLI on a busy machine takes seconds to take its dialog away, and a key for one
 * that is about to go would land in its input box. One that stays this long is for something else.
 */
const taking = 10_000
/** A user who has just pressed a key may be about to answer. */
const attention = 1_000

/** One more request. Those that no dialog can be for any longer are forgotten. */
export const remember = (asked: Asked, request: Pick<NamedRequest, "id" | "at" | "request">, { dialog, until }: Pick<Standing, "dialog" | "until">): Asked => {
  const open = dialog !== null || until !== null && request.at - until < gap
  const { many, named } = open ? asked : { many: false, named: asked.named.filter(({ at }) => request.at - at < drawing) }
  return named.length >= namedLimit ? { named, many: true } : { named: [...named, { ...request, sure: false, told: null }], many }
}

/** More is known of a request: what it is for, and whether the CLI has leap's answer to it. */
export const learn = (asked: Asked, id: number, known: Partial<Omit<NamedRequest, "id" | "at">>): Asked => ({
  ...asked,
  named: asked.named.map((one) => one.id === id ? { ...one, ...known } : one)
})

/** No dialog can be for it any more. */
export const forget = (asked: Asked, id: number): Asked => ({ ...asked, named: asked.named.filter((one) => one.id !== id) })

/** What to do about the dialog on the screen now. */
export type Step =
  | { readonly _tag: "Leave" }
  /** Nothing before this moment. */
  | { readonly _tag: "Later"; readonly at: number }
  /** It is the user's, and no hook has told of it. */
  | { readonly _tag: "Ask"; readonly decision: Decision }
  | { readonly _tag: "Answer"; readonly answer: string; readonly decision: Decision; readonly named: NamedRequest | null }

const leave: Step = { _tag: "Leave" }

export const consider = (
  { many, named }: Asked,
  { dialog, since, state, userKeyAt }: Standing,
  now: number,
  leap: {
    readonly decide: (named: NamedRequest) => Decision
    /** What holds for a request that is not known. */
    readonly unknown: Decision
    readonly plainYes: PermissionProtocol["plainYes"]
  }
): Step => {
  if (dialog === null || since === null || dialog.kind !== "permission" || state !== "needs_permission") return leave
  const answer = leap.plainYes(dialog)
  if (answer === null || many || named.some((one) => one.told === null)) return leave
  const decided = named.map((one) => ({ one, decision: leap.decide(one) }))
  if (decided.some(({ decision }) => decision.verdict !== "allow")) return leave
  const last = decided.findLast(({ one }) => one.at >= since - drawing) ?? null
  const decision = last?.decision ?? leap.unknown
  const answers = named.flatMap((one) => one.told?.how === "answered" ? [one.told.at] : [])
  const ripe = Math.max(since + settling, (userKeyAt ?? -Infinity) + attention, ...answers.map((at) => at + taking))
  if (now < ripe) return { _tag: "Later", at: ripe }
  if (decision.verdict !== "allow") return { _tag: "Ask", decision }
  return { _tag: "Answer", answer, decision, named: last?.one ?? null }
}

/** What holds for a request that no hook has told of: a rule that could be meant for it keeps it for the user. */
export const decideUnknown = (policy: Policy, mode: Modes["autoSend"]): Decision => {
  const rules = policy.deny.length + policy.ask.length
  if (mode === "always" && rules === 0) return { verdict: "allow", rule: null, why: "auto-send mode is always" }
  return {
    verdict: "ask",
    rule: null,
    why: mode === "always" ? "the dialog does not tell what for, and a rule could be meant for it" : "auto-send mode is pause"
  }
}

/** The events whose hooks are worth waiting for: leap could say something to them. */
export const listening = (
  decisions: PermissionProtocol["decisions"],
  policy: Policy,
  mode: Modes["autoSend"]
): ReadonlyArray<string> => {
  const possible: Readonly<Record<Verdict, boolean>> = {
    allow: mode === "always" || policy.allow.length > 0,
    ask: policy.ask.length > 0,
    deny: policy.deny.length > 0
  }
  return decisions.filter(({ verdicts }) => verdicts.some((verdict) => possible[verdict])).map(({ event }) => event)
}

/** A rule about paths is about where they lead: where that cannot be seen nothing is granted. */
export const whenUnsure = (decision: Decision): Decision =>
  decision.verdict === "allow" ? { verdict: "ask", rule: null, why: "it could not be seen where its paths lead, and there is a rule about paths" } : decision

/** True where a rule could look at paths: then it matters where their links lead. */
export const looksAtPaths = ({ allow, ask, deny }: Policy): boolean => [...allow, ...ask, ...deny].some(({ path }) => path !== undefined)

const refusal = /^(?:no\b|deny|reject|decline|cancel|don[’']t|do not)/i

/** What a person's answer to a permission dialog says of the request. */
export const answeredVerdict = (option: string): Verdict => refusal.test(option.trim()) ? "deny" : "allow"
