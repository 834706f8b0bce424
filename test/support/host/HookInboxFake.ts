import { Clock, Context, Deferred, Effect, Layer, Queue, Stream } from "effect"
import { type HookDelivery, HookInbox } from "../../../src/services/HookInbox.ts"

/** What calls hooks: a hosted CLI, or a test in its place. */
export class HookInboxFake extends Context.Service<
  HookInboxFake,
  {
    /**
     * Calls a hook of a session. Gives the line that it prints: null at once where nobody decides, else when leap has
     * replied. An interrupted call has given up: its reply comes too late.
     */
    readonly call: (
      spool: string,
      event: string,
      payload: unknown,
      more?: { readonly nested?: boolean }
    ) => Effect.Effect<string | null>
    /** The events whose hooks wait now. */
    readonly deciding: (spool: string) => ReadonlyArray<string>
    /** Breaks the stream of hooks off, as a defect of the inbox would. */
    readonly break: (spool: string) => Effect.Effect<void>
  }
>()("test/HookInboxFake") {}

interface Spool {
  readonly deliveries: Queue.Queue<HookDelivery>
  deciding: ReadonlyArray<string>
}

/** Hooks in memory, each delivered once, in the order of the calls. */
export const layer: Layer.Layer<HookInbox | HookInboxFake> = Layer.effectContext(
  Effect.gen(function* () {
    const spools = new Map<string, Spool>()
    let sequence = 0
    const spoolOf = Effect.fnUntraced(function* (name: string) {
      const known = spools.get(name)
      if (known !== undefined) return known
      const fresh: Spool = { deliveries: yield* Queue.unbounded<HookDelivery>(), deciding: [] }
      spools.set(name, fresh)
      return fresh
    })

    const inbox = HookInbox.of({
      watch: ({ spool }) => Effect.map(spoolOf(spool), ({ deliveries }) => Stream.fromQueue(deliveries)),
      clear: (spool) => Effect.asVoid(Effect.flatMap(spoolOf(spool), ({ deliveries }) => Queue.clear(deliveries))),
      announceAwaited: (spool, events) => Effect.map(spoolOf(spool), (it) => ((it.deciding = events ?? []), true))
    })

    const call = Effect.fnUntraced(function* (
      name: string,
      event: string,
      payload: unknown,
      more: { readonly nested?: boolean } = {}
    ) {
      const spool = yield* spoolOf(name)
      const printed = yield* Deferred.make<string | null>()
      let waits = spool.deciding.includes(event)
      yield* Queue.offer(spool.deliveries, {
        event,
        payload,
        raw: JSON.stringify(payload),
        at: yield* Clock.currentTimeMillis,
        flaw: null,
        sequence: ++sequence,
        callerPid: null,
        nested: more.nested ?? false,
        reply: (line) =>
          Effect.suspend(() => {
            if (!waits) return Effect.succeed("late" as const)
            waits = false
            return Effect.as(Deferred.succeed(printed, line), "taken" as const)
          })
      })
      if (!waits) return null
      return yield* Deferred.await(printed).pipe(Effect.onInterrupt(() => Effect.sync(() => (waits = false))))
    })

    return Context.make(HookInbox, inbox).pipe(
      Context.add(HookInboxFake, {
        call,
        deciding: (spool) => spools.get(spool)?.deciding ?? [],
        break: (spool) => Effect.flatMap(spoolOf(spool), ({ deliveries }) => Effect.asVoid(Queue.shutdown(deliveries)))
      })
    )
  })
)
