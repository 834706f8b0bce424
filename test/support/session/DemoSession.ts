import { reasonWords } from "../../../src/domain/words/wording/reasonWords.ts"
import { Result } from "effect"
import { lastTurn } from "../../../src/domain/engine/delivery/lastTurn.ts"
import * as Driver from "../../../src/domain/engine/machine/Driver.ts"
import { explain } from "../../../src/domain/engine/machine/explain.ts"
import type { MachineEvent } from "../../../src/domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../../src/domain/engine/machine/SessionMachine.ts"
import { demoDetection } from "../../../src/domain/providers/demo/Detection.ts"
import { demoInput } from "../../../src/domain/providers/demo/Input.ts"
import { demoPermissions } from "../../../src/domain/providers/demo/Permissions.ts"
import * as Queue from "../../../src/domain/engine/queue/Queue.ts"
import { defaultModes, type LastTurn, type SessionState } from "../../../src/domain/words/session/Session.ts"
import type { QueuedMessage } from "../../../src/domain/words/session/Message.ts"
import type { SessionEvent } from "../../../src/domain/words/session/SessionEvent.ts"
import { SimulatedDemo } from "./SimulatedDemo.ts"

const driver = Driver.driver({ detection: demoDetection, input: demoInput, permissions: demoPermissions })

/** The machine over the simulated demo CLI, with a user at its terminal whose keys are held as a host holds them. */
export class DemoSession {
  readonly demo: SimulatedDemo
  /** What the machine wrote, and the user, in order. */
  readonly written: Array<string> = []
  /** Shown each state that the machine comes to, by those who ask. */
  watch: (memory: SessionMachine.SessionMemory) => void = () => {}
  /** How often an answer was taken out of the box. */
  takenBack = 0
  private takesBack = false
  private memory: SessionMachine.SessionMemory
  private held: Array<string> | null = null
  private readonly inbox: Array<MachineEvent> = []
  private isDriving = false

  constructor(reports = true) {
    const at = 1_000_000
    this.memory = SessionMachine.start({ at, modes: defaultModes, queue: Queue.emptyQueue })
    this.demo = new SimulatedDemo(at, (event) => this.take(event), reports)
  }

  /** Why it is in its state, and what its messages wait for. */
  get explanation() {
    return explain({ detection: demoDetection })(this.memory, this.demo.now)
  }

  get state(): SessionState {
    return this.memory.tracker.view.state
  }

  /** The user's keys wait. */
  get isHolding(): boolean {
    return this.held !== null
  }

  /** The last frame that the host has read shows a dialog. */
  get showsDialog(): boolean {
    return this.memory.tracker.facts.screen.dialog !== null
  }

  get lastTurn(): LastTurn | null {
    return lastTurn(this.memory.delivery.evidence)
  }

  get why(): string {
    return reasonWords(this.memory.tracker.view)
  }

  message(id: string): QueuedMessage | null {
    return Queue.find(this.memory.delivery.queue, id)?.message ?? null
  }

  /** What is said of a message's turn: its outcome, else its status. */
  outcome(id: string): string {
    const message = this.message(id)
    if (message !== null && Queue.isFailed(message)) return "failed"
    return message?.status === "done" ? (message.outcome ?? "done") : (message?.status ?? "lost")
  }

  /** The user's word that a held message may go, or all of them. */
  release(id: string | null = null): void {
    const change = Queue.release(this.memory.delivery.queue, id, this.demo.now)
    if (Result.isFailure(change)) return
    const { records, resumes } = change.success
    this.take({ _tag: "QueueChanged", at: this.demo.now, records, ...(resumes === undefined ? {} : { resumes }) })
  }

  add(id: string, text: string, force = false): boolean {
    const at = this.demo.now
    const change = Queue.add(this.memory.delivery.queue, { id, text, at, images: [], front: false, force })
    if (Result.isFailure(change)) return false
    this.take({ _tag: "QueueChanged", at, records: change.success.records })
    return true
  }

  /** The user presses keys. */
  press(keys: string): void {
    if (this.held !== null) return void this.held.push(keys)
    this.written.push(keys)
    this.demo.write(keys, "user")
    const kinds = [...keys].map((key) => (key === "\r" ? "enter" : key === "\x1b" ? "escape" : "text"))
    this.take({ _tag: "Input", at: this.demo.now, keys: kinds, by: "user" })
  }

  /** leap types an answer to the dialog that its last frame shows. */
  answer(text: string): void {
    this.written.push(text)
    this.demo.write(text)
    this.take({ _tag: "Input", at: this.demo.now, keys: ["text"], by: "leap", answer: text })
  }

  /** leap presses the CLI's interrupt key. */
  interrupt(): void {
    this.demo.write(demoInput.interrupt)
    this.take({ _tag: "Input", at: this.demo.now, keys: ["escape"], by: "leap" })
  }

  /** leap puts a text of the user's into the box. */
  put(text: string): void {
    this.demo.write(text, "user")
    this.take({ _tag: "Input", at: this.demo.now, keys: ["paste"], by: "leap" })
  }

  /** Something that the simulated CLI does not do comes by itself. */
  tell(event: SessionEvent): void {
    this.take(event)
  }

  /** Lets time pass. `late`: what is due at the same time as a tick comes before it. */
  run(span: number, late = true): void {
    const end = this.demo.now + span
    for (let steps = 0; ; steps++) {
      if (steps > 100_000) throw new Error(`something is to happen at ${this.demo.now} for ever`)
      const wake = SessionMachine.wakeAt(this.memory)
      const tick = wake === null ? Infinity : Math.max(wake, this.demo.hostResumes)
      const next = this.demo.next ?? Infinity
      if (Math.min(tick, next) > end) break
      if (tick < next || (tick === next && !late)) {
        this.demo.advanceTo(tick)
        this.take({ _tag: "Tick", at: this.demo.now })
      } else this.demo.advance(next)
    }
    this.demo.advance(end)
  }

  private take(event: MachineEvent): void {
    this.inbox.push(event)
    if (this.isDriving) return
    this.isDriving = true
    for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
      this.memory = driver.drain(this.memory, next, (command) => {
        const at = this.demo.now
        if (command._tag === "Append") return { _tag: "Recorded", at, records: command.records }
        if (command._tag === "Announce" && command.message.includes("too late for its dialog")) this.takesBack = true
        if (command._tag === "Write") {
          this.written.push(command.data)
          this.demo.write(command.data, this.takesBack ? "answer" : "leap")
          if (this.takesBack) this.takenBack++
          this.takesBack = false
        }
        if (command._tag === "HoldKeys") this.hold(command.on)
        return null
      })
      this.watch(this.memory)
    }
    this.isDriving = false
  }

  private hold(on: boolean): void {
    const keys = this.held ?? []
    this.held = on ? keys : null
    if (!on) for (const key of keys) this.press(key)
  }
}
