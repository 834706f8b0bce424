import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { builtIns, runCommandLine } from "../../src/programs/cli.ts"
import * as HelpPresenterPages from "../../src/layers/terminal/HelpPresenterPages.ts"
import { Output } from "../../src/services/Output.ts"
import { effect, effectOfEach } from "../support/run/effects.ts"

/** What a command line that runs no command prints, and how it ends. */
const run = Effect.fnUntraced(function* (line: string) {
  const printed: Array<string> = []
  const noted: Array<string> = []
  const stdio = Layer.mock(Output, {
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    colour: false,
    columns: Effect.succeed(80),
    line: (text) => Effect.sync(() => void printed.push(text)),
    note: (text) => Effect.sync(() => void noted.push(text))
  })
  const shown = HelpPresenterPages.layer(line.split(" "))
  const layers = Layer.mergeAll(NodeServices.layer, builtIns, Layer.provideMerge(shown, stdio))
  const ran = Effect.scoped(runCommandLine(line.split(" "), "0")) as Effect.Effect<number, never, never>
  const code = yield* Effect.provide(ran, layers)
  return { code, printed: printed.join("\n"), noted: noted.join("\n") }
})

describe("a command line", () => {
  effect("that asks for a command's help gets it on standard output", function* () {
    for (const line of ["queue --help", "help queue", "queue edit -h", "help queue edit"]) {
      const { code, noted, printed } = yield* run(line)
      assert.deepStrictEqual([line, code, noted], [line, 0, ""])
      assert.match(printed, /^DESCRIPTION\n {2}.*\n\nUSAGE\n {2}leap queue /)
    }
  })

  effect("that lacks a command's own command gets the page on standard error, and fails", function* () {
    for (const line of ["queue", "hooks", "notify"]) {
      const { code, noted, printed } = yield* run(line)
      assert.deepStrictEqual([line, code, printed], [line, 2, ""])
      assert.match(noted, new RegExp(`^DESCRIPTION\\n  .*\\n\\nUSAGE\\n  leap ${line} `))
    }
  })

  effectOfEach<readonly [line: string, says: string]>([
    ["help queue nosuch", "'leap queue' has no command 'nosuch'; there are show, list, edit, "],
    ["help queue edit more", "'leap queue edit' has no commands of its own: 'leap help queue edit' shows its flags"],
    ["help send w", "'leap send' has no commands of its own: 'leap help send' shows its flags"],
    [
      "wait w --timeout abc",
      "--timeout: 'abc' will not do: a number of seconds above 0, or 90s, 5m, 1h; see 'leap wait --help'"
    ],
    [
      "wait w --timeout 0m",
      "--timeout: '0m' will not do: a number of seconds above 0, or 90s, 5m, 1h; see 'leap wait --help'"
    ],
    ["wait w --timeout", "--timeout needs a value: a number; see 'leap wait --help'"],
    ["log --last x", "--last: 'x' will not do: a number; see 'leap log --help'"],
    ["log --last 1.5", "--last: '1.5' will not do: an integer; see 'leap log --help'"],
    ["log --last", "--last needs a value: an integer; see 'leap log --help'"],
    ["exec --temperature hot x", "--temperature: 'hot' will not do: a number; see 'leap exec --help'"],
    ["queue move w 1 x", "position: 'x' will not do: a number; see 'leap queue move --help'"]
  ])("%s: one line on standard error", function* ([line, says]) {
    const { code, noted, printed } = yield* run(line)
    assert.deepStrictEqual([code, printed], [2, ""])
    assert.isTrue(noted.startsWith(`leap: ${says}`), noted)
    assert.notInclude(noted, "\n")
  })
})
