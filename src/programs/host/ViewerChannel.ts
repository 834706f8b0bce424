import { Deferred, Effect, FiberSet, Latch, Layer, type Scope } from "effect"
import * as ChannelFrame from "../../domain/surfaces/channel/ChannelFrame.ts"
import * as Credit from "../../domain/surfaces/channel/Credit.ts"
import * as FrameStream from "../../domain/surfaces/channel/FrameStream.ts"
import { toLatin1 } from "../../domain/words/text/Bytes.ts"
import { AttachChannel, type ByteLink } from "../../services/AttachChannel.ts"
import { Logins } from "./Logins.ts"
import { Outbox } from "./Outbox.ts"
import { settleMs, UserInput } from "./UserInput.ts"
import { type AttachedViewers, Viewers } from "./Viewers.ts"

/** Bytes that may wait for a CLI that does not read before its viewers are granted no more. */
export const inputBacklog = Credit.window

export interface ChannelOptions {
  readonly viewers: Pick<AttachedViewers, "join" | "resize">
  readonly input: Pick<UserInput["Service"], "take">
  readonly logins: Pick<Logins["Service"], "attached">
  readonly outbox: Pick<Outbox["Service"], "waiting" | "awaitBelow">
}

/**
 * Serves a viewer on its connection. A key goes to the CLI in the turn of the event loop in which it came, and the first
 * output of a turn to the viewer; more of it in the same turn waits for its end, in one frame. What the viewer does not
 * take waits in its bounded backlog (`ViewerFrames`): the CLI never waits for it.
 */
export const serveViewer = (
  link: ByteLink,
  { input, logins, outbox, viewers }: ChannelOptions
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never>()
    const over = yield* Deferred.make<void>()
    const end = (): void => void Deferred.doneUnsafe(over, Effect.void)
    let stream = FrameStream.introduced
    let viewer: string | null = null

    // ---- what the viewer is shown
    let credit: Credit.Credit = Credit.window
    const creditable = Latch.makeUnsafe(true)
    /** A frame was sent in this turn already, or one is under way. */
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

    /** A frame is under way. */
    let within = true
    const turned = (): void => {
      busy = within
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
          // an echo may go at once again when the turn in which one was sent is over
          queueMicrotask(turned)
          send({ _tag: "Output", data })
          return true
        }
      })
      for (;;) {
        yield* awaitCredit
        within = false
        busy = false
        const frame = yield* next(limit)
        within = true
        busy = true
        if (frame._tag === "Notice" || frame._tag === "Exited") {
          send(frame)
          if (frame._tag === "Exited") return
          continue
        }
        // what was drawn may be more than goes into one frame
        let { data } = frame
        for (yield* awaitCredit; data.length > limit(); yield* awaitCredit) {
          const part = data.subarray(0, limit())
          data = data.subarray(part.length)
          send({ _tag: frame._tag === "Repaint" ? "Part" : "Output", data: part })
        }
        send({ ...frame, data })
      }
    }, Effect.scoped)

    // ---- what the viewer sends
    let allowance = Credit.start
    let granting = false
    const grant = (bytes: number): void => {
      const next = Credit.done(allowance, bytes)
      allowance = next.allowance
      if (next.grant > 0) link.send(ChannelFrame.encode({ _tag: "Credit", bytes: next.grant }))
    }
    /** Bytes of input that were taken while the CLI did not read. */
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
    yield* Deferred.await(over)
  })

/** The attach channel of a session's host. */
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
