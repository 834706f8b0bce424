import { Clock, Effect, FiberHandle, FiberSet, Schedule, Semaphore, Stream } from "effect"
import { decisionEvent, decisionIn } from "../../../src/demoCli/hooks.ts"
import { entryOf, type HistoryEntry } from "../../../src/demoCli/terminal.ts"
import { decode, flushPending } from "../../../src/demoCli/keys.ts"
import { type DemoCommand, type ModelEvent, initial, type Model } from "../../../src/demoCli/model.ts"
import { clearStatus, statusRecords, statusReports, title } from "../../../src/demoCli/terminal.ts"
import { update } from "../../../src/demoCli/update.ts"
import { encodeRow, frame, paint } from "../../../src/demoCli/view.ts"
import type { FakeChild } from "../fakes/PtyFake.ts"

/** How the scripted CLI behaves. */
export interface DemoOptions {
  /** A factor on all its pauses. */
  readonly pace: number
  /** Calls a hook, and gives what it printed. */
  readonly hook: (event: string, payload: object) => Effect.Effect<string | null>
  /** Takes what its history file gets. */
  readonly keep?: (entry: HistoryEntry) => Effect.Effect<void>
  /** It speaks program status; it does unless told not to. */
  readonly reports?: boolean
}

/** What the demo CLI did: the truth about what reached it. */
export interface DemoEvent {
  readonly event: string
  readonly text: string
}

const enter = "\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?25l\x1b[>0q\x1b[?u"
const statusQuery = "\x1b]7501;?\x1b\\"
const quit = "\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1049l"
const animationPeriod = "120 millis"
const drawDelay = "8 millis"
const escapeDelay = "40 millis"

/**
 * The bundled demo CLI on a fake pseudo-terminal: its own model, keys and view, with Effect's clock instead of the
 * process's. It runs until it exits or the scope ends.
 */
export const runDemo = Effect.fn("runDemo")(function* (
  child: FakeChild,
  { hook, keep = () => Effect.void, pace, reports = true }: DemoOptions
) {
  const log: Array<DemoEvent> = []
  const run = yield* FiberSet.runtime(yield* FiberSet.make())<never>()
  const decide = yield* FiberHandle.runtime(yield* FiberHandle.make())<never>()
  const settling = yield* FiberHandle.runtime(yield* FiberHandle.make())<never>()
  const drawing = yield* FiberHandle.runtime(yield* FiberHandle.make())<never>()
  // One hook behind the other.
  const hooks = yield* Semaphore.make(1)
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  let model: Model = initial(child.options.size)
  let drawn: ReadonlyArray<string> | null = null
  let reported: ReadonlyMap<string, string> = new Map()
  let titled = ""
  let pending = ""
  let willDraw = false
  let hasKeyboard = false

  const print = (text: string): void => {
    if (text !== "") child.printUnsafe(text)
  }
  const later = (ms: number, event: () => ModelEvent): void =>
    void run(
      Effect.andThen(
        Effect.sleep(ms * pace),
        Effect.sync(() => dispatch(event()))
      )
    )
  const callHook = (event: string, fields: object) => {
    const payload = { session_id: "demo-session", cwd: child.options.cwd, hook_event_name: event, ...fields }
    return hooks.withPermits(1)(hook(event, payload))
  }

  const perform = (command: DemoCommand): void => {
    switch (command.type) {
      case "log":
        return void log.push({ event: command.event, text: command.text })
      case "saveDraft":
        return void run(keep(entryOf(command.draft, child.options.cwd)))
      case "wait":
        return later(command.ms, () => ({ type: "commandEnded", token: command.token, at: now() }))
      case "remind":
        return later(command.ms, () => ({ type: "waiting", token: command.token }))
      case "background":
        return later(command.ms, () => ({ type: "backgroundEnded", id: command.id, at: now() }))
      case "abortHooks":
        return void decide(Effect.void)
      case "exit":
        return exit()
      case "hook": {
        const { token } = command
        const next = () => {
          if (token !== null) dispatch({ type: "commandEnded", token, at: now() })
        }
        return void run(Effect.map(callHook(command.event, command.fields), next))
      }
      case "decide": {
        const take = (printed: string | null) => {
          const decision = decisionIn(printed === null ? [] : [printed])
          if (decision !== null)
            run(Effect.sync(() => dispatch({ type: "decided", token: command.token, decision, at: now() })))
        }
        return void decide(Effect.map(callHook(decisionEvent, command.fields), take))
      }
      case "flood": {
        const screen = paint(null, frame(model, now()).map(encodeRow))
        print(screen.repeat(Math.ceil((command.kilobytes * 1024) / screen.length)))
        return later(0, () => ({ type: "commandEnded", token: command.token, at: now() }))
      }
      case "nested": {
        const nested = hook("Nested", { session_id: "nested-session" })
        return void run(Effect.map(nested, () => dispatch({ type: "commandEnded", token: command.token, at: now() })))
      }
    }
  }
  const dispatch = (event: ModelEvent): void => {
    const { commands, model: changed } = update(model, event)
    if (changed.size !== model.size) drawn = null
    model = changed
    commands.forEach(perform)
    show()
  }
  /** Reports the state at once; draws a moment later, so that a burst is one frame. */
  const show = (): void => {
    const named = title(model, now())
    if (named !== titled) print((titled = named))
    if (model.terminalShowsStatus) {
      const records = statusRecords(model)
      print(statusReports(reported, records))
      reported = records
    }
    if (willDraw) return
    willDraw = true
    drawing(
      Effect.map(Effect.sleep(drawDelay), () => {
        willDraw = false
        const rows = frame(model, now()).map(encodeRow)
        print(paint(drawn, rows))
        drawn = rows
      })
    )
  }
  const exit = (): void => {
    print(`${model.terminalShowsStatus ? clearStatus : ""}${hasKeyboard ? "\x1b[<u" : ""}\x1b]0;\x07${quit}`)
    run(child.exit(0))
  }
  const take = ({ keys, pending: rest }: ReturnType<typeof decode>): void => {
    pending = rest
    for (const key of keys) {
      if (key.key === "reply" && key.to === "keyboard" && !hasKeyboard) {
        hasKeyboard = true
        print("\x1b[>1u")
      }
      dispatch({ type: "key", key, at: now() })
    }
  }

  print(`${enter}${reports ? statusQuery : ""}\x1b[c`)
  run(callHook("SessionStart", { source: "startup", model: model.modelName }))
  log.push({ event: "started", text: "" })
  show()
  yield* child.input.pipe(
    Stream.runForEach((latin1) =>
      Effect.sync(() => {
        take(decode(pending, Buffer.from(latin1, "latin1").toString("utf8")))
        if (pending === "") settling(Effect.void)
        else settling(Effect.map(Effect.sleep(escapeDelay), () => take(flushPending(pending))))
      })
    ),
    Effect.forkScoped
  )
  yield* child.resizes.pipe(
    Stream.runForEach((size) => Effect.sync(() => dispatch({ type: "resized", size }))),
    Effect.forkScoped
  )
  yield* Effect.sync(() => {
    if (model.turn !== null) show()
  }).pipe(Effect.repeat(Schedule.spaced(animationPeriod)), Effect.forkScoped)
  return {
    log,
    /** The texts of the events of this kind. */
    texts: (event: string) => log.flatMap((entry) => (entry.event === event ? [entry.text] : []))
  }
})
