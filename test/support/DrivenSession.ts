import { Result } from "effect"
import type { DeliveryCommand } from "../../src/domain/engine/delivery/DeliveryCommand.ts"
import * as Driver from "../../src/domain/engine/machine/Driver.ts"
import {
  isApprovalEvent,
  isBudgetEvent,
  isHookRulesEvent,
  isLogEvent,
  isNightEvent,
  type MachineEvent
} from "../../src/domain/engine/machine/MachineEvent.ts"
import * as Delivery from "../../src/domain/engine/delivery/Delivery.ts"
import * as Queue from "../../src/domain/engine/queue/Queue.ts"
import type { View } from "../../src/domain/words/session/Session.ts"
import { viewOf } from "./brains.ts"
import { blankFacts } from "../../src/domain/words/session/Screen.ts"
import { input } from "./session/SimulatedCli.ts"
import type { Brain } from "./SimulatedHost.ts"
import type { Step } from "./session/trace.ts"

/** A session with no CLI behind it: the test tells its machine what comes, and reads what it would write. */
export class DrivenSession {
  readonly written: Array<{ readonly at: number; readonly purpose: string; readonly data: string }> = []
  now: number
  private readonly brain: Brain

  constructor(makeBrain: (at: number, queue: Queue.QueueState) => Brain) {
    this.now = 1_000_000
    this.brain = makeBrain(this.now, Queue.emptyQueue)
  }

  get queue(): Queue.QueueState {
    return this.brain.queue()
  }

  get why(): string {
    return this.brain.why()
  }

  status(id: string): string {
    return Queue.find(this.queue, id)?.message.status ?? "lost"
  }

  /** Something happens now. */
  tell(...steps: ReadonlyArray<Step>): void {
    for (const step of steps) this.take({ ...step, at: this.now })
  }

  /** Lets time pass, with the ticks that the machine asks for. */
  run(span: number): void {
    const end = this.now + span
    for (let due = this.brain.wakeAt(), ticks = 0; due !== null && due <= end; due = this.brain.wakeAt()) {
      if (ticks++ > 10_000) throw new Error(`the machine wants to be woken at ${due} for ever`)
      this.now = Math.max(this.now, due)
      this.take({ _tag: "Tick", at: this.now })
    }
    this.now = end
  }

  add(id: string, text: string, force = false): void {
    const change = Queue.add(this.queue, { id, text, at: this.now, images: [], front: false, force })
    if (Result.isFailure(change)) throw new Error(change.failure.why)
    this.take({ _tag: "QueueChanged", at: this.now, records: change.success.records })
  }

  private take(event: MachineEvent): void {
    order.drain(this.brain, event, (command) => {
      if (command._tag === "Write") this.written.push({ at: this.now, purpose: command.purpose, data: command.data })
      return command._tag === "Append" ? { _tag: "Recorded", at: this.now, records: command.records } : null
    })
  }
}

/** A brain keeps its memory to itself: the driver orders its commands. */
const order = Driver.make((brain: Brain, event: MachineEvent) => [brain, brain.step(event)] as const)

/** The sender alone: `say` is the word on the session that it hears with the next event, whatever the screen shows. */
export const toldSender = () => {
  let view: View = viewOf(blankFacts, 0)
  const say = (next: Partial<View>): void => {
    view = { ...view, ...next }
  }
  const brain = (at: number, queue: Queue.QueueState): Brain => {
    let memory = Delivery.start(at, view, queue)
    const take = ([next, commands]: ReturnType<typeof Delivery.step>): ReadonlyArray<DeliveryCommand> => {
      memory = next
      return commands
    }
    return {
      step: (event) => {
        if (
          isApprovalEvent(event) ||
          isNightEvent(event) ||
          isBudgetEvent(event) ||
          isHookRulesEvent(event) ||
          isLogEvent(event)
        )
          return []
        switch (event._tag) {
          case "QueueChanged":
          case "Recorded":
          case "NotRecorded":
            return take(Delivery.stepQueue(input, memory, event))
          default:
            return take(Delivery.step(input, memory, event, view))
        }
      },
      wakeAt: () => Delivery.wakeAt(memory),
      queue: () => memory.queue,
      unwritten: () => memory.unwritten,
      why: () => view.state
    }
  }
  return { say, brain }
}
