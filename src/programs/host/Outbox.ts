import { Context, Effect, Latch, Layer } from "effect"
import type { DeliveryCommand } from "../../domain/engine/delivery/DeliveryCommand.ts"
import { fromLatin1, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import type { PtyHandle } from "../../services/Pty.ts"
import { Recorder } from "./Recorder.ts"

/** All bytes for the CLI, in order, including those from before its start. */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Writes bytes (latin1) to the CLI at once, or queues them; never blocks. */
    readonly write: (latin1: string, by: "user" | "leap") => void
    readonly type: (write: Extract<DeliveryCommand, { readonly _tag: "Write" }>) => void
    /** Passes queued and later bytes to the CLI. There is one CLI at a time. */
    readonly deliverTo: (cli: Pick<PtyHandle, "write" | "writeNow">) => Effect.Effect<never>
    readonly waiting: () => number
    readonly awaitBelow: (bytes: number) => Effect.Effect<void>
  }
>()("leap/programs/host/Outbox") {}

const make = Effect.gen(function* () {
  const recorder = yield* Recorder
  const queue: Array<Uint8Array> = []
  let size = 0
  const filled = Latch.makeUnsafe(false)
  const drained = Latch.makeUnsafe(false)
  /** Takes bytes at once while none are queued. */
  let idle: Pick<PtyHandle, "writeNow"> | null = null

  const write = (latin1: string, by: "user" | "leap"): void => {
    const bytes = fromLatin1(latin1)
    const written = size === 0 && idle !== null ? idle.writeNow(bytes) : 0
    if (written < bytes.length) {
      const rest = written === 0 ? bytes : bytes.subarray(written)
      queue.push(rest)
      size += rest.length
      filled.openUnsafe()
    }
    recorder.input(latin1, by)
  }

  const left = (bytes: number) =>
    Effect.sync(() => {
      size -= bytes
      drained.openUnsafe()
    })

  return Outbox.of({
    write,
    type: ({ data, purpose }) => {
      if (purpose === "text") recorder.marker("send")
      write(utf8ToLatin1(data), "leap")
    },
    deliverTo: (cli) =>
      Effect.gen(function* () {
        for (;;) {
          for (let bytes = queue.shift(); bytes !== undefined; bytes = queue.shift())
            yield* Effect.ensuring(cli.write(bytes), left(bytes.length))
          idle = cli
          filled.closeUnsafe()
          yield* filled.await
        }
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (idle === cli) idle = null
          })
        )
      ),
    waiting: () => size,
    awaitBelow: (bytes) =>
      Effect.gen(function* () {
        while (size > bytes) {
          drained.closeUnsafe()
          yield* drained.await
        }
      })
  })
})

export const layer = Layer.effect(Outbox, make)
