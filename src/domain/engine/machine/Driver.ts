import type { Command } from "./Command.ts"
import type { MachineEvent } from "./MachineEvent.ts"
import * as SessionMachine from "./SessionMachine.ts"

/**
 * The order in which a machine's commands are carried out, the same in a host, in a replay and in a simulation. The
 * commands of one event are carried out one after the other; `Reply` and `AnswerDialog` are only begun, and what comes
 * of them is an event of its own. A command with an answer (`Append`: what became of its records; `Decide`: the
 * decision) gives it before the next command runs, and the commands that follow from the answer run after those that
 * are left. The next event is taken in when no command is left. Therefore no byte of a message is written before its
 * attempt is on disk: the `Write` follows from the `Recorded`.
 */
export interface Hands<Memory, Event, Command, Result> {
  /**
   * Carries out one command and goes on with its answer, null for none: at once where `Result` is a value, later where
   * it is an effect. What does not go on ends here, with the memory as it is. `memory`: the one by now.
   */
  readonly carry: (command: Command, memory: Memory, goOn: (answer: Event | null) => Result) => Result
  /** No command is left. */
  readonly end: (memory: Memory) => Result
}

/** The driver of a machine with this step. */
export const make = <Memory, Event, Command>(
  step: (memory: Memory, event: Event) => readonly [Memory, ReadonlyArray<Command>]
) => {
  /** Takes in an event and all that follows from it. */
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

  /** The memory after an event and all that follows from it, where commands can be carried out at once. */
  const drain = (memory: Memory, event: Event, execute: (command: Command, memory: Memory) => Event | null): Memory =>
    carryOut<Memory>(memory, event, {
      carry: (command, memory, goOn) => goOn(execute(command, memory)),
      end: (memory) => memory
    })

  return { carryOut, drain }
}

/** The driver of one CLI's session machine. */
export const driver = (profile: SessionMachine.SessionProfile) =>
  make<SessionMachine.SessionMemory, MachineEvent, Command>(SessionMachine.reduce(profile))
