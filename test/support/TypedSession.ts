import { sessionReader } from "../../src/domain/cli/provider/ScreenReading.ts"
import { Deferred, Effect, Stream } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../../src/domain/words/text/Bytes.ts"
import { emptyQueue } from "../../src/domain/engine/queue/Queue.ts"
import { defaultModes, type View } from "../../src/domain/words/session/Session.ts"
import type { KeyKind, SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import * as Driver from "../../src/domain/engine/machine/Driver.ts"
import * as SessionMachine from "../../src/domain/engine/machine/SessionMachine.ts"
import { type KeyPress, makeKeyGate } from "../../src/programs/host/KeyGate.ts"
import { makeViewers } from "../../src/programs/host/Viewers.ts"
import type { Provider } from "../../src/services/CLIProvider.ts"
import { Screen } from "../../src/services/Screen.ts"

/** What one step of a test does to a session. Times are milliseconds. */
export type TypedStep =
  /** The terminal sends these bytes. */
  | { readonly type: string }
  /** The CLI clears its screen and draws these rows; the cursor is left where a box would have it. */
  | { readonly show: ReadonlyArray<string>; readonly title?: string }
  /** Output as it is, one character a byte. */
  | { readonly bytes: string }
  | { readonly hook: string; readonly payload?: unknown }
  | { readonly status: unknown }
  /** leap begins, or ends, to type a message: the user's keys are held meanwhile. */
  | { readonly hold: boolean }
  | { readonly wait: number }

/** What a terminal's bytes became, since it was last asked. */
export interface Typed {
  /** Bytes that reached the CLI, one string for each write. */
  readonly toCli: ReadonlyArray<string>
  /** What the machine heard of them. */
  readonly heard: ReadonlyArray<KeyKind>
  readonly view: View
  readonly stopped: boolean
}

/**
 * One session from a terminal's bytes to the machine's word: the host's own way of keys, with a real emulator and
 * provider.
 */
export const makeTypedSession = Effect.fn("makeTypedSession")(function* (provider: Provider) {
  const screen = yield* (yield* Screen).make({ cols: 80, rows: 24, scrollback: 0 })
  const attached = yield* Deferred.make<void>()
  const viewers = makeViewers({
    repaint: () => "",
    withinSequence: () => false,
    screen: { ...screen, size: () => ({ cols: 80, rows: 24 }) },
    onSize: () => {},
    onCount: () => Effect.asVoid(Deferred.succeed(attached, undefined))
  })
  yield* viewers
    .attach({ id: "t", size: { cols: 80, rows: 24 }, readOnly: false, programStatus: false })
    .pipe(Stream.runDrain, Effect.forkScoped)
  yield* Deferred.await(attached)

  const driver = Driver.driver(provider)
  const readScreen = sessionReader(provider.detection.readScreen)
  let now = 1_000_000
  let memory = SessionMachine.start({ at: now, modes: defaultModes, queue: emptyQueue })
  let toCli: Array<string> = []
  let heard: Array<KeyKind> = []
  const take = (event: SessionEvent): void => {
    memory = driver.drain(memory, event, () => null)
  }
  const keyGate = makeKeyGate((data) => void toCli.push(data))
  const pressed = (press: KeyPress | null): void => {
    if (press === null) return
    heard.push(...press.keys)
    take({ _tag: "Input", at: now, ...press })
  }
  const run = (span: number): void => {
    const end = now + span
    for (let due = SessionMachine.wakeAt(memory); due !== null && due <= end; due = SessionMachine.wakeAt(memory)) {
      now = due
      take({ _tag: "Tick", at: now })
    }
    now = end
  }
  const step = (it: TypedStep): void => {
    if ("type" in it) {
      const { continues, forward, keys } = viewers.input("t", utf8ToLatin1(it.type), now)
      pressed(keyGate.press({ data: forward, keys, by: "user", continues }))
    } else if ("show" in it) {
      const at = it.show.findIndex((row) => row.startsWith("❯"))
      const home = at < 0 ? "" : `\u001b[${at + 1};${it.show[at]!.length + 1}H`
      screen.feed(
        new TextEncoder().encode(`\u001b]0;${it.title ?? ""}\u0007\u001b[2J\u001b[H${it.show.join("\r\n")}${home}`)
      )
      take({ _tag: "Output", at: now, screen: readScreen(screen.view()) })
    } else if ("bytes" in it) {
      screen.feed(fromLatin1(it.bytes))
      const view = screen.view()
      take({ _tag: "Output", at: now, screen: view.whole ? readScreen(view) : null })
    } else if ("hook" in it) {
      for (const signal of provider.detection.readHook(it.hook, it.payload ?? {}))
        take({ _tag: "Signaled", at: now, source: `hook ${it.hook}`, signal })
    } else if ("status" in it) {
      for (const signal of provider.detection.readOwnStatus(it.status))
        take({ _tag: "Signaled", at: now, source: "session file", signal })
    } else if ("hold" in it) pressed(keyGate.hold(it.hold))
    else run(it.wait)
  }
  return {
    play: (steps: ReadonlyArray<TypedStep>): Typed => {
      for (const it of steps) step(it)
      const { facts, view } = memory.tracker
      const typed = { toCli, heard, view, stopped: facts.stop !== null }
      toCli = []
      heard = []
      return typed
    }
  }
})
