import { Clock, DateTime, Effect, FiberSet, Queue, Semaphore, Stream, SubscriptionRef } from "effect"
import type { Dialog } from "../../domain/Screen.ts"
import * as Asked from "../../domain/policy/Asked.ts"
import type { AuditEntry } from "../../domain/policy/AuditEntry.ts"
import { decider } from "../../domain/policy/decide.ts"
import type { Decision, Verdict } from "../../domain/policy/Decision.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import type { Policy } from "../../domain/settings/Settings.ts"
import { warningLine } from "../../domain/settings/warningLine.ts"
import type { Tag } from "../../domain/Tag.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { type HookDelivery, HookInbox } from "../../services/HookInbox.ts"
import { Machine } from "../../services/Machine.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import type { Answerer } from "./answer.ts"
import { keepAuditTrail } from "./auditTrail.ts"
import type { Runtime } from "./runtime.ts"

/** How long following the links of a request's paths may keep the CLI waiting, and how many are followed. */
const linkPatience = "200 millis"
const linkLimit = 100
/** While a dialog stands it is looked at so often, whether or not anything was heard of it. */
const standingInterval = "1 second"

export interface ApprovalsOptions {
  readonly tag: Tag
  readonly cwd: string
  readonly provider: ProviderRecord
  readonly runtime: Pick<Runtime, "memory" | "status">
  readonly spool: string
  readonly answer: Answerer
  /** Told when the CLI has taken leap's answer to a request. */
  readonly decided: Effect.Effect<void>
}

const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

/**
 * Answers the CLI's requests for leave as the user's rules and the session's mode say, through the CLI's hooks and, where
 * none can, at its dialog. Whatever is not certain is left to the user. Owned by the scope.
 */
export const makeApprovals = Effect.fn("makeApprovals")(function*(options: ApprovalsOptions) {
  const { cwd, provider, runtime, spool, tag } = options
  const { permissions } = provider
  const machine = yield* Machine
  const inbox = yield* HookInbox
  const settings = yield* UserSettings
  const home = machine.env["HOME"] ?? ""
  const reader = (policy: Policy) => decider({ policy, home, tag, cli: provider.id, base: provider.base, directory: cwd })
  let { policy } = (yield* settings.read).settings
  let decide = reader(policy)
  let asked = Asked.nothingAsked
  const wake = yield* Queue.sliding<void>(1)
  const look = (): void => {
    Queue.offerUnsafe(wake, undefined)
  }
  const mode = () => runtime.memory().tracker.facts.modes.autoSend
  const standing = (): Asked.Standing => {
    const { facts, view } = runtime.memory().tracker
    return { state: view.state, dialog: facts.screen.dialog, since: facts.shown.question, until: facts.shown.dialogUntil, userKeyAt: facts.userKeyAt }
  }

  // ---- which hooks are to wait
  let listed = ""
  const turn = yield* Semaphore.make(1)
  const list: Effect.Effect<void> = turn.withPermits(1)(Effect.suspend(() => {
    const events = audit.sound() ? Asked.listening(permissions.decisions, policy, mode()) : []
    const now = events.join(" ")
    if (now === listed) return Effect.void
    listed = now
    return inbox.decides(spool, events)
  }))
  const changed: Effect.Effect<void> = Effect.andThen(Effect.suspend(() => list), Effect.sync(look))
  const audit = yield* keepAuditTrail(tag, changed)

  // ---- deciding
  const judge = (request: ToolRequest, sure: boolean): Decision => {
    const decision = decide(mode(), request)
    return sure || !Asked.looksAtPaths(policy) ? decision : Asked.whenUnsure(decision)
  }

  /** The request with the paths to which its own lead, and whether all of them could be followed. */
  const followed = Effect.fnUntraced(function*(request: ToolRequest) {
    const paths = request.paths.slice(0, linkLimit)
    const follow = Effect.forEach(paths, (path) => machine.realPath(path.startsWith("/") ? path : `${request.cwd}/${path}`), { concurrency: 8 })
    const real = yield* Effect.timeoutOrElse(follow, { duration: linkPatience, orElse: () => Effect.succeed<ReadonlyArray<string | null>>([]) })
    const found = real.flatMap((path) => path ?? [])
    return { request: { ...request, realPaths: found }, sure: found.length === request.paths.length }
  })

  const entry = (
    at: number,
    event: string,
    request: ToolRequest | null,
    { rule, verdict, why }: Decision,
    told: AuditEntry["told"]
  ): AuditEntry => ({
    at: iso(at), tag, cli: provider.id, sessionId: runtime.memory().tracker.facts.sessionId, event, request, verdict,
    by: rule !== null ? "rule" : verdict === "allow" ? "mode" : "none", rule, why, told
  })

  const isActive = (): boolean => mode() === "always" || policy.allow.length + policy.ask.length + policy.deny.length > 0
  const verdictsOf = (event: string) => permissions.decisions.find((decision) => decision.event === event)?.verdicts ?? []
  const waits = (event: string): boolean => verdictsOf(event).length > 0
  /** A hook that may only object, before every use of a tool: that leap does not is no decision. */
  const objects = (event: string): boolean => waits(event) && !verdictsOf(event).includes("allow")

  const work = yield* FiberSet.make()
  const run = yield* FiberSet.runtime(work)<never>()

  const handle = Effect.fn("approvals.handle")(function*(hook: HookDelivery, heeds: ReadonlyArray<Verdict>, plain: ToolRequest) {
    const { event, sequence: id } = hook
    const placed = { ...plain, cwd: plain.cwd === "" ? cwd : plain.cwd }
    const at = yield* Clock.currentTimeMillis
    asked = Asked.remember(asked, { id, at, request: placed }, standing())
    const { request, sure } = Asked.looksAtPaths(policy) ? yield* followed(placed) : { request: placed, sure: placed.paths.length === 0 }
    asked = Asked.learn(asked, id, { request, sure })
    const judged = judge(request, sure)
    const decision: Decision = audit.sound() || judged.verdict === "ask"
      ? judged
      : { verdict: "ask", rule: null, why: `${judged.why}; but the audit log cannot be written` }
    // where the CLI would not have asked, only a rule makes it ask
    const heeded = heeds.includes(decision.verdict) && (decision.verdict !== "ask" || decision.rule !== null)
    const line = heeded ? permissions.reply(event, decision.verdict, decision.why) : null
    // a hook that is told nothing is let go: what becomes of that tells nothing, and what the user does next comes behind it
    if (waits(event) && line === null) run(hook.reply(null))
    const outcome = waits(event) && line !== null ? yield* hook.reply(line) : "late"
    const told = line !== null && outcome === "taken"
    if (told && decision.verdict !== "ask") yield* options.decided
    // a tool that is refused before its use gets no dialog
    asked = told && decision.verdict === "deny" && objects(event)
      ? Asked.forget(asked, id)
      : Asked.learn(asked, id, { told: { at: yield* Clock.currentTimeMillis, how: told ? "answered" : "asked" } })
    look()
    if (line !== null || decision.verdict === "deny" || isActive() && !objects(event)) {
      audit.note(entry(at, event, request, decision, told ? "hook" : "no"))
    }
  })

  /** Takes a hook of the CLI's; what it asks for is answered beside everything else. */
  const onHook = (hook: HookDelivery): Effect.Effect<void> =>
    Effect.sync(() => {
      // what runs inside the session is not the session: its user decides for it
      const request = hook.nested ? null : permissions.request(hook.event, hook.payload)
      if (request !== null) run(handle(hook, request.decides, request.request))
      else if (waits(hook.event)) run(hook.reply(null))
    })

  // ---- dialogs that stand on the screen
  /** The question, as it appeared, that leap has answered or left to the user, and with which rules in force. */
  let done: { readonly since: number | null; readonly ask: string | null } = { since: null, ask: null }
  const consider = Effect.fnUntraced(function*(now: number) {
    const present = standing()
    if (done.since === present.since && done.ask === null || !audit.sound() || !isActive()) return null
    const step = Asked.consider(asked, present, now, { decide: ({ request, sure }) => judge(request, sure), unknown: Asked.decideUnknown(policy, mode()), plainYes: permissions.plainYes })
    if (step._tag === "Later") return step.at
    if (step._tag === "Ask" && (done.since !== present.since || done.ask !== step.decision.why)) {
      done = { since: present.since, ask: step.decision.why }
      audit.note(entry(now, "screen", null, step.decision, "no"))
    }
    if (step._tag === "Answer" && present.dialog !== null) {
      done = { since: present.since, ask: null }
      const { answer, decision, named } = step
      const why = yield* options.answer(answer, present.dialog).pipe(
        Effect.as(null),
        Effect.catch((error) => Effect.succeed(error.message))
      )
      audit.note(entry(now, "screen", named?.request ?? null, why === null
        ? { ...decision, why: `${decision.why}: ${present.dialog.title}` }
        : { ...decision, why: `${decision.why}, but ${why}` }, why === null ? "key" : "no"))
    }
    return null
  })
  const follow = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const at = yield* consider(now)
    const stands = runtime.memory().tracker.facts.screen.dialog !== null
    const next = Queue.take(wake)
    if (at === null && !stands) yield* next
    else yield* Effect.timeoutOption(next, at === null ? standingInterval : Math.max(1, at - now))
  })

  yield* Effect.addFinalizer(() => inbox.decides(spool, null))
  yield* list
  yield* (yield* settings.changes).pipe(
    Stream.runForEach((read) =>
      Effect.suspend(() => {
        policy = read.settings.policy
        decide = reader(policy)
        const warning = warningLine(settings.file, read.warnings)
        return Effect.andThen(warning === null ? Effect.void : Effect.logWarning(warning), changed)
      })
    ),
    Effect.forkScoped
  )
  yield* SubscriptionRef.changes(runtime.status).pipe(Stream.runForEach(() => changed), Effect.forkScoped)
  yield* Effect.forkScoped(Effect.forever(follow))

  return {
    onHook,
    /** Writes down what a person answered to a permission dialog through leap. */
    answered: (dialog: Dialog, answer: string): Effect.Effect<void> =>
      Effect.gen(function*() {
        if (dialog.kind !== "permission") return
        const at = yield* Clock.currentTimeMillis
        const verdict = Asked.answeredVerdict(answer)
        const request = asked.named.length === 1 ? asked.named[0]?.request ?? null : null
        audit.note({ ...entry(at, "screen", request, { verdict, rule: null, why: `answered ${JSON.stringify(answer)} to: ${dialog.title}` }, "key"), by: "user" })
      })
  }
})

export type Approvals = Effect.Success<ReturnType<typeof makeApprovals>>
