import { assert, describe, it } from "@effect/vitest"
import {
  type AskedTools,
  type ToolUse,
  unnamedTool,
  withoutRan
} from "../../../../src/domain/words/session/AskedTools.ts"

const use = (tool: string | null, id: string | null = null): ToolUse => ({ tool, id })

describe("a tool that has run", () => {
  it.each<readonly [string, AskedTools, ToolUse, AskedTools | null]>([
    ["was asked about by its id, which may run again", [use("Bash", "a")], use(null, "a"), [use("Bash", "a")]],
    ["was not, by its id", [use("Bash", "a")], use("Bash", "b"), null],
    ["was asked about by its name", [use("Bash"), use("Edit")], use("Edit"), [use("Bash")]],
    ["was not, by its name", [use("Bash")], use("Edit"), null],
    ["is told with an id, and its hook had none", [use("Bash")], use("Bash", "a"), []],
    ["is told without an id, and its hook had one (Codex)", [use("Bash", "a")], use("Bash"), []],
    ["is another than its hook's, without an id", [use("Bash", "a")], use("Edit"), null],
    ["was asked about by a hook that was cut off", [use(unnamedTool)], use("Edit", "a"), []],
    ["is asked about once for each run of it", [use("Bash", "a"), use("Bash", "b")], use("Bash"), [use("Bash", "b")]]
  ])("%s", (_, asked, ran, left) => assert.deepStrictEqual(withoutRan(asked, ran), left))
})
