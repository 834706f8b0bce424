import { sessionReader } from "../../../src/domain/cli/provider/ScreenReading.ts"
import type { Command } from "../../../src/domain/engine/machine/Command.ts"
import type { MachineEvent } from "../../../src/domain/engine/machine/MachineEvent.ts"
import { Effect, type Scope } from "effect"
import { busy, modelPicker, permission } from "./claudeScreens.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as OutputScanner from "../../../src/domain/terminal/sequences/OutputScanner.ts"
import type { QueueState } from "../../../src/domain/engine/queue/Queue.ts"
import type { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import type { Modes } from "../../../src/domain/words/session/Session.ts"
import * as SessionMachine from "../../../src/domain/engine/machine/SessionMachine.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { input } from "./SimulatedCli.ts"
import type { Brain } from "../SimulatedHost.ts"
import { cut } from "../data/streams.ts"

const rule = "─".repeat(80)

/** The rows in which Claude Code would show what the simulated CLI has on its screen. */
const rowsOf = ({ box, dialog, picker, working }: ScreenFacts): ReadonlyArray<string> => {
  if (dialog !== null) return permission
  if (box === null || picker) return modelPicker
  const above = working ? busy().slice(0, -5) : ["● Hello."]
  const draft = box.draft.split("\n").map((line, y) => `${y === 0 ? "❯" : " "} ${line}`)
  return [...above, "", rule, ...draft, rule, "", `  ⏸ manual mode on${working ? " · esc to interrupt" : ""}`]
}

/** Every step of a machine under test, with its memory after it. */
export type Watch = (memory: SessionMachine.SessionMemory, commands: ReadonlyArray<Command>, at: number) => void

/**
 * A machine that sees the simulated CLI as a terminal does: its frames are drawn in a real CLI's rows, cut anywhere,
 * emulated and read again by that CLI's provider. Nothing of what the simulation knows reaches the machine but through
 * them.
 */
export const paintedBrain = Effect.fnUntraced(function* (options: {
  readonly provider: Provider
  readonly modes: Modes
  readonly cuts: ReadonlyArray<number>
  readonly watch: Watch
}): Effect.fn.Return<(at: number, queue: QueueState) => Brain, never, Screen | Scope.Scope> {
  const { cuts, modes, provider, watch } = options
  const screen = yield* (yield* Screen).make({ cols: 80, rows: 24, scrollback: 0 })
  const step = SessionMachine.reduce({
    detection: provider.detection,
    input: { ...input, showsPasted: provider.input.showsPasted },
    permissions: provider.permissions
  })
  return (at, queue) => {
    let scanner = OutputScanner.start
    let memory = SessionMachine.start({ at, modes, queue })
    const draw = (facts: ScreenFacts): ScreenFacts => {
      const rows = rowsOf(facts)
      const caret = rows.findLastIndex((row, y) => /^[❯ ] /.test(row) && (rows[y + 1] ?? "") === rule)
      const home = caret < 0 ? "" : `\u001b[${caret + 1};${[...rows[caret]!].length + 1}H`
      for (const piece of cut(
        utf8ToLatin1(`\u001b[?2026h\u001b[2J\u001b[H${rows.join("\r\n")}${home}\u001b[?2026l`),
        cuts
      )) {
        const scanned = OutputScanner.scan(scanner, piece)
        scanner = scanned.state
        for (const { data } of scanned.segments) screen.feed(fromLatin1(data))
      }
      return sessionReader(provider.detection.readScreen)(screen.view())
    }
    return {
      step: (event: MachineEvent) => {
        const [next, commands] = step(
          memory,
          event._tag === "Output" && event.screen !== null ? { ...event, screen: draw(event.screen) } : event
        )
        memory = next
        watch(memory, commands, event.at)
        return commands
      },
      wakeAt: () => SessionMachine.wakeAt(memory),
      queue: () => SessionMachine.queueOf(memory),
      unwritten: () => memory.delivery.unwritten,
      why: () => `${memory.tracker.view.state}: ${memory.tracker.view.reason}`
    }
  }
})
