import type { Command } from "./Command.ts"
import type { MachineEvent } from "./MachineEvent.ts"
import * as SessionMachine from "./SessionMachine.ts"

/**
 * The order of a machine's commands, the same in a host, a replay and a simulation. The commands of one event run one
 * after the other. `Decide` and `Restate` return their answer before the next command runs; the results of `Reply`,
 * `AnswerDialog`, `AwaitHooks` and, in a host, `Append` are later events. The commands that follow from an answer run
 * after the remaining ones, and the next event waits until none is left. No byte of a message is written before its
 * attempt is on disk: the `Write` follows from the `Recorded`.
 */
export interface Hands<Memory, Event, Command, Result> {
  /** Runs one command and continues with its answer or null, now or later. Without `goOn` the run ends here. */
  readonly carry: (command: Command, memory: Memory, goOn: (answer: Event | null) => Result) => Result
  readonly end: (memory: Memory) => Result
}

export const make = <Memory, Event, Command>(
  step: (memory: Memory, event: Event) => readonly [Memory, ReadonlyArray<Command>]
) => {
  /** Handles an event and everything that follows from it. */
  const carryOut = <Result>(memory: Memory, event: Event, hands: Hands<Memory, Event, Command, Result>): Result => {
    const receive = (memory: Memory, event: Event, left: ReadonlyArray<Command>): Result => {
      const [next, more] = step(memory, event)
      return goOn(next, left.length === 0 ? more : [...left, ...more])
    }
    const goOn = (memory: Memory, [command, ...left]: ReadonlyArray<Command>): Result =>
      command === undefined
        ? hands.end(memory)
        : hands.carry(command, memory, (answer) =>
            answer === null ? goOn(memory, left) : receive(memory, answer, left)
          )
    return receive(memory, event, [])
  }

  /** The memory after an event and everything that follows from it, for commands that run immediately. */
  const drain = (memory: Memory, event: Event, execute: (command: Command, memory: Memory) => Event | null): Memory =>
    carryOut<Memory>(memory, event, {
      carry: (command, memory, goOn) => goOn(execute(command, memory)),
      end: (memory) => memory
    })

  return { carryOut, drain }
}

export const driver = (profile: SessionMachine.SessionProfile) =>
  make<SessionMachine.SessionMemory, MachineEvent, Command>(SessionMachine.reduce(profile))
