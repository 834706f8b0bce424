import { Deferred, Effect, Option, Predicate, Queue, Stream, SubscriptionRef } from "effect"
import type { ViewerRequest } from "../../domain/surfaces/attachChannel/ChannelFrame.ts"
import type { Need } from "../../domain/words/attention/Need.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import { besideDialog, needLine } from "../../domain/words/attention/needWords.ts"
import { loginOf } from "../../domain/words/session/login.ts"
import type { ExitStatus, SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { terminalNotice } from "../../domain/surfaces/notify/terminalNotice.ts"
import * as TerminalModes from "../../domain/terminal/sequences/TerminalModes.ts"
import { toLatin1 } from "../../domain/words/text/Bytes.ts"
import { smallText } from "../../domain/surfaces/tui/Layout.ts"
import { sessionTitle } from "../../domain/words/wording/SessionReport.ts"
import { exitText } from "../../domain/words/session/exitText.ts"
import { heldText } from "../../domain/words/wording/StateLine.ts"
import { ControlSocket } from "../../services/ControlSocket.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import type { PtySize } from "../../services/Pty.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { connectTo } from "../client/client.ts"
import { continueAdvice } from "../client/continueCommand.ts"
import { CommandError, exitCode, fail } from "../exit.ts"
import { awaitHost, tellStopped, channelWire, type Shower } from "./attachedWire.ts"
import { makeAttachedScreen } from "./AttachedScreen.ts"
import { attachedActions, type AttachEnding } from "./attachedActions.ts"
import { attachedInput, type AttachedEvent } from "./attachedInput.ts"
import { attachKeys, openingNote, standardDetachKey, startHint } from "./attachedKeys.ts"
import { reportToPane } from "./paneReports.ts"
import { makeTerminalReplies, type TerminalReplies } from "./TerminalReplies.ts"

export interface AttachOptions {
  readonly tag: Tag
  readonly readOnly: boolean
  /** The name of a CLI that a new user has just started: it and the keys are named below the screen. */
  readonly introduces?: string
  /** Input that was typed before the terminal is attached. */
  readonly typed?: ReadonlyArray<Uint8Array>
}

/** How long the report to a pane waits for the terminal's answer that it reads program status. */
const replyTimeout = "300 millis"
const hintTime = "5 seconds"
const programStatusQuery = "\x1b]7501;?\x1b\\"

/** A process's exit code as a shell reports it. */
const shellCode = ({ code, signal }: ExitStatus): number =>
  code ?? (signal === null ? exitCode.failed : 128 + (signals[signal] ?? 0))
const signals: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15
}

/** Shows the CLI's screen until it ends, the user detaches or the host is gone; always restores the terminal. */
export const attach = Effect.fn("attach")(function* (options: AttachOptions) {
  const terminal = yield* UserTerminal
  const replies = yield* makeTerminalReplies(terminal)
  let tag: Tag | null = options.tag
  let come: Coming = { back: false, suspends: true }
  let isFirst = true
  while (tag !== null) {
    const { introduces, typed = [], ...shown } = options
    const first = introduces === undefined || tag !== options.tag || come.back ? {} : { introduces }
    const next: AttachNext = yield* attachOne({ ...shown, tag, ...first, typed: isFirst ? typed : [] }, come, replies)
    isFirst = false
    come = { ...come, back: next.suspended }
    // without a shell, the key belongs to the CLI from now on
    if (next.suspended && !(yield* terminal.suspend)) come = { ...come, suspends: false }
    tag = next.tag
  }
})

/** How a terminal comes to a session. `back`: from its shell. `suspends`: a key returns to the shell. */
interface Coming {
  readonly back: boolean
  readonly suspends: boolean
}

interface AttachNext {
  /** The next session; null for none. */
  readonly tag: Tag | null
  /** The shell gets the terminal first. */
  readonly suspended: boolean
}

const attachOne = Effect.fn("attachOne")(function* (options: AttachOptions, come: Coming, replies: TerminalReplies) {
  const output = yield* Output
  const tell = (needs: ReadonlyArray<Need>) => Effect.forEach(needs, (need) => output.note(`[${needLine(need)}]`))
  const system = yield* System
  const terminal = yield* UserTerminal
  // first: the previous owner may have had the terminal raw, and the user is still typing
  yield* terminal.raw
  const { settings } = yield* (yield* UserSettings).read
  const detachName = system.env["LEAP_DETACH_KEY"] ?? standardDetachKey
  const keysOf = (can: ReadonlyArray<string>) =>
    attachKeys(
      settings.attach,
      detachName,
      { write: !options.readOnly, suspend: come.suspends },
      { can: can.includes("recall"), itself: can.includes("recalls") }
    )
  if (keysOf([]) === null) {
    return yield* fail("usage", `LEAP_DETACH_KEY is '${detachName}'; expected a key like ctrl-\\ or ctrl-]`)
  }
  if (system.env["LEAP_TAG"] === options.tag) {
    return yield* fail("refused", `this terminal is inside session '${options.tag}': it would show itself`)
  }
  const met = yield* awaitHost(
    options.tag,
    Effect.flatMap(connectTo(options.tag, { patient: true }), (client) =>
      Effect.map(client.Hello(), ({ can = [] }) => ({ client, can }))
    )
  )
  const { can, client } = met.value
  const attached = keysOf(can)!
  if (!come.back) yield* output.note(openingNote(options.tag, attached.names, system.env["LEAP_TAG"] ?? null))
  const seen = yield* SubscriptionRef.make<SessionStatus | null>(null)
  const statuses = Stream.filter(SubscriptionRef.changes(seen), Predicate.isNotNull)
  const small = smallText(yield* terminal.size, `'leap screen ${options.tag}' prints the screen`)
  if (small !== null && !come.back) yield* output.note(`[this window is ${small}]`)
  if (!come.back) {
    const status = yield* client.Status()
    yield* SubscriptionRef.set(seen, status)
    const held = heldText(status.queue)
    if (held !== null) yield* output.note(`[${held}: 'leap queue release ${options.tag}' sends them, in order]`)
    yield* tell(besideDialog(needsOf(status)).filter(({ id, kind }) => kind !== "held" || id === ""))
  }
  const viewer = yield* system.newId

  const ending = yield* Effect.gen(function* () {
    const ended = yield* Deferred.make<AttachEnding>()
    const typed = yield* Queue.unbounded<Uint8Array>()
    yield* Queue.offerAll(typed, [...(options.typed ?? []), ...met.typed])
    let type = (chunk: Uint8Array): void => void Queue.offerUnsafe(typed, chunk)
    yield* terminal.onInput((chunk) => type(chunk))

    replies.handOver()
    yield* replies.ask(programStatusQuery)
    const size = yield* terminal.size
    yield* terminal.write(TerminalModes.enterSequence)
    const screen = yield* makeAttachedScreen(terminal, output.colour, replies.shown)
    yield* Effect.addFinalizer(() => screen.leave)
    const wire = yield* wireTo(
      options.tag,
      {
        viewer,
        ...clamp(size),
        readOnly: options.readOnly,
        // the terminal has not answered yet, and may never: `ReadsStatus` tells it later
        programStatus: false,
        notices: settings.notify.terminal !== "off",
        login: loginOf(system.env)
      },
      {
        show: (frame) => {
          if (frame._tag === "Notice")
            return screen.aside(terminalNotice(frame.notice, settings.notify.terminal, system.env))
          if (frame._tag !== "Exited") return screen.frame(frame)
          screen.end()
          return Deferred.succeed(ended, { _tag: "Exited", exit: frame.exit })
        },
        showNow: (frame) => (frame._tag === "Output" || frame._tag === "Repaint") && screen.frameNow(frame)
      }
    )
    yield* wire.closed.pipe(
      Effect.flatMap((refusal) => Deferred.succeed(ended, { _tag: "HungUp", refusal })),
      Effect.forkScoped
    )

    yield* client.Watch().pipe(
      Stream.runForEach((status) => SubscriptionRef.set(seen, status)),
      Effect.ignore,
      Effect.forkScoped
    )
    if (settings.notify.titles)
      yield* statuses.pipe(Stream.map(sessionTitle), Stream.changes, Stream.runForEach(screen.title), Effect.forkScoped)

    if (can.includes("readsStatus")) yield* Effect.forkScoped(Effect.andThen(replies.readsStatus, wire.readsStatus))
    // a terminal that reads program status has it already
    yield* Effect.timeoutOption(replies.readsStatus, replyTimeout).pipe(
      Effect.flatMap((reads) => (Option.isSome(reads) ? Effect.void : reportToPane(system.env, statuses))),
      Effect.forkScoped
    )

    const events = yield* Queue.unbounded<AttachedEvent>()
    const { act, capturing, draft, opened, recall } = yield* attachedActions({
      client,
      statuses,
      tag: options.tag,
      viewer,
      // the reply to a call comes after the host has read the earlier bytes of the other socket
      behind: (request) => wire.behind(Effect.andThen(Effect.ignore(client.Hello()), request)),
      tell: (event) => Queue.offer(events, event),
      end: Effect.fnUntraced(function* (ending) {
        // a host that does not answer must not prevent detaching
        yield* Effect.timeoutOption(wire.sent, "200 millis")
        yield* Deferred.succeed(ended, ending)
      })
    })
    let straight: (data: string) => boolean = () => false
    yield* attachedInput(events, {
      keys: attached.keys,
      context: {
        tag: options.tag,
        readOnly: options.readOnly,
        names: attached.names,
        captureKey: attached.keys.capture
      },
      size,
      screen,
      forward: (data) => {
        if (!options.readOnly) wire.input(data)
      },
      straight: (pass) => {
        straight = pass
      },
      resize: (size, reserved) => Effect.sync(() => wire.resize(clamp(size), reserved)),
      act,
      recall,
      draft,
      opened,
      capturing,
      replies
    }).pipe(Effect.forkScoped)
    yield* tellStopped(options.tag, (text) => Queue.offer(events, { _tag: "Stopped", text })).pipe(Effect.forkScoped)
    const { introduces } = options
    if (introduces !== undefined) {
      yield* Effect.gen(function* () {
        // the CLI's first picture would erase it
        yield* Stream.runHead(Stream.filter(statuses, ({ state }) => state !== "starting"))
        yield* Queue.offer(events, { _tag: "Hint", text: startHint(introduces, options.tag, attached.names) })
        yield* Effect.sleep(hintTime)
        yield* Queue.offer(events, { _tag: "Hint", text: null })
      }).pipe(Effect.forkScoped)
    }
    const meanwhile = (yield* Queue.clear(typed)).map(toLatin1).join("")
    if (meanwhile !== "") Queue.offerUnsafe(events, { _tag: "Bytes", data: meanwhile })
    type = (chunk) => {
      const data = toLatin1(chunk)
      if (!straight(data)) Queue.offerUnsafe(events, { _tag: "Bytes", data })
    }
    yield* terminal.sizes.pipe(
      Stream.runForEach((size) => Queue.offer(events, { _tag: "Size", size })),
      Effect.forkScoped
    )
    const ending = yield* Deferred.await(ended)
    // the terminal's answers are for leap, not for the shell, so they are read until the last has come
    yield* screen.leave
    yield* replies.settled
    return ending
  }).pipe(Effect.scoped)

  switch (ending._tag) {
    case "Next":
      return { tag: ending.tag, suspended: false } satisfies AttachNext
    case "Suspended":
      yield* output.note(`[session '${options.tag}' goes on; fg shows it again]`)
      return { tag: options.tag, suspended: true } satisfies AttachNext
    case "Detached":
      yield* output.note(`[detached; session '${options.tag}' goes on]`)
      // what was seen last: a host that is busy must not keep the user here
      const newest = yield* SubscriptionRef.get(seen)
      if (newest !== null) yield* tell(needsOf(newest))
      yield* output.note(`['leap ${options.tag}' comes back, 'leap' shows all]`)
      return over
    case "HungUp":
      if (ending.refusal !== null)
        return yield* fail("failed", `the host of session '${options.tag}' refuses this terminal: ${ending.refusal}`)
      return yield* fail(
        "failed",
        `the host of session '${options.tag}' ended without a word; ` +
          `its queue is kept (${yield* continueAdvice(options.tag)})`
      )
    case "Exited": {
      const code = shellCode(ending.exit)
      yield* output.note(`[session '${options.tag}' ended: ${exitText(ending.exit)}]`)
      if (code !== 0) return yield* new CommandError({ message: "", exitCode: code })
      return over
    }
  }
}, Effect.scoped)

/** The connection to the host: its attach channel. */
const wireTo = Effect.fnUntraced(function* (tag: Tag, request: ViewerRequest, shower: Shower) {
  const { socket } = (yield* Paths).session(tag)
  const link = yield* (yield* ControlSocket)
    .attach(socket)
    .pipe(Effect.mapError(({ message }) => fail("failed", `session '${tag}' cannot be shown: ${message}`)))
  return yield* channelWire(link, request, shower)
})

const over: AttachNext = { tag: null, suspended: false }

/** A size that hosts accept; a window may be larger than any program needs. */
const clamp = ({ cols, rows }: PtySize): PtySize => ({
  cols: Math.min(2000, Math.max(1, cols)),
  rows: Math.min(2000, Math.max(1, rows))
})
