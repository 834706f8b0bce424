import { holdLeftovers } from "../../src/domain/engine/queue/Leftovers.ts"
import { Result } from "effect"
import type { Command } from "../../src/domain/engine/machine/Command.ts"
import * as Driver from "../../src/domain/engine/machine/Driver.ts"
import type { BudgetEvent } from "../../src/domain/engine/delivery/HookGuard.ts"
import type { LogEvent, MachineEvent } from "../../src/domain/engine/machine/MachineEvent.ts"
import * as Queue from "../../src/domain/engine/queue/Queue.ts"
import type { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import { SimulatedCli } from "./session/SimulatedCli.ts"

/** The machine under test, whatever it is made of. */
export interface Brain {
  readonly step: (event: MachineEvent) => ReadonlyArray<Command>
  readonly wakeAt: () => number | null
  readonly queue: () => Queue.QueueState
  /** What the log is owed while keys are held. */
  readonly unwritten: () => ReadonlyArray<Queue.QueueRecord>
  /** What it takes the session to do, for people. */
  readonly why: () => string
}

/** A write of leap's. `overlaid`: for how long the terminal had been showing an overlay by then. */
export interface Written {
  readonly at: number
  readonly data: string
  readonly purpose: string
  readonly overlaid: number | null
}

/** A brain keeps its memory to itself: the driver orders its commands. */
const order = Driver.make((brain: Brain, event: MachineEvent) => [brain, brain.step(event)] as const)

/**
 * A host around the machine: executes its commands in the driver's order, keeps a log, holds keys, wakes it when
 * it asks, and can be killed between any two commands. After a kill a new host and a new CLI start on the log.
 */
export class SimulatedHost {
  readonly log: Array<Queue.QueueRecord> = []
  readonly written: Array<Written> = []
  readonly said: Array<string> = []
  readonly prompts: Array<SimulatedCli["prompts"][number]> = []
  private readonly answered: Array<SimulatedCli["answered"][number]> = []
  /** How often the user said that a message may go out. */
  readonly allowed = new Map<string, number>()
  readonly accepted: Array<string> = []
  longestHold = 0
  kills = 0
  /** How often the CLI was made to draw anew. */
  redraws = 0
  diskFull = false
  /** Milliseconds that a record takes to be durable; what happens meanwhile is heard after it. */
  diskDelay = 0
  /** What is told of messages in other words. */
  reworded: (why: string) => string = (why) => why
  /** Commands until the host is killed; null for never. */
  killIn: number | null = null
  cli: SimulatedCli
  private brain: Brain
  private heldSince: number | null = null
  private heldKeys: Array<string> = []
  private readonly inbox: Array<SessionEvent> = []
  private readonly makeBrain: (at: number, queue: Queue.QueueState) => Brain
  private readonly configure: (cli: SimulatedCli) => void

  constructor(
    makeBrain: (at: number, queue: Queue.QueueState) => Brain,
    configure: (cli: SimulatedCli) => void = () => {}
  ) {
    this.makeBrain = makeBrain
    this.configure = configure
    this.cli = this.startCli(1_000)
    this.brain = makeBrain(1_000, Queue.emptyQueue)
  }

  get now(): number {
    return this.cli.now
  }

  get queue(): Queue.QueueState {
    return this.brain.queue()
  }

  get keysHeld(): boolean {
    return this.heldSince !== null
  }

  get why(): string {
    return this.brain.why()
  }

  status(id: string): string {
    return Queue.find(this.queue, id)?.message.status ?? "lost"
  }

  /** Lets time pass: the CLI's events, and the ticks that the machine asked for. */
  run(span: number): void {
    const end = this.now + span
    for (;;) {
      this.drain()
      const wake = this.brain.wakeAt()
      const next = Math.min(this.cli.next ?? Infinity, wake ?? Infinity)
      if (next > end) break
      const before = this.now
      this.cli.advance(Math.max(next, before))
      this.drain()
      if (wake !== null && wake <= this.now) {
        if (this.ticks++ > 100_000)
          throw new Error(`the machine wants to be woken at ${wake} for ever (now ${this.now})`)
        this.take({ _tag: "Tick", at: this.now })
      }
    }
    this.cli.advance(end)
    this.drain()
  }
  private ticks = 0

  /** A user's operation on the queue, durable before the machine hears of it. */
  change(change: Result.Result<Queue.QueueChange, Queue.QueueRefusal>): boolean {
    if (Result.isFailure(change) || this.diskFull) return false
    const { records, resumes } = change.success
    const owed = records.length === 0 ? [] : this.brain.unwritten()
    this.log.push(...owed, ...records)
    if (owed.length > 0) this.take({ _tag: "Recorded", at: this.now, records: owed })
    for (const record of records) {
      if (record._tag === "Accepted") this.accepted.push(record.message.id)
      if (record._tag === "Released") this.allowed.set(record.id, (this.allowed.get(record.id) ?? 0) + 1)
    }
    if (records.length > 0 || resumes !== undefined)
      this.take({ _tag: "QueueChanged", at: this.now, records, ...(resumes === undefined ? {} : { resumes }) })
    return true
  }

  add(id: string, text: string, more: { readonly front?: boolean; readonly force?: boolean } = {}): boolean {
    return this.change(
      Queue.add(this.queue, {
        id,
        text,
        at: this.now,
        images: [],
        front: more.front ?? false,
        force: more.force ?? false
      })
    )
  }

  /** The user presses a key. */
  press(key: string): void {
    if (this.heldSince === null) this.toCli(key)
    else this.heldKeys.push(key)
  }

  /** Something is told that the CLI itself does not tell of its own accord. */
  tell(event: SessionEvent | BudgetEvent | LogEvent): void {
    this.take(event)
  }

  /** A key that gets past the host although keys are held: it was on its way already. */
  slip(key: string): void {
    this.toCli(key)
  }

  /** The machine sleeps, or its clock is set forward: what is due meanwhile comes late. */
  sleep(span: number): void {
    this.cli.now += span
  }

  /** The host is killed, and another starts on what it left; `later`: by how much its clock differs. */
  kill(later = 0): void {
    this.killIn = null
    this.kills++
    this.prompts.push(...this.cli.prompts)
    this.answered.push(...this.cli.answered)
    this.inbox.length = 0
    this.heldSince = null
    this.heldKeys = []
    const at = this.now + later
    const left = Queue.replayLog(this.log)
    const records = holdLeftovers(left, at)
    this.log.push(...records)
    this.cli = this.startCli(at)
    this.brain = this.makeBrain(at, Queue.replayLog(records, left))
  }

  /** Every prompt that any CLI of this session took. */
  allPrompts(): ReadonlyArray<SimulatedCli["prompts"][number]> {
    return [...this.prompts, ...this.cli.prompts]
  }

  /** Every prompt that any CLI of this session answered. */
  allAnswered(): ReadonlyArray<SimulatedCli["answered"][number]> {
    return [...this.answered, ...this.cli.answered]
  }

  private startCli(at: number): SimulatedCli {
    const cli = new SimulatedCli(at, (event) => this.inbox.push(event))
    this.configure(cli)
    return cli
  }

  private drain(): void {
    for (let event = this.inbox.shift(); event !== undefined; event = this.inbox.shift()) this.take(event)
  }

  private toCli(key: string): void {
    this.cli.write(key, "user")
    const kind = key === "\r" ? "enter" : key === "\u001b" ? "escape" : "text"
    this.take({ _tag: "Input", at: this.now, keys: [kind], by: "user" })
  }

  private take(event: MachineEvent): void {
    order.carryOut<void>(this.brain, event, {
      carry: (command, _, goOn) => {
        if (this.killIn !== null && this.killIn-- === 0) return this.kill()
        goOn(this.execute(command))
      },
      end: () => {}
    })
  }

  private execute(command: Command): MachineEvent | null {
    switch (command._tag) {
      case "Announce":
        this.said.push(command.message)
        return null
      case "HoldKeys": {
        if (command.on) {
          this.heldSince ??= this.now
          return null
        }
        this.longestHold = Math.max(this.longestHold, this.now - (this.heldSince ?? this.now))
        this.heldSince = null
        const keys = this.heldKeys
        this.heldKeys = []
        for (const key of keys) {
          this.cli.write(key, "user")
          this.inbox.push({ _tag: "Input", at: this.now, keys: [key === "\r" ? "enter" : "text"], by: "user" })
        }
        return null
      }
      case "Append": {
        const records = command.records.map((record) =>
          "why" in record && record.why !== null ? { ...record, why: this.reworded(record.why) } : record
        )
        this.cli.advance(this.now + this.diskDelay)
        if (this.diskFull) return { _tag: "NotRecorded", at: this.now, records, why: "the disk is full" }
        this.log.push(...records)
        return { _tag: "Recorded", at: this.now, records }
      }
      case "Redraw":
        this.redraws++
        this.cli.redraw()
        return null
      case "Write": {
        const shown = this.cli.overlayDrawnAt
        this.written.push({
          at: this.now,
          data: command.data,
          purpose: command.purpose,
          overlaid: shown === null ? null : this.now - shown
        })
        this.cli.write(command.data, "leap")
        return null
      }
      default:
        return null
    }
  }
}
