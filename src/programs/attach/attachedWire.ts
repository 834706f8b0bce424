import { Deferred, Effect, FiberSet, Latch, type Scope } from "effect"
import * as ChannelFrame from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import * as Credit from "../../domain/surfaces/attachChannel/Credit.ts"
import * as FrameStream from "../../domain/surfaces/attachChannel/FrameStream.ts"
import { concat, fromLatin1 } from "../../domain/words/text/Bytes.ts"
import type { ByteLink } from "../../services/AttachChannel.ts"
import type { PtySize } from "../../services/Pty.ts"

export interface AttachedWire {
  readonly input: (data: string) => void
  /** Sends the terminal's size, and how many rows at its bottom the host leaves free. */
  readonly resize: (size: PtySize, reserved: number) => void
  /** Runs a request after all earlier input; later input waits for it. */
  readonly behind: (request: Effect.Effect<void, unknown>) => void
  readonly sent: Effect.Effect<void>
  /** Completes when the host closes the connection, with its reason if it refuses. */
  readonly closed: Effect.Effect<string | null>
}

export interface Shower {
  readonly show: (frame: ChannelFrame.ViewerFrame) => Effect.Effect<void>
  /** Shows a frame immediately; false if nothing was done. */
  readonly showNow: (frame: ChannelFrame.ViewerFrame) => boolean
}

/** The attach channel: raw bytes without delay. */
export const channelWire = Effect.fnUntraced(function* (
  link: ByteLink,
  request: ChannelFrame.ViewerRequest,
  { show, showNow }: Shower
): Effect.fn.Return<AttachedWire, never, Scope.Scope> {
  const run = yield* FiberSet.makeRuntime<never>()
  const closed = yield* Deferred.make<string | null>()
  const send = (frame: ChannelFrame.ChannelFrame): void => link.send(ChannelFrame.encode(frame))
  let stream = FrameStream.frames

  let allowance = Credit.start
  const shown = (bytes: number): void => {
    const next = Credit.done(allowance, bytes)
    allowance = next.allowance
    if (next.grant > 0) send({ _tag: "Credit", bytes: next.grant })
  }
  /** Frames in order, with the credit that is granted again when they are shown. */
  const waiting: Array<{ readonly frame: ChannelFrame.ViewerFrame; readonly data: number }> = []
  let showing = false
  let endReason: string | null | undefined
  const end = (why: string | null): void => {
    if (endReason !== undefined) return
    endReason = why
    if (waiting.length === 0 && !showing) Deferred.doneUnsafe(closed, Effect.succeed(why))
  }
  const enqueue = (frame: ChannelFrame.ViewerFrame, data: number): void => {
    if (!showing && waiting.length === 0 && showNow(frame)) return shown(data)
    waiting.push({ frame, data })
  }
  const showAll = Effect.gen(function* () {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      yield* show(next.frame)
      shown(next.data)
    }
    showing = false
    if (endReason !== undefined) Deferred.doneUnsafe(closed, Effect.succeed(endReason))
  })

  let credit = Credit.window
  type Typed =
    | Extract<ChannelFrame.ChannelFrame, { readonly _tag: "Input" | "Resize" }>
    | { readonly _tag: "Request"; readonly request: Effect.Effect<void, unknown> }
  const typed: Array<Typed> = []
  let requesting = false
  const done = Latch.makeUnsafe(true)
  const requested = Effect.sync(() => {
    requesting = false
    typed.shift()
    sendTyped()
  })
  const sendTyped = (): void => {
    for (let next = typed[0]; next !== undefined; next = typed[0]) {
      if (next._tag === "Resize") {
        send(next)
        typed.shift()
        continue
      }
      if (next._tag === "Request") {
        if (!requesting) {
          requesting = true
          run(Effect.ensuring(Effect.ignore(next.request), requested))
        }
        break
      }
      const data = next.data.subarray(0, Math.min(credit, ChannelFrame.dataLimit))
      if (data.length === 0) break
      if (data.length === next.data.length) typed.shift()
      else typed[0] = { _tag: "Input", data: next.data.subarray(data.length) }
      credit -= data.length
      send({ _tag: "Input", data })
    }
    if (typed.length === 0) done.openUnsafe()
    else done.closeUnsafe()
  }

  let parts: Array<Uint8Array> = []
  const take = (frame: ChannelFrame.ChannelFrame): string | null => {
    const next = Credit.received(allowance, ChannelFrame.dataOf(frame))
    if (next === null) return "more came than was granted"
    allowance = next
    switch (frame._tag) {
      case "Part":
        parts.push(frame.data)
        shown(frame.data.length)
        return null
      case "Repaint": {
        const size = parts.reduce((sum, part) => sum + part.length, frame.data.length)
        const data = parts.length === 0 ? frame.data : concat([...parts, frame.data], size)
        // the credit of the parts was granted when they arrived
        enqueue({ ...frame, data }, frame.data.length)
        parts = []
        return null
      }
      case "Output":
      case "Notice":
      case "Exited":
        enqueue(frame, ChannelFrame.dataOf(frame))
        return null
      case "Credit": {
        const next = Credit.granted(credit, frame.bytes)
        if (next === null) return "more was granted than was sent"
        credit = next
        sendTyped()
        return null
      }
      case "Refused":
        return frame.why
      default:
        return `a host sends no ${frame._tag}`
    }
  }

  link.listen({
    data: (bytes) => {
      if (endReason !== undefined) return
      const { problem, state } = ChannelFrame.takeIn(stream, bytes, take)
      stream = state
      if (problem !== null) end(problem)
      if (showing || waiting.length === 0) return
      showing = true
      run(showAll)
    },
    closed: () => end(null)
  })
  link.send(FrameStream.preamble)
  send({ _tag: "Attach", request })

  const type = (next: Typed): void => {
    typed.push(next)
    sendTyped()
  }
  return {
    input: (data) => {
      if (data === "") return
      const typing = { _tag: "Input", data: fromLatin1(data) } as const
      if (typed.length > 0 || data.length > Math.min(credit, ChannelFrame.dataLimit)) return type(typing)
      credit -= data.length
      send(typing)
    },
    resize: ({ cols, rows }, reserved) => type({ _tag: "Resize", cols, rows, reserved }),
    behind: (request) => type({ _tag: "Request", request }),
    sent: done.await,
    closed: Deferred.await(closed)
  }
})
