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
export interface Driven<Memory, Command> {
  readonly memory: Memory
  /** The commands that are left of the last event, the next one first. */
  readonly commands: ReadonlyArray<Command>
}

/** A machine with no command left. */
export const undriven = <Memory>(memory: Memory): Driven<Memory, never> => ({ memory, commands: [] })

/** The driver of a machine with this step. */
export const make = <Memory, Event, Command>(
  step: (memory: Memory, event: Event) => readonly [Memory, ReadonlyArray<Command>]
) => {
  type State = Driven<Memory, Command>

  /** The state after an event. All commands of the event before it have been carried out. */
  const receive = ({ commands, memory }: State, event: Event): State => {
    const [next, more] = step(memory, event)
    return { memory: next, commands: commands.length === 0 ? more : [...commands, ...more] }
  }

  /** The state after the first command has been carried out, with this answer; null for none. */
  const carriedOut = ({ commands, memory }: State, answer: Event | null): State => {
    const left = { memory, commands: commands.slice(1) }
    return answer === null ? left : receive(left, answer)
  }

  /** The memory after an event and all that follows from it, where commands can be carried out at once. */
  const drain = (memory: Memory, event: Event, execute: (command: Command, memory: Memory) => Event | null): Memory => {
    let state: State = receive(undriven(memory), event)
    for (let command = state.commands[0]; command !== undefined; command = state.commands[0])
      state = carriedOut(state, execute(command, state.memory))
    return state.memory
  }

  return { receive, carriedOut, drain }
}

/** The driver of one CLI's session machine. */
export const driver = (profile: SessionMachine.SessionProfile) =>
  make<SessionMachine.SessionMemory, MachineEvent, Command>(SessionMachine.step(profile))
