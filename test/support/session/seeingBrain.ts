import type { Command } from "../../../src/domain/engine/machine/Command.ts"
import * as SessionMachine from "../../../src/domain/engine/machine/SessionMachine.ts"
import type { QueueState } from "../../../src/domain/engine/queue/Queue.ts"
import type { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import type { Modes } from "../../../src/domain/words/session/Session.ts"
import { reasonWords } from "../../../src/domain/words/wording/reasonWords.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import type { Brain } from "../SimulatedHost.ts"
import { input } from "./SimulatedCli.ts"

/** Every step of a machine under test, with its memory after it. */
export type Watch = (memory: SessionMachine.SessionMemory, commands: ReadonlyArray<Command>, at: number) => void

/** A machine as a brain, from a memory on. */
export const machineBrain = (
  step: ReturnType<typeof SessionMachine.reduce>,
  start: SessionMachine.SessionMemory,
  watch: Watch
): Brain => {
  let memory = start
  return {
    step: (event) => {
      const [next, commands] = step(memory, event)
      memory = next
      watch(memory, commands, event.at)
      return commands
    },
    wakeAt: () => SessionMachine.wakeAt(memory),
    queue: () => memory.delivery.queue,
    unwritten: () => memory.delivery.unwritten,
    why: () => {
      const view = SessionMachine.viewOf(memory)
      return `${view.state}: ${reasonWords(view)}`
    }
  }
}

/** A machine that knows of the simulated CLI's screen what `sees` makes of it, and types with that CLI's keys. */
export const seeingBrain =
  ({
    modes,
    provider,
    sees,
    watch = () => {}
  }: {
    readonly provider: Pick<Provider, "detection" | "permissions"> & {
      readonly input: Pick<Provider["input"], "showsPasted">
    }
    readonly modes: Modes
    readonly sees: (shown: ScreenFacts) => ScreenFacts | null
    readonly watch?: Watch
  }) =>
  (at: number, queue: QueueState): Brain => {
    const { detection, permissions } = provider
    const showsPasted = provider.input.showsPasted
    const step = SessionMachine.reduce({ detection, input: { ...input, showsPasted }, permissions })
    return machineBrain(
      (memory, event) =>
        step(
          memory,
          event._tag === "Output" && event.screen !== null ? { ...event, screen: sees(event.screen) } : event
        ),
      SessionMachine.start({ at, modes, queue }),
      watch
    )
  }
