import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Changes } from "../../src/domain/store/worktrees/Changes.ts"
import { answered, atRest } from "./approvals.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"

describe("what a turn has changed", () => {
  it.each([claude, codex, copilot, gemini, opencode])("is told from what was there before it: $id", (cli) =>
    hosted(cli, `${cli.id}-moments`, async (session) => {
      const { api, leap, project, tag } = session
      const since = async (moment: string) =>
        (JSON.parse(await leap(["diff", tag, "--against", moment, "--json"])) as Changes).files.map(({ path }) => path)
      await leap(["mode", tag, "--auto-send", "always"])
      let requests = 0
      for (const name of ["one", "two"]) {
        api.script(cli.shell(`printf ${name} > ${name}.txt`), say("It is written."))
        await leap(["send", tag, `Write ${name}.`])
        await answered(session, (requests += 2))
        await atRest(session)
        assert.isTrue(existsSync(join(project, `${name}.txt`)))
        assert.deepStrictEqual(await since(":turn"), [`${name}.txt`])
      }
      assert.includeMembers(await since(":start"), ["one.txt", "two.txt"])
    })
  )
})
