import { assert, describe } from "@effect/vitest"
import { Layer } from "effect"
import * as ProvidersBuiltin from "../../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { textOf } from "../../../support/recordings/recordings.ts"
import { score } from "../../../support/recordings/score.ts"
import { effectWith } from "../../../support/run/effects.ts"

/** The same session in a terminal without titles: while the reply is written, only its text shows that it is. */
const untitled = (text: string) => text.replaceAll(/\\u001b\]0;[^\\]*\\u0007/g, "")

describe("a version whose signs of work are not known", () => {
  effectWith(Layer.mergeAll(ProvidersBuiltin.layer, ScreenXterm.layer))("is never ready while it writes", function* () {
    const text = untitled(textOf("claude-older/2.1.200-simple-nohooks"))
    assert.notInclude(text, "]0;")
    const result = yield* score(text, true)
    assert.strictEqual(result.unsafe, 0)
    assert.isAbove(result.right / result.total, 0.97, JSON.stringify(result.wrong))
  })
})
