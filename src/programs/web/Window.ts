import { Clock, Effect, Latch, Schema, Semaphore } from "effect"
import { ServerFrame } from "../../domain/surfaces/web/Frames.ts"

/** The most characters in flight to a page before it acknowledges them. */
const unseenMost = 2 << 20
/** A page that takes nothing for this long, while a frame waits, is gone. */
const timeout = "60 seconds"
/** Milliseconds without an acknowledgement after which a page is gone; browsers run a hidden one once a minute. */
const silenceTimeout = 150_000

/** A page acknowledges nothing, or more than it was sent. */
export class PageLostError extends Schema.TaggedError<PageLostError>()("PageLostError", { why: Schema.String }) {
  override get message() {
    return `the page is given up: ${this.why}`
  }
}

const encodeFrame = Schema.encodeSync(Schema.fromJsonString(ServerFrame))

export const frameText = (frame: ServerFrame): string => encodeFrame(frame)

/** The frames to one page: each waits for acknowledgements, which bounds memory and reveals a slow page. */
export const makeWindow = Effect.fnUntraced(function* <E>(write: (text: string) => Effect.Effect<void, E>) {
  const open = yield* Latch.make(true)
  const mutex = yield* Semaphore.make(1)
  let unseen: Array<{ readonly length: number; readonly at: number }> = []
  let size = 0
  let taken = 0

  const sendText = (text: string): Effect.Effect<void, E | PageLostError> => {
    const send = Effect.gen(function* () {
      yield* Effect.timeoutOrElse(open.await, {
        duration: timeout,
        orElse: () => Effect.fail(new PageLostError({ why: "it takes nothing of what it is sent" }))
      })
      unseen.push({ length: text.length, at: yield* Clock.currentTimeMillis })
      size += text.length
      if (size >= unseenMost) open.closeUnsafe()
      yield* write(text)
    })
    return mutex.withPermit(send)
  }

  return {
    sendText,
    send: (frame: ServerFrame) => Effect.suspend(() => sendText(frameText(frame))),
    /** Fails if the page has acknowledged nothing for long, because a connection may end silently. */
    check: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now - (unseen[0]?.at ?? now) >= silenceTimeout
        ? Effect.fail(new PageLostError({ why: "it has not been heard of" }))
        : Effect.void
    ),
    ack: (count: number): Effect.Effect<void, PageLostError> =>
      Effect.suspend(() => {
        const more = count - taken
        if (more < 0 || more > unseen.length) {
          return Effect.fail(new PageLostError({ why: "it took frames that it was not sent" }))
        }
        for (const { length } of unseen.slice(0, more)) size -= length
        unseen = unseen.slice(more)
        taken = count
        if (size < unseenMost) open.openUnsafe()
        return Effect.void
      })
  }
})
