import {
  Clock,
  Context,
  DateTime,
  Effect,
  Equal,
  Exit,
  Fiber,
  FiberSet,
  Layer,
  Option,
  Semaphore,
  Stream
} from "effect"
import type { ApprovalCommand } from "../../domain/engine/approvals/ApprovalCommand.ts"
import { dialogRequest } from "../../domain/engine/approvals/showsRequest.ts"
import type { AuditEntry } from "../../domain/engine/approvals/AuditEntry.ts"
import { expectsReply } from "../../domain/engine/approvals/Approvals.ts"
import { decide, keptBy } from "../../domain/engine/approvals/HookRules.ts"
import { requestOfHook } from "../../domain/engine/approvals/requestIn.ts"
import { restrictions } from "../../domain/engine/approvals/restrictions.ts"
import { answeredVerdict } from "../../domain/engine/approvals/answeredVerdict.ts"
import {
  decideUnasked,
  hasRules,
  type Judge,
  judgedIn,
  rulesNow,
  unseen
} from "../../domain/engine/approvals/decideUncertain.ts"
import type { MachineEvent } from "../../domain/engine/machine/MachineEvent.ts"
import type { SessionMemory } from "../../domain/engine/machine/SessionMachine.ts"
import { decideByMode } from "../../domain/policy/decideByMode.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import type { Dialog } from "../../domain/words/session/Screen.ts"
import type { Policy } from "../../domain/store/settings/Settings.ts"
import { warningLine } from "../../domain/store/settings/warningLine.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { type HookDelivery, HookInbox } from "../../services/HookInbox.ts"
import { FileTail } from "../../services/FileTail.ts"
import { withWorkingDirectory } from "../../services/policy/withWorkingDirectory.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { Answerer } from "./Answerer.ts"
import { followed } from "../../services/policy/followLinks.ts"
import { keepAuditTrail } from "./auditTrail.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

/**
 * Passes the CLI's permission requests and the user's rules to the session's machine, and carries out the machine's
 * decisions: answers hooks, presses a dialog's keys, writes the log.
 */
export class PermissionResponder extends Context.Service<
  PermissionResponder,
  {
    /** Handles a hook of the CLI's: a request in it goes to the machine, which answers it. */
    readonly onHook: (hook: HookDelivery) => Effect.Effect<void>
    /** Ends when leap has first tried to write the hooks' instructions by the rules; until then hooks are held. */
    readonly placed: Effect.Effect<void>
    readonly asked: Effect.Effect<AskedDialog>
    /**
     * Logs the answer that a person, or the agent `by`, gave to a permission dialog through leap. `asked`: the dialog
     * that was on screen before; without it, the answer belongs to the pending request, if there is only one.
     */
    readonly answered: (dialog: Dialog, answer: string, asked?: AskedDialog, by?: string) => Effect.Effect<void>
    /** Carries out one command of the machine, and returns its answer, if any; long work continues in parallel. */
    readonly execute: (command: ApprovalCommand, memory: SessionMemory) => Effect.Effect<MachineEvent | null>
  }
>()("leap/programs/host/PermissionResponder") {}

/** The dialog on screen, null for none; and its request, null if it is uncertain. */
export interface AskedDialog {
  readonly dialog: Dialog | null
  readonly request: ToolRequest | null
  /** The user's rule, or the doubt, that leaves the decision on that request to the user; null for none. */
  readonly kept: string | null
}

/** A hook waits two seconds at most. By then its request is decided on, wherever its paths lead. */
const inspectionTimeout = "1 second"

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
  /** The CLI's directory. */
  const here = () => runtime.memory().tracker.facts.directory ?? cwd
  /** The decision function for these rules. Without rules nothing is loaded: reading them takes much code. */
  const reader = (policy: Policy): Effect.Effect<Judge> =>
    !hasRules(policy)
      ? Effect.succeed(decideByMode)
      : Effect.promise(() => import("../../domain/policy/decide.ts")).pipe(
          Effect.map(({ decider }) =>
            judgedIn(cwd, here, (directory) =>
              decider({ policy, home, tag, cli: provider.id, base: provider.base, directory })
            )
          ),
          // the code that reads rules could not be loaded
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError("the rules cannot be asked", defect), () => decideUnasked(policy))
          )
        )
  const rules = () => runtime.memory().approvals.hooks
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()

  const fork = yield* FiberSet.makeRuntime<never>()
  const session = { tag, clis: [provider.id, provider.base] }

  // ---- hooks
  /** How to answer the waiting hooks, by their ids. */
  const waiting = new Map<number, HookDelivery["reply"]>()
  const tell = Effect.fnUntraced(function* (id: number, line: string | null) {
    const reply = waiting.get(id)
    waiting.delete(id)
    const told = reply === undefined ? Effect.succeed("late" as const) : reply(line)
    // The machine waits for the outcome, whatever it is.
    const outcome = yield* Effect.catchDefect(told, (defect) =>
      Effect.as(Effect.logError("a hook could not be answered", defect), "late" as const)
    )
    if (line !== null) runtime.offer({ _tag: "PermissionReplied", at: now(), id, outcome })
  })
  /** Follows the request's paths through links. If that takes too long, the request is first decided as uncertain. */
  const inspect = Effect.fnUntraced(function* (hook: HookDelivery, request: ToolRequest) {
    const { policy } = rules()
    const say = (request: ToolRequest, certain: boolean): void => {
      const seen = certain ? request : unseen(policy, request)
      runtime.offer({ _tag: "PermissionInspected", at: now(), id: hook.sequence, request: seen, certain })
    }
    const following = yield* Effect.forkChild(
      Effect.flatMap(withWorkingDirectory(permissions, hook, request, tail), (placed) => followed(system, placed, home))
    )
    const inTime = yield* Effect.timeoutOption(Fiber.await(following), inspectionTimeout)
    if (Option.isNone(inTime)) say(request, false)
    const exit = yield* Fiber.await(following)
    if (Exit.isSuccess(exit)) say(exit.value.request, exit.value.certain)
    else if (Option.isSome(inTime)) say(request, false)
  })
  const onHook = (hook: HookDelivery): void => {
    const { event, sequence: id } = hook
    const waits = expectsReply(permissions, event)
    const asked = requestOfHook(permissions, rules().policy, hook, { asksNobody, directory: here() })
    if (waits) waiting.set(id, hook.reply)
    if (asked === null) {
      if (waits) fork(tell(id, null))
      return
    }
    runtime.offer({ _tag: "PermissionRequested", at: now(), id, event, ...asked })
    if (!asked.inspected) fork(inspect(hook, asked.request))
  }

  // ---- the rules
  const oneAtATime = yield* Semaphore.make(1)
  const awaitHooks = oneAtATime.withPermits(1)(
    Effect.suspend(() => {
      // read only now, so that the last of several writes is of the latest rules
      const { events, silent } = rules().awaited
      return inbox.announceAwaited(spool, events, silent)
    })
  )
  const readRules = Effect.fnUntraced(function* (policy: Policy) {
    const judge = yield* reader(policy)
    const restricted = restrictions(permissions.decisions, policy, session).length
    return { _tag: "RulesRead", at: now(), policy, judge, restrictions: restricted } as const
  })

  const audit = yield* keepAuditTrail(tag, (auditable) =>
    Effect.sync(() => runtime.offer({ _tag: "AuditChanged", at: now(), auditable }))
  )

  // ---- commands of the machine's
  const press = (answer: string, dialog: Dialog): Effect.Effect<void> =>
    // Events that have come meanwhile are handled before the first key.
    Effect.suspend(() => runtime.tell({ _tag: "Tick", at: now() })).pipe(
      Effect.andThen(
        Effect.suspend(() =>
          runtime.memory().approvals.pressed?.revoked === true
            ? Effect.succeed("the rules, or the audit log, have changed meanwhile")
            : Effect.as(answerDialog(answer, dialog), null)
        )
      ),
      Effect.catch((error) => Effect.succeed(error.message)),
      // the machine waits for the outcome, whatever it is
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
    audit(entry)
    metrics.count("decisions", entry.verdict)
    record.decided(entry)
  }

  const execute = (
    command: ApprovalCommand,
    { approvals, tracker }: SessionMemory
  ): Effect.Effect<MachineEvent | null> =>
    Effect.sync(() => {
      switch (command._tag) {
        case "Decide": {
          const { certain, id, request } = command
          const decision = decide(approvals, tracker.facts.modes.autoSend, request, certain)
          return { _tag: "PermissionDecided", at: now(), id, decision }
        }
        case "Restate":
          return command.event
        case "AwaitHooks":
          fork(Effect.map(awaitHooks, (placed) => runtime.offer({ _tag: "HooksPlaced", at: now(), placed })))
          return null
        case "Reply":
          fork(tell(command.id, command.line))
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
  runtime.offer(yield* readRules((yield* settings.read).settings.policy))
  yield* (yield* settings.changes).pipe(
    Stream.runForEach((read) =>
      Effect.gen(function* () {
        yield* runtime.tell(yield* readRules(rulesNow(rules().policy, read.settings.policy)))
        const warning = warningLine(settings.file, read.warnings)
        if (warning !== null) yield* Effect.logWarning(warning)
      })
    ),
    Effect.forkScoped
  )

  return PermissionResponder.of({
    onHook: (hook) => Effect.sync(() => onHook(hook)),
    execute,
    placed: Effect.suspend(() => runtime.tell({ _tag: "Tick", at: now() })).pipe(
      // in place of what held them before the rules were read
      Effect.andThen(awaitHooks),
      Effect.asVoid
    ),
    asked: Effect.sync(() => {
      const { approvals, tracker } = runtime.memory()
      const { dialog } = tracker.facts.screen
      const request = dialog === null ? null : dialogRequest(approvals.pending, dialog)
      const one = approvals.pending.list.find((pending) => pending.request === request)
      return { dialog, request, kept: one === undefined ? null : keptBy(approvals.hooks.policy, one) }
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
