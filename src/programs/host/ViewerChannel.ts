import { Deferred, Effect, FiberSet, Latch, Layer, type Scope } from "effect"
import * as ChannelFrame from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import * as Credit from "../../domain/surfaces/attachChannel/Credit.ts"
import * as FrameStream from "../../domain/surfaces/attachChannel/FrameStream.ts"
import { toLatin1 } from "../../domain/words/text/Bytes.ts"
import { AttachChannel, type ByteLink } from "../../services/AttachChannel.ts"
import { Logins } from "./Logins.ts"
import { Outbox } from "./Outbox.ts"
import { settleMs, UserInput } from "./UserInput.ts"
import { type AttachedViewers, Viewers } from "./Viewers.ts"

/** The input bytes that may wait for a slow CLI before viewers get no more credit. */
export const inputBacklog = Credit.window

export interface ChannelOptions {
  readonly viewers: Pick<AttachedViewers, "join" | "readsStatus" | "resize">
  readonly input: Pick<UserInput["Service"], "take">
  readonly logins: Pick<Logins["Service"], "attached">
  readonly outbox: Pick<Outbox["Service"], "waiting" | "awaitBelow">
}

/**
 * Serves a viewer on its connection. A key goes to the CLI, and the first output of a turn to the viewer, in the same
 * turn of the event loop; further output of that turn is sent at its end, in one frame. Output that the viewer does not
 * take waits in its bounded backlog (`ViewerFrames`), so the CLI never waits.
 */
export const serveViewer = (
  link: ByteLink,
  { input, logins, outbox, viewers }: ChannelOptions
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never>()
    const ended = yield* Deferred.make<void>()
    const end = (): void => void Deferred.doneUnsafe(ended, Effect.void)
    let stream = FrameStream.introduced
    let viewer: string | null = null

    // ---- output to the viewer
    let credit: Credit.Credit = Credit.window
    const creditable = Latch.makeUnsafe(true)
    /** A frame was sent in this turn, or is being sent. */
    let busy = true
    const send = (frame: ChannelFrame.ChannelFrame): void => {
      credit -= ChannelFrame.dataOf(frame)
      link.send(ChannelFrame.encode(frame))
    }
    const limit = () => Math.min(credit, ChannelFrame.dataLimit)
    const awaitCredit = Effect.suspend(() => {
      if (credit > 0) return Effect.void
      creditable.closeUnsafe()
      return creditable.await
    })

    let isSending = true
    const turned = (): void => {
      busy = isSending
    }
    const show = Effect.fnUntraced(function* (request: ChannelFrame.ViewerRequest) {
      const { next } = yield* viewers.join({
        id: request.viewer,
        size: { cols: request.cols, rows: request.rows },
        readOnly: request.readOnly,
        programStatus: request.programStatus,
        notices: request.notices,
        direct: (data) => {
          if (busy || data.length > limit()) return false
          busy = true
          // the next turn may send at once again
          queueMicrotask(turned)
          send({ _tag: "Output", data })
          return true
        }
      })
      for (;;) {
        yield* awaitCredit
        isSending = false
        busy = false
        const frame = yield* next(limit)
        isSending = true
        busy = true
        if (frame._tag === "Notice" || frame._tag === "Exited") {
          send(frame)
          if (frame._tag === "Exited") return
          continue
        }
        // a drawing may exceed one frame
        let { data } = frame
        for (yield* awaitCredit; data.length > limit(); yield* awaitCredit) {
          const part = data.subarray(0, limit())
          data = data.subarray(part.length)
          send({ _tag: frame._tag === "Repaint" ? "Part" : "Output", data: part })
        }
        send({ ...frame, data })
      }
    }, Effect.scoped)

    // ---- input from the viewer
    let allowance = Credit.start
    let granting = false
    const grant = (bytes: number): void => {
      const next = Credit.done(allowance, bytes)
      allowance = next.allowance
      if (next.grant > 0) link.send(ChannelFrame.encode({ _tag: "Credit", bytes: next.grant }))
    }
    /** Input bytes taken while the CLI did not read. */
    let owed = 0
    const taken = (bytes: number): void => {
      if (!granting && outbox.waiting() <= inputBacklog) return grant(bytes)
      owed += bytes
      if (granting) return
      granting = true
      run(
        Effect.andThen(
          outbox.awaitBelow(inputBacklog),
          Effect.sync(() => {
            granting = false
            const bytes = owed
            owed = 0
            grant(bytes)
          })
        )
      )
    }

    const refuse = (why: string): void => {
      link.send(ChannelFrame.encode({ _tag: "Refused", why }))
      end()
    }
    const take = (frame: ChannelFrame.ChannelFrame): string | null => {
      if (viewer === null) {
        if (frame._tag !== "Attach") return "a viewer attaches first"
        viewer = frame.request.viewer
        if (frame.request.login !== undefined) logins.attached(frame.request.login)
        run(Effect.ensuring(show(frame.request), Effect.sync(end)))
        return null
      }
      const id = viewer
      switch (frame._tag) {
        case "Input": {
          const next = Credit.received(allowance, frame.data.length)
          if (next === null) return "more input came than was granted"
          allowance = next
          if (input.take(id, toLatin1(frame.data)))
            run(
              Effect.andThen(
                Effect.sleep(settleMs),
                Effect.sync(() => void input.take(id, ""))
              )
            )
          taken(frame.data.length)
          return null
        }
        case "Resize":
          viewers.resize(id, { cols: frame.cols, rows: frame.rows }, frame.reserved)
          return null
        case "ReadsStatus":
          viewers.readsStatus(id)
          return null
        case "Credit": {
          const next = Credit.granted(credit, frame.bytes)
          if (next === null) return "more was granted than was sent"
          credit = next
          creditable.openUnsafe()
          return null
        }
        default:
          return `a viewer sends no ${frame._tag}`
      }
    }

    link.listen({
      data: (bytes) => {
        if (stream.problem !== null) return
        const { problem, state } = ChannelFrame.takeIn(stream, bytes, take)
        stream = problem === null ? state : { ...state, problem }
        if (problem !== null) refuse(problem)
      },
      closed: end
    })
    yield* Deferred.await(ended)
  })

export const layer = Layer.effect(
  AttachChannel,
  Effect.gen(function* () {
    const viewers = yield* Viewers
    const input = yield* UserInput
    const outbox = yield* Outbox
    const logins = yield* Logins
    return AttachChannel.of({ serve: (link) => Effect.scoped(serveViewer(link, { viewers, input, logins, outbox })) })
  })
)
