import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  arrowsBelongToCLI,
  isIdlePromptVisible,
  screenShowsSelectionDialog
} from "../../../../src/domain/engine/tracker/ArrowGate.ts"
import { claudeDetection } from "../../../../src/domain/providers/claude/Detection.ts"
import { codexDetection } from "../../../../src/domain/providers/codex/Detection.ts"
import { copilotDetection } from "../../../../src/domain/providers/copilot/Detection.ts"
import type { Detection } from "../../../../src/domain/cli/provider/Detection.ts"
import { geminiDetection } from "../../../../src/domain/providers/gemini/Detection.ts"
import { opencodeDetection } from "../../../../src/domain/providers/opencode/Detection.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"
import { list, textOf } from "../../../support/recordings/recordings.ts"
import { split } from "../../../support/recordings/score.ts"

/** In the middle of a labelled span that lasts for this long and more the screen shows what the label says. Seconds. */
const settled = 2
/** As many recordings a CLI as give a picture; all of them are scored elsewhere. */
const files = 24

const clis: ReadonlyArray<readonly [string, Detection["readScreen"]]> = [
  ["claude", claudeDetection.readScreen],
  ["codex", codexDetection.readScreen],
  ["gemini", geminiDetection.readScreen],
  ["copilot", copilotDetection.readScreen],
  ["opencode", opencodeDetection.readScreen]
]
/** The label says that the transcript is open from its key on; on the screen it never opened. */
const mislabelled: ReadonlySet<string> = new Set(["codex/local-commands"])

describe("the arrow gate, on recorded screens", () => {
  it.effect.each(clis)(
    "%s",
    ([cli, read]) =>
      Effect.gen(function* () {
        const names = list(cli).filter((name) => !mislabelled.has(name))
        const chosen = names.filter((_, index) => index % Math.max(1, Math.ceil(names.length / files)) === 0)
        const rests: Array<boolean> = []
        let looked = 0
        for (const name of chosen) {
          const { end, truth } = split(textOf(name))
          for (const [index, { state, t }] of truth.entries()) {
            const to = Math.min(truth[index + 1]?.t ?? end, end)
            if (to - t < settled) continue
            const screen = read(yield* screenAt(name, (t + to) / 2))
            const where = `${name} at ${(t + to) / 2}: ${state}`
            looked++
            switch (state) {
              case "needs_permission":
              case "needs_input":
                assert.isTrue(arrowsBelongToCLI("idle", screen, true), where)
                break
              case "picker":
                // Some leave the box with a command in it over what they show.
                assert.isTrue(arrowsBelongToCLI("idle", screen, true) || screen.box?.draft !== "", where)
                break
              case "idle":
              case "interrupted":
              case "churning":
                assert.isNull(screen.dialog, where)
                // A command that is being typed has its menu.
                if (screen.box?.draft === "") assert.isFalse(arrowsBelongToCLI(state, screen, true), where)
                rests.push(isIdlePromptVisible(screen))
                break
              case "running":
                assert.isNull(screen.dialog, where)
                break
              default:
                looked--
            }
            if (screenShowsSelectionDialog(screen)) assert.isFalse(isIdlePromptVisible(screen), where)
          }
        }
        assert.isAbove(looked, chosen.length, "every recording has something to look at")
        assert.isAbove(
          rests.filter((visible) => visible).length,
          rests.length * 0.6,
          "at rest the prompt is there, but for what the user does"
        )
      }).pipe(Effect.provide(ScreenXterm.layer)),
    60_000
  )
})
