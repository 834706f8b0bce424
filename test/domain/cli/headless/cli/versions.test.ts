import { assert, describe, it } from "@effect/vitest"
import type { AgentCli } from "../../../../../src/domain/cli/headless/AgentCli.ts"
import { claudeHeadless } from "../../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../../src/domain/providers/opencode/Headless.ts"
import {
  aCall,
  decode,
  headlessBytes,
  headlessRuns,
  headlessUsage,
  headlessVersions,
  type VersionRun,
  versionRuns
} from "../../../../support/headless/headless.ts"
import { each } from "../../../../support/data/fields.ts"

/** What leap makes of what a version printed (`npm run record`): the same of every version of every CLI. */
const readWith =
  <State>(cli: AgentCli<State>) =>
  (version: string, name: VersionRun, sessionId: string | null = null) => {
    const folder = `${cli.id}/versions/${version}`
    const run = headlessRuns(folder).find((one) => one.name === name)
    if (run === undefined) throw new Error(`${folder} has no ${name}`)
    return decode(cli, [headlessBytes(folder, name)], aCall({ sessionId }), {
      code: run.exit,
      signal: run.signal,
      stderr: run.stderr,
      report: headlessUsage(folder, name)
    })
  }

const clis = {
  claude: readWith(claudeHeadless),
  codex: readWith(codexHeadless),
  copilot: readWith(copilotHeadless),
  gemini: readWith(geminiHeadless),
  opencode: readWith(opencodeHeadless)
}

describe.each(Object.entries(clis).map(([id, read]) => [id, read] as const))("recorded versions of %s", (id, read) => {
  const versions = headlessVersions(id)

  it("are there, each with all of its runs", () => {
    assert.isNotEmpty(versions)
    for (const version of versions)
      assert.deepStrictEqual(each(headlessRuns(`${id}/versions/${version}`), "name"), [...versionRuns])
  })

  it.each(versions.map((version) => [version] as const))(
    "%s answers, goes on, uses a tool, and says what failed",
    (version) => {
      const answer = read(version, "answer").told
      assert.deepStrictEqual([answer.answers, answer.problem, answer.complete], [["Hello from the model."], null, true])
      assert.isNotNull(answer.sessionId)
      assert.isAbove(answer.tokens?.total ?? 0, 0)

      const { told: next } = read(version, "goes-on", answer.sessionId)
      assert.deepStrictEqual([next.answers, next.sessionId, next.problem], [["Hello again."], answer.sessionId, null])

      const { events, told } = read(version, "tool")
      assert.strictEqual(told.answers.at(-1), "It is a small project.")
      assert.notStrictEqual(told.sessionId, answer.sessionId)
      const began = events.findIndex((event) => event._tag === "ToolStarted" && event.preview.includes("README.md"))
      const ended = events.findIndex((event) => event._tag === "ToolEnded" && event.ok)
      assert.isTrue(began >= 0 && ended > began, JSON.stringify(events))

      const refused = read(version, "refused").told
      assert.isNotNull(refused.problem)
      assert.include(refused.problem?.message ?? "", "this request is wrong")
    }
  )
})
