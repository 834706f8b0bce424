import { assert, describe, it } from "@effect/vitest"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { endless, hosted } from "./hosted.ts"

describe("of an answer that was cut off", () => {
  it.each([
    { cli: claude, keeps: true },
    { cli: opencode, keeps: true },
    { cli: codex, keeps: false },
    { cli: copilot, keeps: false },
    { cli: gemini, keeps: false }
  ])("$cli.id: its beginning, where the CLI writes it down ($keeps), else where it is to be seen", ({ cli, keeps }) =>
    hosted(cli, `${cli.id}-cut`, async ({ api, leap, screenShows, tag, tryLeap }) => {
      const turn = endless("This takes long")
      api.script(turn.reply)
      const sent = tryLeap(["send", tag, "--wait", "Do something long."])
      await api.until("the long turn streams", (main) => main.length === 1 && main[0]?.startedAt != null)
      await screenShows("This takes long (")
      await leap(["interrupt", tag])
      const { code, err, out } = await sent
      turn.end()
      assert.strictEqual(code, 8, err)
      assert.match(err, keeps ? /its turn was interrupted$/m : /interrupted; .*'leap screen [\w-]+' shows/)
      assert.match(out, keeps ? /^This takes long \(1\)/ : /^$/)
      assert.include(await leap(["screen", tag]), "This takes long (1)")
    })
  )
})
