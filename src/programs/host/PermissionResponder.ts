import { Clock, Context, DateTime, Effect, Equal, FiberSet, Layer, Semaphore, Stream } from "effect"
import type { ApprovalCommand } from "../../domain/engine/approvals/ApprovalCommand.ts"
import { expectsReply, lineFor } from "../../domain/engine/approvals/Approvals.ts"
import { dialogRequest } from "../../domain/engine/approvals/dialogRequest.ts"
import type { AuditEntry } from "../../domain/engine/approvals/AuditEntry.ts"
import type { PendingPermission } from "../../domain/engine/approvals/PendingPermissions.ts"
import { requestIn } from "../../domain/engine/approvals/requestIn.ts"
import { awaitedEvents } from "../../domain/engine/approvals/awaitedEvents.ts"
import { restrictions } from "../../domain/engine/approvals/restrictions.ts"
import { silentAnswers } from "../../domain/engine/approvals/silentAnswers.ts"
import { answeredVerdict } from "../../domain/engine/approvals/answeredVerdict.ts"
import {
  decideUnknown,
  hasRules,
  asksDisk,
  hasPathRules,
  type Judge,
  judgedIn,
  whenUnauditable,
  rulesNow,
  unseen,
  whenUncertain
} from "../../domain/engine/approvals/decideUncertain.ts"
import type { MachineEvent } from "../../domain/engine/machine/MachineEvent.ts"
import { decideByMode } from "../../domain/rules/policy/decideByMode.ts"
import type { Decision, Verdict } from "../../domain/rules/policy/Decision.ts"
import type { ToolRequest } from "../../domain/rules/policy/ToolRequest.ts"
import type { Dialog } from "../../domain/words/session/Screen.ts"
import type { Policy } from "../../domain/rules/settings/Settings.ts"
import { warningLine } from "../../domain/rules/settings/warningLine.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { type HookDelivery, HookInbox } from "../../services/HookInbox.ts"
import { FileTail } from "../../services/FileTail.ts"
import { placedRequest } from "../../services/placedRequest.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { Answerer } from "./Answerer.ts"
import { followed } from "../client/followLinks.ts"
import { keepAuditTrail } from "./auditTrail.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

/**
 * Brings the CLI's requests for permission to the session's machine, judges them by the user's rules, and carries out
 * what the machine decides: it answers waiting hooks, presses the keys of a dialog, writes decisions down.
 */
export class PermissionResponder extends Context.Service<
  PermissionResponder,
  {
    /** Takes a hook of the CLI's: a request in it goes to the machine, which answers it. */
    readonly onHook: (hook: HookDelivery) => Effect.Effect<void>
    readonly asked: Effect.Effect<AskedDialog>
    /**
     * Writes down what was answered to a permission dialog through leap, by a person or by the agent that `by` names.
     * `asked`: what was on screen before; without it, the answer is to the one request that may be for the dialog now.
     */
    readonly answered: (dialog: Dialog, answer: string, asked?: AskedDialog, by?: string) => Effect.Effect<void>
    /** Carries out one command of the machine's. Only a `Decide` has an answer; what takes time goes on beside it. */
    readonly execute: (command: ApprovalCommand) => Effect.Effect<MachineEvent | null>
  }
>()("leap/programs/host/PermissionResponder") {}

/** The dialog on screen, and the request that it is for; null where that is not certain. */
export interface AskedDialog {
  readonly dialog: Dialog | null
  readonly request: ToolRequest | null
  /** The user's rule, or the doubt, that keeps the decision on that request for the user; null for none. */
  readonly kept: string | null
}

/**
 * A hook waits two seconds at most. What a rule refuses, or keeps for the user, is told by then, also while the machine
 * waits for something else (a disk that stalls): else the CLI would go on as if there were no rule.
 */
const replyDeadline = "1 second"

/** The user's rules, and what decides by them. */
interface Rules {
  readonly policy: Policy
  readonly judge: Judge
}

/** A hook that waits for leap, with what is known of its request. */
interface WaitingHook {
  readonly event: string
  readonly heeds: ReadonlyArray<Verdict>
  readonly request: ToolRequest
  readonly certain: boolean
  readonly send: HookDelivery["reply"]
  /** What it was told of a rule before the machine came to it, and what became of that. */
  readonly told: { readonly line: string; readonly outcome: "taken" | "late" } | null
}

const iso = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

const make = Effect.gen(function* () {
  const { paths, spec, tag } = yield* SessionContext
  const { cwd } = spec
  const { spool } = paths
  const provider = yield* CLIProvider
  const { permissions } = provider
  const asksNobody = permissions.asksNobody?.(spec.args) === true
  const runtime = yield* SessionRuntime
  const record = yield* RecordWriter
  const { answer: answerDialog } = yield* Answerer
  const metrics = yield* SessionMetrics
  const system = yield* System
  const inbox = yield* HookInbox
  const tail = yield* FileTail
  const settings = yield* UserSettings
  const home = system.env["HOME"] ?? ""
  /** The directory that the CLI is in. */
  const here = () => runtime.memory().tracker.facts.directory ?? cwd
  /** What decides by these rules: where there is none, nothing is loaded that reads them, which is a lot. */
  const reader = (policy: Policy): Effect.Effect<Judge> =>
    !hasRules(policy)
      ? Effect.succeed(decideByMode)
      : Effect.promise(() => import("../../domain/rules/policy/decide.ts")).pipe(
          Effect.map(({ decider }) =>
            judgedIn(cwd, here, (directory) =>
              decider({ policy, home, tag, cli: provider.id, base: provider.base, directory })
            )
          ),
          // what they say is not known then
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("the rules cannot be asked", defect), () => decideUnknown(policy, "pause"))
          )
        )
  const reading = (policy: Policy): Effect.Effect<Rules> => Effect.map(reader(policy), (judge) => ({ policy, judge }))
  let rules = yield* reading((yield* settings.read).settings.policy)
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const mode = () => runtime.memory().tracker.facts.modes.autoSend

  const tasks = yield* FiberSet.make()
  const fork = yield* FiberSet.runtime(tasks)<never>()

  // ---- the rules, and which hooks are to wait for them
  /** The rules have changed, and the machine does not know it yet: its decisions are out of date. */
  let isOutdated = false
  const changed: Effect.Effect<void> = Effect.suspend(() => {
    isOutdated = true
    runtime.offer({
      _tag: "PolicyChanged",
      at: now(),
      rules: hasRules(rules.policy),
      auditable: audit.sound(),
      restrictions: restrictions(permissions.decisions, rules.policy, { tag, clis: [provider.id, provider.base] })
        .length
    })
    return list
  })
  const audit = yield* keepAuditTrail(tag, changed)
  let listed = JSON.stringify([[], {}])
  const turn = yield* Semaphore.make(1)
  const list: Effect.Effect<void> = turn.withPermits(1)(
    Effect.suspend(() => {
      const events = audit.sound() ? awaitedEvents(permissions.decisions, rules.policy, mode()) : []
      const silent = silentAnswers(permissions, rules.policy)
      const wanted = JSON.stringify([events, silent])
      if (wanted === listed) return Effect.void
      listed = wanted
      return inbox.announceAwaited(spool, events, silent)
    })
  )

  // ---- requests
  /** The request with the paths to which its own lead, and whether all of them could be followed. */
  const follow = Effect.fnUntraced(function* (id: number, asked: ToolRequest, delivered: HookDelivery) {
    const request = yield* placedRequest(permissions, delivered, asked, tail)
    const { certain, request: found } = yield* followed(system, request, home)
    const inspected = certain ? found : unseen(rules.policy, found)
    const hook = waiting.get(id)
    if (hook !== undefined) waiting.set(id, { ...hook, request: inspected, certain })
    runtime.offer({ _tag: "PermissionInspected", at: now(), id, request: inspected, certain })
  })

  /** The hooks that the machine has not answered yet, by their sequence number. */
  const waiting = new Map<number, WaitingHook>()

  /** Tells a hook of a rule against its request if the machine has not answered it by the deadline. */
  const insist = Effect.fnUntraced(function* (id: number) {
    yield* Effect.sleep(replyDeadline)
    const hook = waiting.get(id)
    if (hook === undefined) return
    const decision = decide(hook.request, hook.certain)
    const line = decision.verdict === "allow" ? null : lineFor(permissions, hook, decision)
    if (line === null) return
    waiting.set(id, { ...hook, told: { line, outcome: "late" } })
    const outcome = yield* hook.send(line)
    if (waiting.has(id)) waiting.set(id, { ...hook, told: { line, outcome } })
  })

  /** Takes a hook of the CLI's: what it asks for goes to the machine, which answers it. */
  const onHook = (hook: HookDelivery): Effect.Effect<void> =>
    Effect.sync(() => {
      const { event, sequence: id } = hook
      // what runs inside the session is not the session: its user decides for it
      const asked = hook.nested ? null : requestIn(permissions, hook)
      if (asked === null) {
        if (expectsReply(permissions, event)) fork(hook.reply(null))
        return
      }
      const request = {
        ...asked.request,
        cwd: asked.request.cwd === "" ? here() : asked.request.cwd,
        ...(asksNobody ? { unasked: true } : {})
      }
      const inspected = (request.paths.length === 0 && request.command === null) || !asksDisk(rules.policy)
      if (expectsReply(permissions, event)) {
        const seen = inspected ? request : unseen(rules.policy, request)
        const { heeds } = asked
        waiting.set(id, { event, heeds, request: seen, certain: inspected, send: hook.reply, told: null })
        fork(insist(id))
      }
      runtime.offer({
        _tag: "PermissionRequested",
        at: now(),
        id,
        event,
        request,
        heeds: asked.heeds,
        inspected
      })
      if (!inspected) fork(follow(id, request, hook))
    })

  // ---- commands
  const decide = (request: ToolRequest | null, certain: boolean): Decision => {
    const { judge, policy } = rules
    if (request === null) return decideUnknown(policy, mode())
    const judged = judge(mode(), certain ? request : unseen(policy, request))
    const sure = certain || !hasPathRules(policy) ? judged : whenUncertain(judged)
    return audit.sound() ? sure : whenUnauditable(sure)
  }

  /** What keeps the decision on this request for the user: a rule, or a doubt which rule it is; null for nothing. */
  const keptBy = ({ certain, decision }: PendingPermission): string | null => {
    if (decision === null || isOutdated) return "the rules have not been asked yet"
    if (!certain && hasPathRules(rules.policy)) return "it could not be seen where its paths lead"
    return decision.verdict === "allow" ? null : decision.rule
  }

  /** Answers a hook; what became of an answer with a line is the machine's next word on it. */
  const reply = Effect.fnUntraced(function* (id: number, line: string | null) {
    const hook = waiting.get(id)
    waiting.delete(id)
    // What was told by the deadline is told: it was this line, or the machine's came too late.
    const inTime = hook?.told?.line === line ? hook.told.outcome : "late"
    const sent = hook?.told === null ? hook.send(line) : Effect.succeed(inTime)
    // The machine waits for the outcome, whatever that is.
    const outcome = yield* Effect.catchDefect(sent, (defect) =>
      Effect.as(Effect.logError("a hook could not be answered", defect), "late" as const)
    )
    if (line !== null) runtime.offer({ _tag: "PermissionReplied", at: now(), id, outcome })
  })

  const press = (answer: string, dialog: Dialog): Effect.Effect<void> =>
    Effect.suspend(() =>
      isOutdated
        ? Effect.succeed("the rules, or the audit log, have changed meanwhile")
        : Effect.as(answerDialog(answer, dialog), null)
    ).pipe(
      Effect.catch((error) => Effect.succeed(error.message)),
      // the machine waits for the end of it, whatever that is
      Effect.onExit((exit) =>
        Effect.sync(() => {
          const why = exit._tag === "Success" ? exit.value : "leap failed to press its keys"
          runtime.offer({ _tag: "DialogAnswered", at: now(), why })
        })
      ),
      Effect.asVoid
    )

  const write = (at: number, note: Omit<AuditEntry, "at" | "tag" | "cli" | "sessionId">): void => {
    const { sessionId } = runtime.memory().tracker.facts
    const entry = { at: iso(at), tag, cli: provider.id, sessionId, ...note }
    audit.note(entry)
    metrics.count("decisions", entry.verdict)
    record.decided(entry)
  }

  /** Carries out one command. Only a `Decide` has an answer; what takes time goes on beside the machine. */
  const execute = (command: ApprovalCommand): Effect.Effect<MachineEvent | null> =>
    Effect.sync(() => {
      switch (command._tag) {
        case "Decide": {
          // this is the first of all decisions that are made anew, after the rules or the mode have changed
          if (command.id === null) {
            isOutdated = false
            fork(list)
          }
          const decision = decide(command.request, command.certain)
          return { _tag: "PermissionDecided", at: now(), id: command.id, decision }
        }
        case "Reply":
          fork(reply(command.id, command.line))
          return null
        case "AnswerDialog":
          fork(press(command.answer, command.dialog))
          return null
        case "Audit":
          write(command.at, command.entry)
          return null
      }
    })

  yield* Effect.addFinalizer(() => inbox.announceAwaited(spool, null))
  yield* changed
  yield* (yield* settings.changes).pipe(
    Stream.runForEach((read) => {
      return Effect.flatMap(reading(rulesNow(rules.policy, read.settings.policy)), (next) => {
        rules = next
        const warning = warningLine(settings.file, read.warnings)
        return Effect.andThen(warning === null ? Effect.void : Effect.logWarning(warning), changed)
      })
    }),
    Effect.forkScoped
  )

  return PermissionResponder.of({
    onHook,
    execute,
    asked: Effect.sync(() => {
      const { approvals, tracker } = runtime.memory()
      const { dialog } = tracker.facts.screen
      const request = dialog === null ? null : dialogRequest(approvals.pending, dialog)
      const one = approvals.pending.list.find((pending) => pending.request === request)
      return { dialog, request, kept: one === undefined ? null : keptBy(one) }
    }),
    answered: (dialog, answer, asked, by) =>
      Effect.sync(() => {
        if (dialog.kind !== "permission") return
        const { list } = runtime.memory().approvals.pending
        const only = list.length === 1 ? (list[0]?.request ?? null) : null
        const request = asked === undefined ? only : Equal.equals(asked.dialog, dialog) ? asked.request : null
        const what = `answered ${JSON.stringify(answer)} to: ${dialog.title}`
        const why = by === undefined ? what : `${by} ${what}`
        const verdict = answeredVerdict(answer)
        const who = by === undefined ? "user" : "none"
        write(now(), { event: "screen", request, verdict, by: who, rule: null, why, told: "key" })
      })
  })
})

export const layer = Layer.effect(PermissionResponder, make)
