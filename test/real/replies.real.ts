import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { openSlowTerminal } from "../support/processes/SlowTerminal.ts"
import { builtin } from "../support/providers.ts"
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
const delays = Array.from({ length: 41 }, (_, i) => i * 50).filter((ms) => isThorough || ms % 500 === 350)
const timeout = isThorough ? 1_500_000 : 300_000

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))("%s", (id, cli) => {
  it("gets no answer that its terminal owes leap, however late that comes, nor does the shell", { timeout }, () =>
    hosted(cli, `${id}-replies`, ({ env, project, stays, tag }) =>
      Effect.gen(function* () {
        const provider = builtin.find((one) => one.id === id) ?? assert.fail(`no provider ${id}`)
        yield* Effect.forEach(delays, (delay) =>
          Effect.gen(function* () {
            const terminal = yield* openSlowTerminal(
              [process.execPath, bundle, "attach", tag],
              { cwd: project, env: env as Readonly<Record<string, string>>, delay },
              size
            )
            const box = () => provider.detection.readScreen(terminal.view()).box?.draft ?? null
            yield* terminal.eventually(() => terminal.view().whole && box() === "", `an empty box at ${delay} ms`)
            // now and then it is left before the answers come
            if (delay % 100 !== 50 || delay > 1000) yield* Effect.sleep(delay + 300)
            assert.include(["", null], box(), `the box at ${delay} ms, asked ${JSON.stringify(terminal.asked())}`)
            yield* terminal.type("\x1c")
            yield* terminal.left
            yield* Effect.sleep(delay + 300)
            assert.strictEqual(
              terminal.stray(),
              "",
              `the shell at ${delay} ms, asked ${JSON.stringify(terminal.asked())}`
            )
            yield* Effect.promise(() => stays(`its box is empty after ${delay} ms`, 300, ({ ready }) => ready))
          }).pipe(Effect.scoped)
        )
      }).pipe(Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer)), Effect.runPromise)
    )
  )
})
