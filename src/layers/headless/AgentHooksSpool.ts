import { Deferred, Effect, FileSystem, Layer, Queue, Stream, SubscriptionRef } from "effect"
import { expectsReply } from "../../domain/engine/approvals/Approvals.ts"
import { requestIn } from "../../domain/engine/approvals/requestIn.ts"
import { silentAnswers } from "../../domain/engine/approvals/silentAnswers.ts"
import { type AskedTools, type ToolUse, withAsked, withoutRan } from "../../domain/words/session/AskedTools.ts"
import { AgentHooks, AgentHooksError, type RefusedTool } from "../../services/AgentHooks.ts"
import type { Permit, PermitDecision } from "../../services/AgentProvider.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import { type HookDelivery, HookInbox } from "../../services/HookInbox.ts"
import { HookInstaller, type HookStatus } from "../../services/HookInstaller.ts"
import { withWorkingDirectory } from "../../services/policy/withWorkingDirectory.ts"
import { PidMap } from "../../services/PidMap.ts"
import { Providers } from "../../services/Providers.ts"

/** A hook waits two seconds at most. */
const timeout = "1500 millis"
/** The most time between the CLI's output about a tool and the tool's hook. */
const askTimeout = "3 seconds"

/** Why a CLI with this wiring would not ask; null: it asks. */
const unwired = ({ id }: Provider, { detail, receivesEvents, state }: HookStatus): string | null => {
  if (state === "disabled" || state === "refused") return `it runs no hooks (${detail})`
  if (receivesEvents && state !== "unreadable") return null
  return `it is not wired to leap${detail === "" ? "" : ` (${detail})`}: run 'leap hooks install --cli ${id}'`
}

/** The hooks' own answers if leap does not answer: no tool that a rule could match is allowed. */
const closed = { deny: [{}], ask: [], allow: [], whenSilent: "deny" } as const

const make = Effect.gen(function* () {
  const { get } = yield* Providers
  const installer = yield* HookInstaller
  const inbox = yield* HookInbox
  const pids = yield* PidMap
  const files = yield* FileSystem.FileSystem
  const tail = yield* FileTail

  const answer = Effect.fnUntraced(function* (
    { base, id, permissions }: Provider,
    cwd: string,
    permit: Permit,
    hook: HookDelivery
  ) {
    // A CLI inside the run is not the run.
    const asked = hook.nested ? null : requestIn(permissions, hook)
    if (!expectsReply(permissions, hook.event)) return null
    if (asked === null) return yield* Effect.as(hook.reply(null), null)
    const own = { ...asked.request, cwd: asked.request.cwd === "" ? cwd : asked.request.cwd }
    const request = permit.restricts ? yield* withWorkingDirectory(permissions, hook, own, tail) : own
    const undecided: PermitDecision = {
      verdict: permit.restricts ? "deny" : "ask",
      why: "it was not decided on in time"
    }
    const decision = yield* permit.decide(request, { cli: id, base, cwd }).pipe(
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(undecided) }),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError("a request for a tool could not be decided on", defect), undecided)
      )
    )
    const { verdict, why } = decision
    const line = verdict !== "ask" && asked.heeds.includes(verdict) ? permissions.reply(hook.event, verdict, why) : null
    yield* hook.reply(line)
    return verdict === "deny" && line !== null ? ({ tool: request.tool, why } satisfies RefusedTool) : null
  })

  return AgentHooks.of({
    open: Effect.fn("AgentHooks.open")(function* ({ args = [], cli, cwd, env = {} }, permit) {
      const provider = yield* Effect.mapError(
        get(cli),
        () => new AgentHooksError({ displayName: cli, why: "leap does not know its hooks" })
      )
      const { displayName, permissions } = provider
      const fail = (why: string) => new AgentHooksError({ displayName, why })
      if (permissions.decisions.length === 0) return yield* fail("it has no hook that could refuse a tool")
      const why = unwired(provider, yield* installer.status(provider, undefined, { directory: cwd, args, env }))
      if (why !== null) return yield* fail(why)
      const spool = yield* files
        .makeTempDirectoryScoped({ prefix: "leap-hooks-" })
        .pipe(Effect.mapError((error) => fail(`there is no place for its requests: ${error.message}`)))
      const placed = yield* inbox.announceAwaited(
        spool,
        permissions.decisions.map(({ event }) => event),
        permit.restricts ? silentAnswers(permissions, closed) : {}
      )
      if (!placed)
        return yield* fail(`nothing can be written to the place for its requests (${spool}): is the disk full?`)
      yield* Effect.addFinalizer(() => inbox.announceAwaited(spool, null))
      const heard = yield* Deferred.make<void>()
      const asked = yield* SubscriptionRef.make<AskedTools>([])
      const hear = Effect.fnUntraced(function* ({ event, nested, payload }: HookDelivery) {
        if (nested) return
        for (const signal of provider.detection.readHook(event, payload))
          if (signal._tag === "ToolStarted" && signal.agent === null)
            yield* SubscriptionRef.update(asked, (list) => withAsked(list, signal))
        yield* Deferred.succeed(heard, undefined)
      })
      const hasAsked = (ran: ToolUse) =>
        SubscriptionRef.changes(asked).pipe(
          Stream.filter((list) => withoutRan(list, ran) !== null),
          Stream.runHead,
          Effect.andThen(SubscriptionRef.update(asked, (list) => withoutRan(list, ran) ?? list)),
          Effect.as(true),
          Effect.timeoutOrElse({ duration: askTimeout, orElse: () => Effect.succeed(false) })
        )
      return {
        env: { LEAP_SIGNAL_DIR: spool },
        ...(provider.detection.capabilities.firstHook === undefined
          ? {}
          : { heard: Deferred.await(heard), asked: hasAsked }),
        watch: Effect.fnUntraced(function* (pid) {
          yield* pids.register({ cliPid: pid, spool })
          const refused = yield* Effect.acquireRelease(Queue.unbounded<RefusedTool>(), Queue.shutdown)
          yield* (yield* inbox.watch({ spool, cliPid: pid })).pipe(
            Stream.tap(hear),
            Stream.mapEffect((hook) => answer(provider, cwd, permit, hook), { concurrency: "unbounded" }),
            Stream.runForEach((one) => (one === null ? Effect.void : Queue.offer(refused, one))),
            Effect.forkScoped
          )
          return Stream.fromQueue(refused)
        })
      }
    })
  })
})

/** Exchanges hook events and answers through the files of `leap-hook.sh`. */
export const layer: Layer.Layer<
  AgentHooks,
  never,
  FileSystem.FileSystem | FileTail | HookInbox | HookInstaller | PidMap | Providers
> = Layer.effect(AgentHooks, make)
