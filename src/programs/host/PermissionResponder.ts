import { Clock, Context, DateTime, Effect, Equal, FiberSet, Layer, MutableRef, Semaphore, Stream } from "effect"
import type { ApprovalCommand } from "../../domain/engine/approvals/ApprovalCommand.ts"
import { dialogRequest } from "../../domain/engine/approvals/dialogRequest.ts"
import type { AuditEntry } from "../../domain/engine/approvals/AuditEntry.ts"
import * as HookReplies from "../../domain/engine/approvals/HookReplies.ts"
import { answeredVerdict } from "../../domain/engine/approvals/answeredVerdict.ts"
import {
  decideUnasked,
  hasRules,
  type Judge,
  judgedIn,
  rulesNow
} from "../../domain/engine/approvals/decideUncertain.ts"
import type { MachineEvent } from "../../domain/engine/machine/MachineEvent.ts"
import { decideByMode } from "../../domain/rules/policy/decideByMode.ts"
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
import { followed } from "../../services/followLinks.ts"
import { keepAuditTrail } from "./auditTrail.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

/**
 * Brings the CLI's requests for permission to the session's machine, and carries out what the machine decides: it
 * presses the keys of a dialog, and writes decisions down. Which hook is told what, and when, is `HookReplies`.
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

/** How often rules are put again where hooks read them, while that cannot be written. */
const placeRetry = "3 seconds"
const unplaced = "leap cannot write where they read what your rules want: is the disk full?"

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
            Effect.as(Effect.logError("the rules cannot be asked", defect), () => decideUnasked(policy))
          )
        )
  const judgeOf = (policy: Policy) =>
    Effect.map(reader(policy), (judge) => ({ _tag: "RulesRead", policy, judge }) as const)
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()

  const tasks = yield* FiberSet.make()
  const fork = yield* FiberSet.runtime(tasks)<never>()

  // ---- the hooks that wait, and the rules
  const replies = MutableRef.make<HookReplies.HookReplies<HookDelivery>>(HookReplies.start)
  const session = { tag, clis: [provider.id, provider.base] }
  const mode = () => runtime.memory().tracker.facts.modes.autoSend
  type Command = HookReplies.HookReplyCommand<HookDelivery>
  /** Takes in what happened, at once, and gives what is to be done. */
  const advance = (event: HookReplies.HookReplyEvent<HookDelivery>): ReadonlyArray<Command> => {
    const context = { now: now(), mode: mode(), directory: here(), asksNobody, session }
    const next = HookReplies.step(permissions, MutableRef.get(replies), event, context)
    MutableRef.set(replies, next.replies)
    return next.commands
  }

  const oneAnnouncement = yield* Semaphore.make(1)
  /** Does what is to be done. Only an announcement is waited for; what else takes time goes on beside. */
  const perform = (command: Command): Effect.Effect<void> =>
    Effect.suspend(() => {
      switch (command._tag) {
        case "Offer":
          return Effect.sync(() => runtime.offer(command.event))
        case "Announce":
          // Whoever comes last says what holds now.
          return oneAnnouncement
            .withPermits(1)(
              Effect.suspend(() => {
                const { events, silent } = MutableRef.get(replies).announced
                return inbox.announceAwaited(spool, events, silent)
              })
            )
            .pipe(Effect.flatMap((placed) => take({ _tag: "Announced", placed })))
        case "Tell":
          return forked(tellHook(command))
        case "Follow":
          return forked(follow(command))
        case "Remind":
          return forked(Effect.delay(take({ _tag: "ReplyDue", id: command.id }), replyDeadline))
        case "AnnounceAgain":
          return forked(Effect.delay(take({ _tag: "AnnounceDue" }), placeRetry))
        case "TellPlaced": {
          // what keeps hooks from obeying the rules keeps messages back, and is told
          const off = command.placed ? [] : [unplaced]
          return Effect.sync(() => runtime.offer({ _tag: "HooksFound", at: now(), off, by: "spool" }))
        }
      }
    })
  const forked = (task: Effect.Effect<void>) => Effect.sync(() => void fork(task))
  const take = (event: HookReplies.HookReplyEvent<HookDelivery>): Effect.Effect<void> =>
    Effect.suspend(() => Effect.forEach(advance(event), perform, { discard: true }))

  const tellHook = Effect.fnUntraced(function* ({ hook, id, line }: Extract<Command, { readonly _tag: "Tell" }>) {
    // The machine waits for the outcome, whatever that is.
    const outcome = yield* Effect.catchDefect(hook.reply(line), (defect) =>
      Effect.as(Effect.logError("a hook could not be answered", defect), "late" as const)
    )
    yield* take({ _tag: "HookTold", id, outcome })
  })
  /** The request with the paths to which its own lead, and whether all of them could be followed. */
  const follow = Effect.fnUntraced(function* ({ hook, id, request }: Extract<Command, { readonly _tag: "Follow" }>) {
    const placed = yield* placedRequest(permissions, hook, request, tail)
    yield* take({ _tag: "PathsFollowed", id, ...(yield* followed(system, placed, home)) })
  })

  const audit = yield* keepAuditTrail(tag, (auditable) => take({ _tag: "AuditChanged", auditable }))

  // ---- commands of the machine's
  const press = (answer: string, dialog: Dialog): Effect.Effect<void> =>
    Effect.suspend(() =>
      MutableRef.get(replies).outdated
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
    audit(entry)
    metrics.count("decisions", entry.verdict)
    record.decided(entry)
  }

  /** Carries out one command. Only a `Decide` has an answer; what takes time goes on beside the machine. */
  const execute = (command: ApprovalCommand): Effect.Effect<MachineEvent | null> =>
    Effect.sync(() => {
      switch (command._tag) {
        case "Decide": {
          const { certain, id, request } = command
          // this is the first of all decisions that are made anew, after the rules or the mode have changed
          if (id === null) fork(Effect.forEach(advance({ _tag: "Reconsidered" }), perform, { discard: true }))
          const decision = HookReplies.decide(MutableRef.get(replies), mode(), request, certain)
          return { _tag: "PermissionDecided", at: now(), id, decision }
        }
        case "Reply":
          fork(take({ _tag: "MachineReplied", id: command.id, line: command.line }))
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
  yield* take(yield* judgeOf((yield* settings.read).settings.policy))
  yield* (yield* settings.changes).pipe(
    Stream.runForEach((read) =>
      Effect.gen(function* () {
        const next = yield* judgeOf(rulesNow(MutableRef.get(replies).policy, read.settings.policy))
        yield* take(next)
        const warning = warningLine(settings.file, read.warnings)
        if (warning !== null) yield* Effect.logWarning(warning)
      })
    ),
    Effect.forkScoped
  )

  return PermissionResponder.of({
    onHook: (hook) => take({ _tag: "HookCame", hook }),
    execute,
    asked: Effect.sync(() => {
      const { approvals, tracker } = runtime.memory()
      const { dialog } = tracker.facts.screen
      const request = dialog === null ? null : dialogRequest(approvals.pending, dialog)
      const one = approvals.pending.list.find((pending) => pending.request === request)
      return { dialog, request, kept: one === undefined ? null : HookReplies.keptBy(MutableRef.get(replies), one) }
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
