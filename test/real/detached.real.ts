import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { openSlowTerminal } from "../support/processes/SlowTerminal.ts"
import * as PtyNode from "../support/ptyNode.ts"
import { isThorough } from "../support/run/thorough.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { bundle } from "./leap.ts"

const size = { cols: 120, rows: 40 }
/** Milliseconds from the start of `leap <tag>` to the key that detaches. */
const moments = isThorough ? [100, 500, 1000, 2000, 4000, 6000] : [500, 2000]
/** Milliseconds that the user may see an empty terminal, and how often as long as later on a busy machine. */
const most = 100
const factor = 4
/** By then nothing that the CLI asked the terminal at its start can still be open. */
const later = 12_000

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))("%s", (id, cli) => {
  it("gives the terminal back at once, however soon after its start it is left", { timeout: 600_000 }, () =>
    hosted(cli, `${id}-detached`, ({ env, leap, project, tag }) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => leap(["stop", tag, "--force"]))
        const figures: Record<string, number> = {}
        for (const moment of [...moments, later]) {
          const one = `${tag}-${moment}`
          const args = cli.args === undefined ? [] : ["--", ...cli.args]
          figures[moment] = yield* Effect.gen(function* () {
            const terminal = yield* openSlowTerminal(
              [process.execPath, bundle, one, "--cli", id, ...args],
              { cwd: project, env: env as Readonly<Record<string, string>>, delay: 2 },
              size
            )
            yield* Effect.sleep(moment)
            const left = performance.now()
            yield* terminal.type("\x1c")
            yield* terminal.left
            yield* Effect.sleep(300)
            assert.strictEqual(terminal.stray(), "", `the shell, left after ${moment} ms`)
            return Math.round(terminal.leftAt() - left)
          }).pipe(Effect.scoped)
          yield* Effect.promise(() => leap(["stop", one, "--force"]).catch(() => ""))
        }
        console.log(id, JSON.stringify(figures))
        const bound = Math.max(most, factor * (figures[later] ?? 0))
        for (const [moment, ms] of Object.entries(figures)) assert.isAtMost(ms, bound, `left after ${moment} ms`)
      }).pipe(Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer)), Effect.runPromise)
    )
  )
})
