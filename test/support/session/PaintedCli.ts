import { sessionReader } from "../../../src/domain/cli/provider/ScreenReading.ts"
import { Effect, type Scope } from "effect"
import { busy, modelPicker, permission } from "./claudeScreens.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as OutputScanner from "../../../src/domain/terminal/sequences/OutputScanner.ts"
import type { QueueState } from "../../../src/domain/engine/queue/Queue.ts"
import type { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import type { Modes } from "../../../src/domain/words/session/Session.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { seeingBrain, type Watch } from "./seeingBrain.ts"
import type { Brain } from "../SimulatedHost.ts"
import { cut } from "../data/streams.ts"

const rule = "─".repeat(80)

/** The rows in which Claude Code would show what the simulated CLI has on its screen. */
export const rowsOf = ({
  box,
  dialog,
  picker,
  working
}: Pick<ScreenFacts, "box" | "dialog" | "picker" | "working">): ReadonlyArray<string> => {
  if (dialog !== null) return permission
  if (box === null || picker) return modelPicker
  const above = working ? busy().slice(0, -5) : ["● Hello."]
  const draft = box.draft.split("\n").map((line, y) => `${y === 0 ? "❯" : " "} ${line}`)
  return [...above, "", rule, ...draft, rule, "", `  ⏸ manual mode on${working ? " · esc to interrupt" : ""}`]
}

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
  return (at, queue) => {
    let scanner = OutputScanner.start
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
      return sessionReader(provider.detection)(screen.view())
    }
    return seeingBrain({ provider, modes, watch, sees: draw })(at, queue)
  }
})
