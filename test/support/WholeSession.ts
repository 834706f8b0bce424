import { sessionReader } from "../../src/domain/cli/provider/ScreenReading.ts"
import { Deferred, Effect, Stream } from "effect"
import { fromLatin1 } from "../../src/domain/words/text/Bytes.ts"
import type { DeliveryCommand } from "../../src/domain/engine/delivery/DeliveryCommand.ts"
import * as Queue from "../../src/domain/engine/queue/Queue.ts"
import { defaultModes, type Modes } from "../../src/domain/words/session/Session.ts"
import type { Signal } from "../../src/domain/words/session/Signal.ts"
import * as Driver from "../../src/domain/engine/machine/Driver.ts"
import type { MachineEvent } from "../../src/domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../src/domain/engine/machine/SessionMachine.ts"
import { restoreSequence } from "../../src/domain/terminal/sequences/TerminalModes.ts"
import { makeCliOutput } from "../../src/programs/host/CliOutput.ts"
import { type KeyPress, makeKeyGate } from "../../src/programs/host/KeyGate.ts"
import { makeTerminal } from "../../src/programs/host/Terminal.ts"
import { makeViewers } from "../../src/programs/host/Viewers.ts"
import type { Provider } from "../../src/services/CLIProvider.ts"
import { Screen } from "../../src/services/Screen.ts"
import { allowed } from "./data/queueFixtures.ts"

/** Milliseconds since the epoch at which every session begins. */
export const begin = 1_795_000_000_000

/** A write of leap's own. */
export interface Write {
  readonly at: number
  readonly purpose: Extract<DeliveryCommand, { readonly _tag: "Write" }>["purpose"]
  readonly data: string
}

export interface WholeOptions {
  readonly provider: Provider
  readonly size: { readonly cols: number; readonly rows: number }
  readonly modes?: Modes
  /** Told after every event that the machine took, ticks among them. */
  readonly heard?: (memory: SessionMachine.SessionMemory, event: MachineEvent) => void
  /** Told of every write of leap's, before what it leads to. */
  readonly wrote?: (write: Write, memory: SessionMachine.SessionMemory) => void
}

/**
 * A session from bytes to bytes, with no process and no clock: the CLI's output through the host's own terminal, the
 * real emulator and the provider's reader, a user's bytes through the host's own sorting of them, and the whole machine
 * with its sender. Bytes are latin1; time stands still until it is told to pass.
 */
export const makeWhole = Effect.fn("makeWhole")(function* ({
  heard,
  modes = defaultModes,
  provider,
  size,
  wrote
}: WholeOptions) {
  const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
  const attached = yield* Deferred.make<void>()
  const viewers = makeViewers({
    repaint: () => "",
    withinSequence: () => false,
    screen: { ...screen, size: () => size },
    onSize: () => {},
    onCount: () => Effect.asVoid(Deferred.succeed(attached, undefined))
  })
  yield* viewers
    .attach({ id: "t", size, readOnly: false, programStatus: false })
    .pipe(Stream.runDrain, Effect.forkScoped)
  yield* Deferred.await(attached)
  const driver = Driver.driver(provider)
  const readScreen = sessionReader(provider.detection)
  let memory = SessionMachine.start({ at: begin, modes, queue: Queue.emptyQueue })
  let now = begin

  /** Keys that were held back come while the machine is being driven: as in a host, they wait for their turn. */
  const waiting: Array<MachineEvent> = []
  let driving = false
  const take = (event: MachineEvent): void => {
    waiting.push(event)
    if (driving) return
    driving = true
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) drive(next)
    driving = false
  }
  const drive = (event: MachineEvent): void => {
    let first = true
    const begun = (after: SessionMachine.SessionMemory): void => {
      memory = after
      if (first) heard?.(after, event)
      first = false
    }
    begun(
      driver.drain(memory, event, (command, after) => {
        begun(after)
        if (command._tag === "Write") wrote?.({ at: now, purpose: command.purpose, data: command.data }, after)
        if (command._tag === "HoldKeys") pressed(keyGate.hold(command.on))
        return command._tag === "Append" ? { _tag: "Recorded", at: now, records: command.records } : null
      })
    )
  }
  const keyGate = makeKeyGate(() => {})
  const pressed = (press: KeyPress | null): void => {
    if (press !== null) take({ _tag: "Input", at: now, ...press })
  }
  const terminal = makeTerminal({
    screen: { ...screen, size: () => size },
    scanner: makeCliOutput(),
    viewers,
    write: () => {},
    answer: () => "",
    report: (report) => take({ _tag: "Reported", at: now, report })
  })
  const signals = (source: string, list: ReadonlyArray<Signal>): void => {
    for (const signal of list) take({ _tag: "Signal", at: now, source, signal })
  }
  const look = (): void => {
    const view = screen.view()
    take({ _tag: "Output", at: now, screen: view.whole ? readScreen(view) : null })
  }
  const wait = (span: number): void => {
    const end = now + span
    for (
      let due = SessionMachine.wakeAt(memory), ticks = 0;
      due !== null && due <= end;
      due = SessionMachine.wakeAt(memory)
    ) {
      if (ticks++ > 20_000) throw new Error(`the machine wants to be woken at ${due} for ever`)
      now = Math.max(now, due)
      take({ _tag: "Tick", at: now })
    }
    now = end
  }
  const press = (bytes: string): void => {
    const { continues, forward, keys } = viewers.input("t", bytes, now)
    pressed(keyGate.press({ data: forward, keys, by: "user", continues }))
  }
  return {
    memory: () => memory,
    view: () => memory.tracker.view,
    now: () => now,
    text: screen.text,
    screenView: screen.view,
    /** A chunk of the CLI's output arrives, and the screen is looked at. */
    output: (bytes: string): void => {
      terminal.output(fromLatin1(bytes))
      look()
    },
    /** What undoes the modes that the CLI has set, so that a frame of another session can be drawn. */
    undo: (): string => `${restoreSequence(screen.modes())}\u001b]0;\u0007`,
    resize: (cols: number, rows: number): void => {
      screen.resize(cols, rows)
      take({ _tag: "Resize", at: now, cols, rows })
      look()
    },
    press,
    hook: (event: string, payload: unknown): void =>
      signals(`hook ${event}`, provider.detection.readHook(event, payload)),
    status: (content: unknown): void => signals("session file", provider.detection.readOwnStatus(content)),
    /** The user queues a message. */
    queue: (id: string, text: string, force = false): void =>
      take({
        _tag: "QueueChanged",
        at: now,
        records: allowed(Queue.add(memory.delivery.queue, { id, text, at: now, images: [], front: false, force }))
      }),
    exit: (): void => take({ _tag: "Exited", at: now, exit: { code: 0, signal: null } }),
    wait
  }
})
export type WholeSession = Effect.Success<ReturnType<typeof makeWhole>>
