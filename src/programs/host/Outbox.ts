import { type Cause, Context, Effect, Layer, Queue, Stream } from "effect"
import type { DeliveryCommand } from "../../domain/delivery/DeliveryCommand.ts"
import { fromLatin1, utf8ToLatin1 } from "../../domain/text/Bytes.ts"
import { Recorder } from "./Recorder.ts"

/** All bytes for the CLI. They reach it in the order in which they were put here, those from before its start too. */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Puts bytes (latin1) behind those that wait; never blocks. */
    readonly write: (latin1: string, by: "user" | "leap") => void
    /** Puts one write of leap's own message typing behind those that wait. */
    readonly type: (write: Extract<DeliveryCommand, { readonly _tag: "Write" }>) => void
    /** What waits and what comes, for the one reader that hands it to the CLI. */
    readonly bytes: Stream.Stream<Uint8Array>
  }
>()("leap/programs/host/Outbox") {}

const make = Effect.gen(function* () {
  const recorder = yield* Recorder
  const waiting = yield* Queue.unbounded<string, Cause.Done>()
  const write = (latin1: string, by: "user" | "leap"): void => {
    Queue.offerUnsafe(waiting, latin1)
    recorder.input(latin1, by)
  }
  return Outbox.of({
    write,
    type: ({ data, purpose }) => {
      if (purpose === "text") recorder.marker("send")
      write(utf8ToLatin1(data), "leap")
    },
    bytes: Stream.fromQueue(waiting).pipe(Stream.map(fromLatin1))
  })
})

export const layer = Layer.effect(Outbox, make)
