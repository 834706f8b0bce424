import { Clock, Deferred, Effect, Queue, Stream } from "effect"
import { fromBase64, fromLatin1, toBase64, toLatin1 } from "../domain/Bytes.ts"
import { detachKey, splitAtDetach } from "../domain/DetachKey.ts"
import * as InputBytes from "../domain/InputBytes.ts"
import { exitText } from "../domain/StateLine.ts"
import type { ExitStatus } from "../domain/Session.ts"
import type { Tag } from "../domain/Tag.ts"
import * as TerminalModes from "../domain/TerminalModes.ts"
import { Machine } from "../services/Machine.ts"
import { Output } from "../services/Output.ts"
import type { PtySize } from "../services/Pty.ts"
import { UserTerminal } from "../services/UserTerminal.ts"
import { connectTo } from "./client.ts"
import { CommandError, exitCode, fail } from "./exit.ts"

export interface AttachOptions {
  readonly tag: Tag
  readonly readOnly: boolean
}

type Ending =
  | { readonly _tag: "Exited"; readonly exit: ExitStatus }
  | { readonly _tag: "Detached" }
  | { readonly _tag: "HungUp" }

/** How long a terminal may take to say that it reads program-status reports. Every terminal answers the query behind it. */
const replyPatience = "300 millis"
const programStatusQuery = "\x1b]7501;?\x1b\\\x1b[c"

/** The exit code of a process as a shell tells it. */
const shellCode = ({ code, signal }: ExitStatus): number => code ?? (signal === null ? exitCode.failed : 128 + (signals[signal] ?? 0))
const signals: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 }

/**
 * The CLI's screen in the user's terminal, until the CLI ends, the user detaches, or the host is gone. The terminal is
 * put back as it was on every way out. Ends with the CLI's own exit code.
 */
export const attach = Effect.fn("attach")(function*(options: AttachOptions) {
  const output = yield* Output
  const machine = yield* Machine
  const terminal = yield* UserTerminal
  const detach = detachKey(machine.env["LEAP_DETACH_KEY"])
  if (detach === null) {
    return yield* fail("usage", `LEAP_DETACH_KEY is '${machine.env["LEAP_DETACH_KEY"]}'; expected a key like ctrl-\\ or ctrl-]`)
  }
  if (machine.env["LEAP_TAG"] === options.tag) {
    return yield* fail("refused", `this terminal is inside session '${options.tag}': it would show itself`)
  }
  const client = yield* connectTo(options.tag, { patient: true })
  yield* output.note(`[session '${options.tag}': ${machine.env["LEAP_DETACH_KEY"] ?? "ctrl-\\"} detaches]`)
  const viewer = yield* machine.newId

  const ending = yield* Effect.gen(function*() {
    yield* terminal.raw
    const ended = yield* Deferred.make<Ending>()
    const typed = yield* Queue.unbounded<Uint8Array>()
    yield* terminal.input.pipe(Stream.runForEach((chunk) => Queue.offer(typed, chunk)), Effect.forkScoped)

    // ---- does this terminal read program-status reports?
    yield* terminal.write(programStatusQuery)
    const asked = yield* askedTerminal(typed)

    // ---- the screen
    const size = yield* terminal.size
    let modes = TerminalModes.start
    let drawn = false
    let over = false
    yield* terminal.write(TerminalModes.enterSequence)
    yield* Effect.addFinalizer(() => Effect.andThen(terminal.write(leave(modes, over)), terminal.lastWords(null)))
    const show = (base64: string) =>
      Effect.suspend(() => {
        const data = fromBase64(base64) ?? ""
        modes = TerminalModes.track(modes, data)
        return Effect.andThen(terminal.lastWords(leave(modes, over)), terminal.write(fromLatin1(data)))
      })
    yield* client.Attach({ viewer, ...clamp(size), readOnly: options.readOnly, programStatus: asked.programStatus }).pipe(
      Stream.runForEach((frame) => {
        switch (frame._tag) {
          case "Repaint": {
            const before = drawn ? TerminalModes.restoreSequence(modes) + TerminalModes.enterSequence : ""
            modes = TerminalModes.start
            drawn = true
            return Effect.andThen(terminal.write(before), show(frame.data))
          }
          case "Output":
            return show(frame.data)
          case "Exited":
            over = true
            return Deferred.succeed(ended, { _tag: "Exited", exit: frame.exit })
        }
      }),
      // however the stream ends, an interruption from a host that goes included
      Effect.onExit(() => Deferred.succeed(ended, { _tag: "HungUp" })),
      Effect.ignore,
      Effect.forkScoped
    )

    // ---- the keys
    const inputs = yield* Queue.unbounded<Effect.Effect<void, unknown>>()
    yield* Stream.fromQueue(inputs).pipe(Stream.runForEach((sent) => sent), Effect.ignore, Effect.forkScoped)
    let scan = InputBytes.start
    const send = Effect.fnUntraced(function*(bytes: string) {
      const scanned = InputBytes.classify(scan, bytes, yield* Clock.currentTimeMillis)
      scan = scanned.state
      const { before, detached } = splitAtDetach(scanned.parts, detach)
      // what is pending is sent along: the host sorts the bytes itself
      const forward = detached ? before : bytes
      // a host that does not answer must not keep the user here
      const sent = forward === "" || options.readOnly ? Effect.void : client.Input({ viewer, data: toBase64(forward) })
      if (detached) {
        yield* Effect.ignore(Effect.timeoutOption(sent, "200 millis"))
        yield* Deferred.succeed(ended, { _tag: "Detached" })
      } else yield* Queue.offer(inputs, sent)
    })
    yield* Effect.gen(function*() {
      if (asked.rest !== "") yield* send(asked.rest)
      yield* Stream.fromQueue(typed).pipe(
        Stream.runForEachArray((chunks) => send(chunks.map(toLatin1).join("")))
      )
    }).pipe(Effect.ignore, Effect.forkScoped)
    yield* terminal.sizes.pipe(
      Stream.runForEach((size) => Effect.ignore(client.Resize({ viewer, ...clamp(size) }))),
      Effect.forkScoped
    )
    return yield* Deferred.await(ended)
  }).pipe(Effect.scoped)

  switch (ending._tag) {
    case "Detached":
      return yield* output.note(`[detached; session '${options.tag}' goes on]`)
    case "HungUp":
      return yield* fail("failed", `the host of session '${options.tag}' ended without a word; its queue is kept ('leap ${options.tag}' starts it again)`)
    case "Exited": {
      const code = shellCode(ending.exit)
      yield* output.note(`[session '${options.tag}' ended: ${exitText(ending.exit)}]`)
      if (code !== 0) return yield* new CommandError({ message: "", exitCode: code })
    }
  }
}, Effect.scoped)

/** A size that hosts take; a window may be larger than any program needs. */
const clamp = ({ cols, rows }: PtySize): PtySize => ({
  cols: Math.min(2000, Math.max(1, cols)),
  rows: Math.min(2000, Math.max(1, rows))
})

/**
 * Undoes what the CLI changed. Off the main screen the cursor is where it was before. On it, one that has ended left the
 * cursor below its last words; one that goes on is drawn down to the bottom.
 */
const leave = (modes: TerminalModes.TerminalModes, over: boolean): string =>
  TerminalModes.restoreSequence(modes) + (over || modes.alternate !== null ? "\r" : "\x1b[9999;1H\r\n")

/** Reads the terminal's answer; keys pressed meanwhile are given back. */
const askedTerminal = Effect.fnUntraced(function*(typed: Queue.Queue<Uint8Array>) {
  let scan = InputBytes.start
  let rest = ""
  let programStatus = false
  const read = Effect.gen(function*() {
    for (;;) {
      const chunk = toLatin1(yield* Queue.take(typed))
      const { parts, state } = InputBytes.classify(scan, chunk, yield* Clock.currentTimeMillis)
      scan = state
      for (const part of parts) {
        if (part._tag !== "Reply") rest += part.data
        else if (part.data.startsWith("\x1b]7501;")) programStatus = true
        else if (/^\x1b\[\?[\d;]*c$/.test(part.data)) return
        else rest += part.data
      }
    }
  })
  yield* Effect.timeoutOption(read, replyPatience)
  return { programStatus, rest: rest + scan.pending.slice(scan.given) }
})

