import { assert, describe, it } from "@effect/vitest"
import { cursorAgentUsage } from "../../../../src/domain/providers/cursor-agent/Usage.ts"
import { account } from "../../../support/data/account.ts"

const line = (payload: unknown) => account(cursorAgentUsage, { hooks: [["StatusLine", payload]] })

describe("K: Cursor Agent's status line", () => {
  it.each([
    [
      "parts of the prompt before a number",
      {
        context_window_size: 1000,
        current_usage: {
          input_tokens: 1,
          cache_read_input_tokens: 2,
          cache_creation_input_tokens: 3,
          output_tokens: 9
        },
        total_input_tokens: 500
      },
      6
    ],
    ["the total before the share", { context_window_size: 1000, total_input_tokens: 500, used_percentage: 10 }, 500],
    ["the share", { context_window_size: 128_000, used_percentage: 12.5 }, 16_000],
    ["nothing used", { context_window_size: 1000, current_usage: 0 }, 0],
    ["nothing that says how much is used", { context_window_size: 1000 }, null],
    ["no window", { current_usage: 5 }, null],
    ["a window of nothing", { context_window_size: 0, current_usage: 5 }, null],
    ["a window of null", { context_window_size: null, current_usage: 5 }, null],
    ["an odd share", { context_window_size: 1000, used_percentage: "5" }, null]
  ])("%s", (_, context_window, used) => {
    const known = line({ model: { display_name: "Composer" }, context_window })
    assert.deepStrictEqual(
      [known.model, known.contextTokens, known.window],
      ["Composer", used, used === null ? null : (context_window as { context_window_size: number }).context_window_size]
    )
  })
})
