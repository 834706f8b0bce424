import { Clock, Effect, Option, Queue, type Scope } from "effect"
import * as Capture from "../../domain/surfaces/overlay/Capture.ts"
import * as InputPath from "../../domain/surfaces/overlay/InputPath.ts"
import * as Menu from "../../domain/surfaces/overlay/Menu.ts"
import * as Overlay from "../../domain/surfaces/overlay/Overlay.ts"
import * as Keys from "../../domain/surfaces/tui/Keys.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import * as InputTokens from "../../domain/terminal/sequences/InputTokens.ts"
import type { PtySize } from "../../services/Pty.ts"
import type { AttachedScreen } from "./AttachedScreen.ts"
import type { TerminalReplies } from "./TerminalReplies.ts"

export type AttachedEvent =
  /** Bytes (latin1) from the user's terminal. */
  | { readonly _tag: "Bytes"; readonly data: string }
  | { readonly _tag: "Size"; readonly size: PtySize }
  | { readonly _tag: "Status"; readonly status: SessionStatus }
  /** `left`: the newest message was not sent by its user: a terminal closed, or the CLI's box lost it. */
  | { readonly _tag: "Saved"; readonly saved: ReadonlyArray<string>; readonly left?: boolean }
  /** The text that was moved out of the CLI's box. */
  | { readonly _tag: "Taken"; readonly text: string }
  | { readonly _tag: "Pictured"; readonly path: string }
  | { readonly _tag: "Failed"; readonly back: Overlay.Overlay }
  | { readonly _tag: "Told"; readonly note: string }
  | { readonly _tag: "Read"; readonly text: string }
  /** A line below the screen that takes no key; null removes it. */
  | { readonly _tag: "Hint"; readonly text: string | null }
  /** Why the host is stopped; it then draws nothing and leaves no rows free. Null once it continues. */
  | { readonly _tag: "Stopped"; readonly text: string | null }

export interface AttachedInputOptions {
  readonly keys: InputPath.AttachKeys
  readonly context: Omit<Overlay.OverlayContext, "cols" | "status" | "saved" | "left">
  readonly size: PtySize
  readonly screen: AttachedScreen
  readonly forward: (data: string) => void
  /** Receives the function that passes typed bytes on at once. It returns false for bytes that become an event. */
  readonly straight: (pass: (data: string) => boolean) => void
  /** Sets the terminal's size, and how many rows at its bottom the host leaves free. */
  readonly resize: (size: PtySize, reserved: number) => Effect.Effect<void>
  /** Runs when an overlay first opens, to load its context. */
  readonly opened: Effect.Effect<void, never, Scope.Scope>
  /** Runs when a message is begun, to load earlier ones. */
  readonly capturing: Effect.Effect<void, never, Scope.Scope>
  /** Handles an arrow key in order with other input; the CLI gets it if no entry is recalled. */
  readonly recall: (arrow: Extract<InputPath.PathAction, { readonly _tag: "Arrow" }>) => void
  /** Receives the written message whenever it changes; empty when there is none, or it was abandoned. */
  readonly draft: (text: string) => Effect.Effect<unknown>
  /** Removes the terminal's replies that are not for the CLI from the input. */
  readonly replies: Pick<TerminalReplies, "isCounted" | "isDue" | "take">
  /** Carries out an action, or detaches; a failure comes back as an event. */
  readonly act: (
    doing: Exclude<Overlay.OverlayDoing, { readonly _tag: "PressCommandKey" | "Type" }>,
    status: SessionStatus | null
  ) => Effect.Effect<void, never, Scope.Scope>
}

const recalls = (overlay: Overlay.Overlay): boolean => overlay._tag === "Capture" && overlay.recalled !== null

/** A new message is being written, which may take over the text in the CLI's box. */
const isNew = (overlay: Overlay.Overlay): overlay is Capture.Capture =>
  overlay._tag === "Capture" && overlay.edits === null

/** The rows of an overlay: most of a large screen, and all of the smallest. */
const roomOn = ({ rows }: PtySize): number => Math.min(Math.max(2, Math.floor(rows * 0.6)), Math.max(1, rows - 1))

/** Routes all input through tokenizer and stages to the CLI or the overlay, until interrupted. */
export const attachedInput = Effect.fn("attachedInput")(function* (
  events: Queue.Dequeue<AttachedEvent>,
  options: AttachedInputOptions
) {
  const { keys, replies, screen } = options
  let { size } = options
  let context: Overlay.OverlayContext = {
    ...options.context,
    cols: size.cols,
    status: null,
    saved: [],
    left: false
  }
  let tokens = InputTokens.start
  let path = InputPath.start
  let overlay: Overlay.Overlay | null = null
  let overlayKeys: Keys.PartState = Keys.start
  let commandKey = ""
  let reserved = 0
  let hint: string | null = null
  let stopped: string | null = null
  let wasOpened = false
  let draft = ""
  let captured = false
  /** Another program is about to get the terminal, so no input is for the CLI. */
  let isLeaving = false
  /** When a pending token is accepted as it is, if nothing more arrives. */
  let tokenDue: number | null = null

  /** Input for the CLI, which is sent in one piece, before any later action. */
  let typed = ""
  const flush = Effect.suspend(() => {
    const data = typed
    typed = ""
    if (data !== "") options.forward(data)
    return Effect.void
  })

  const open = Effect.fnUntraced(function* (opened: Overlay.Overlay) {
    overlay = opened
    overlayKeys = Keys.start
    if (!wasOpened) yield* options.opened
    wasOpened = true
  })

  const press = Effect.fnUntraced(function* (key: Keys.Key) {
    if (overlay === null) return
    const turned = Overlay.press(overlay, key, context, yield* Clock.currentTimeMillis)
    if (
      overlay._tag === "Capture" &&
      turned.overlay !== overlay &&
      (turned.overlay === null || recalls(turned.overlay))
    )
      context = { ...context, left: false }
    overlay = turned.overlay
    for (const doing of turned.doing) {
      // not abandoned: the stored draft is kept until the message has been sent
      if (doing._tag === "Send") draft = ""
      if (doing._tag === "Detach") isLeaving = true
      if (doing._tag === "PressCommandKey") typed += commandKey
      else if (doing._tag === "Type") typed += doing.data
      else {
        yield* flush
        yield* options.act(doing, context.status)
      }
    }
  })

  const perform = Effect.fnUntraced(function* (action: InputPath.PathAction) {
    switch (action._tag) {
      case "Forward":
        typed += action.data
        return
      case "Detach":
      case "Suspend":
        isLeaving = true
        yield* flush
        return yield* options.act({ _tag: action._tag }, context.status)
      case "Command":
        commandKey = action.data
        return yield* open(Menu.menu)
      case "Capture":
        return yield* open(Capture.begunBy(action.data))
      case "Arrow":
        yield* flush
        return options.recall(action)
      case "Overlay": {
        const { token } = action
        // pressed twice, the key goes to the CLI, as in tmux
        if (overlay?._tag === "Menu" && InputPath.isPress(keys.command, token)) {
          typed += token.data
          overlay = null
          return
        }
        const decoded = Keys.keysIn(overlayKeys, token)
        overlayKeys = decoded.state
        for (const key of decoded.keys) yield* press(key)
      }
    }
  })

  const take = Effect.fnUntraced(function* (next: InputTokens.Tokens) {
    tokens = next.state
    for (const token of next.tokens) {
      if ((token._tag === "Reply" && replies.take(token.data)) || isLeaving) continue
      const routed = InputPath.route(keys, path, token, overlay !== null, yield* Clock.currentTimeMillis)
      path = routed.state
      for (const action of routed.actions) yield* perform(action)
    }
  })

  const flushHeld = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (tokenDue !== null && now >= tokenDue) yield* take(InputTokens.flushHeld(tokens, now))
    if (InputPath.timeout(path, now) === 0) {
      const routed = InputPath.flushHeld(path)
      path = routed.state
      for (const action of routed.actions) yield* perform(action)
    }
  })

  const show = Effect.gen(function* () {
    const room = roomOn(size)
    const line = stopped ?? hint
    const rows =
      overlay === null
        ? line === null || size.rows < 3
          ? null
          : Overlay.hintRow(line, size.cols)
        : Overlay.steady(
            Overlay.rowsOf(overlay, context, { cols: size.cols, rows: room }),
            reserved > room ? 0 : reserved
          )
    yield* screen.overlay(rows === null || stopped === null ? rows : { ...rows, over: true }, size)
    const wanted = rows?.lines.length ?? 0
    if (wanted === reserved) return
    reserved = wanted
    yield* options.resize(size, wanted)
  })

  const clock = yield* Clock.Clock
  let idle = false
  options.straight((data) => {
    if (!idle || isLeaving || overlay !== null || Queue.sizeUnsafe(events) > 0) return false
    if (replies.isCounted() && data.includes("\x1b")) return false
    const passed = InputPath.straight(keys, { tokens, path }, data, clock.currentTimeMillisUnsafe())
    if (passed === null) return false
    tokens = passed.tokens
    path = passed.path
    if (passed.forward !== "") options.forward(passed.forward)
    return true
  })

  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const waits = [tokenDue === null ? null : Math.max(0, tokenDue - now), InputPath.timeout(path, now)]
    const wait = waits.reduce<number | null>((least, one) => (one === null ? least : Math.min(one, least ?? one)), null)
    idle = wait === null
    const event: Option.Option<AttachedEvent> =
      wait === null ? Option.some(yield* Queue.take(events)) : yield* Effect.timeoutOption(Queue.take(events), wait)
    idle = false
    if (Option.isNone(event)) yield* flushHeld
    else {
      switch (event.value._tag) {
        case "Bytes":
          yield* take(InputTokens.take(tokens, event.value.data, yield* Clock.currentTimeMillis, replies.isDue()))
          break
        case "Size":
          size = event.value.size
          context = { ...context, cols: size.cols }
          yield* options.resize(size, reserved)
          break
        case "Status":
          context = { ...context, status: event.value.status }
          break
        case "Saved":
          context = { ...context, saved: event.value.saved, left: event.value.left ?? context.left }
          break
        case "Taken":
          if (overlay !== null && isNew(overlay)) overlay = Capture.takenOver(overlay, event.value.text)
          // the message was sent or abandoned before
          else yield* options.act({ _tag: "PutBack", text: event.value.text }, context.status)
          break
        case "Pictured":
          if (overlay?._tag === "Capture") overlay = Capture.pictured(overlay, event.value.path)
          break
        case "Told":
          if (overlay !== null) overlay = Overlay.tell(overlay, event.value.note)
          break
        case "Read":
          if (overlay !== null) overlay = Overlay.read(overlay, event.value.text)
          break
        case "Hint":
          hint = event.value.text
          break
        case "Stopped":
          stopped = event.value.text
          break
        case "Failed":
          if (overlay === null) yield* open(event.value.back)
          else overlay = Overlay.tell(overlay, event.value.back.note ?? "")
          break
      }
    }
    yield* flush
    // the screen first; the draft on the disk can wait
    if (overlay !== null || hint !== null || stopped !== null || reserved > 0) yield* show
    const captures = overlay !== null && isNew(overlay)
    if (captures && !captured) yield* options.capturing
    captured = captures
    const written = overlay !== null && isNew(overlay) ? Capture.draftOf(overlay) : ""
    if (written !== draft) yield* options.draft(written)
    draft = written
    // other events do not change the timeout of pending input
    if (Option.isNone(event) || event.value._tag === "Bytes") {
      const timeout = InputTokens.timeout(tokens, replies.isDue())
      tokenDue = timeout === null ? null : (yield* Clock.currentTimeMillis) + timeout
    }
  }
})
