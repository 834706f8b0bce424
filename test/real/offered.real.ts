import { assert, describe, it } from "@effect/vitest"
import { fieldsOf, nonEmptyOf } from "../../src/domain/words/reading/Fields.ts"
import { toolRows } from "../support/policy/toolRows.ts"
import { answered } from "./approvals.ts"
import { claude } from "./cli/claude.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"

/** The names of the tools that a request offers, also of those in groups. */
const namesIn = (tool: unknown): ReadonlyArray<string> => {
  const { function: own, functionDeclarations, name, tools, type } = fieldsOf(tool)
  const group = [functionDeclarations, tools].find((list) => Array.isArray(list)) as ReadonlyArray<unknown> | undefined
  return group?.flatMap(namesIn) ?? [nonEmptyOf(fieldsOf(own)["name"]) ?? nonEmptyOf(name) ?? String(type)]
}

// by the names that hooks have for them: Codex's model calls them from a script
describe.each([claude, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))("%s", (id, cli) => {
  it("offers its model no tool of which nobody has said what its requests leave out", () =>
    hosted(cli, `${id}-offers`, async (session) => {
      session.api.script(say("Hello."))
      await session.leap(["send", session.tag, "Say hello."])
      await answered(session, 1)
      const offered = session.api.tools.flatMap(namesIn)
      assert.isAtLeast(offered.length, 3)
      const known = toolRows[id] ?? {}
      assert.deepStrictEqual(
        offered.filter((tool) => !Object.hasOwn(known, tool)),
        []
      )
    }))
})
