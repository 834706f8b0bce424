import { Deferred, Effect, FiberSet, Latch, Scope } from "effect"
import * as ChannelFrame from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import * as Credit from "../../domain/surfaces/attachChannel/Credit.ts"
import * as FrameStream from "../../domain/surfaces/attachChannel/FrameStream.ts"
import { concat, fromLatin1, toLatin1 } from "../../domain/words/text/Bytes.ts"
import type { ByteLink } from "../../services/AttachChannel.ts"
import type { PtySize } from "../../services/Pty.ts"
import { detachKey, isPressedIn } from "../../domain/terminal/sequences/DetachKey.ts"
import { unreachedText } from "../../domain/words/session/hostUnreached.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { unlessStopped } from "../client/client.ts"
import { type CommandError, fail } from "../exit.ts"

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
) {
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
    input: (data: string): void => {
      if (data === "") return
      const typing = { _tag: "Input", data: fromLatin1(data) } as const
      if (typed.length > 0 || data.length > Math.min(credit, ChannelFrame.dataLimit)) return type(typing)
      credit -= data.length
      send(typing)
    },
    /** Sends the terminal's size, and how many rows at its bottom the host leaves free. */
    resize: ({ cols, rows }: PtySize, reserved: number): void => type({ _tag: "Resize", cols, rows, reserved }),
    readsStatus: Effect.sync(() => send({ _tag: "ReadsStatus" })),
    /** Runs a request after all earlier input; later input waits for it. */
    behind: (request: Effect.Effect<void, unknown>): void => type({ _tag: "Request", request }),
    sent: done.await,
    /** Completes when the host closes the connection, with its reason if it refuses. */
    closed: Deferred.await(closed)
  }
})

/** Most hosts answer within milliseconds; after this time a note says that the host is silent. */
const silence = "700 millis"

const interrupt = detachKey("ctrl-c")!

/**
 * Waits for a session's host at the user's terminal. The terminal is raw from the start, so that no key is a signal or
 * goes to the shell. Returns the answer and the keys typed meanwhile; fails if the user leaves. Esc leaves only after
 * the note; before, it may be meant for the CLI.
 */
export const awaitHost = Effect.fn("awaitHost")(function* <A, E, R>(tag: Tag, answer: Effect.Effect<A, E, R>) {
  const scope = yield* Effect.scope
  const { env } = yield* System
  const detach = detachKey(env["LEAP_DETACH_KEY"])
  return yield* Effect.gen(function* () {
    const terminal = yield* UserTerminal
    const { note } = yield* Output
    const typed: Array<Uint8Array> = []
    const left = yield* Deferred.make<never, CommandError>()
    const leaving = fail("cancelled", `left: session '${tag}' has not answered, and nothing that was typed reached it`)
    let isTold = false
    yield* terminal.raw
    yield* terminal.onInput((chunk) => {
      const data = toLatin1(chunk)
      typed.push(chunk)
      if (isPressedIn(interrupt, data) || (detach !== null && isPressedIn(detach, data)) || (isTold && data === "\x1b"))
        Deferred.doneUnsafe(left, Effect.fail(leaving))
    })
    const telling = Effect.gen(function* () {
      yield* Effect.sleep(silence)
      isTold = true
      yield* note(`[session '${tag}' has not answered yet; Esc or Ctrl-C leaves]`)
      return yield* Effect.never
    })
    const answered = Effect.map(Scope.provide(answer, scope), (value) => ({ value, typed }))
    return yield* answered.pipe(Effect.raceFirst(Deferred.await(left)), Effect.raceFirst(telling))
  }).pipe(Effect.scoped)
})

const lookPause = "1 second"

/** Reports that the host of a shown session is stopped; null once it continues. */
export const tellStopped = Effect.fnUntraced(function* (
  tag: Tag,
  tell: (text: string | null) => Effect.Effect<unknown>
) {
  const processes = yield* ProcessTable
  for (;;) {
    const { pid, unreached } = yield* Effect.flip(unlessStopped(tag, Effect.never))
    yield* tell(`${unreachedText(unreached)}; keys wait`)
    while (pid !== null && (yield* processes.isStopped(pid))) yield* Effect.sleep(lookPause)
    yield* tell(null)
  }
})
