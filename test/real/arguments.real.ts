// Sessions that were narrowed at their start: what goes on is as narrow, as the CLI itself takes its arguments again
// behind what resumes.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type RealCli } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { isThorough } from "../support/run/thorough.ts"

const narrowed: ReadonlyArray<readonly [cli: RealCli, args: ReadonlyArray<string>, shows: string | null]> = [
  [claude, ["--permission-mode", "plan", "--disallowedTools", "Bash"], "plan mode on"],
  [codex, ["--sandbox", "read-only"], null],
  [gemini, ["--approval-mode", "plan"], null],
  [copilot, ["--deny-tool", "shell(rm)"], null],
  [opencode, ["--agent", "plan"], "Plan"]
]

describe.each(narrowed.slice(0, isThorough ? undefined : 2).map((it) => [it[0].id, ...it] as const))(
  "%s",
  (_, cli, own, shows) => {
    it("goes on with the arguments that it was started with", () => {
      const args = [...(cli.args ?? []), ...own]
      return hosted(
        { ...cli, args },
        `${cli.id}-narrow`,
        async ({ api, leap, screenShows, status, tag, tryLeap, until }) => {
          const given = async () => {
            const { pid } = (await status()) as { readonly pid?: number | null }
            const words = readFileSync(`/proc/${pid ?? 0}/cmdline`, "utf8").split("\0")
            return words.join("\0").includes(args.join("\0"))
          }
          if (shows !== null) await screenShows(shows)
          assert.isTrue(await given(), "at its start")
          api.script(say("Hello."))
          await leap(["send", tag, "Say hello.", "--wait", "--timeout", "90"])
          await until("the session's id is known", (now) => now.sessionId !== null)
          await leap(["stop", tag])
          const again = await tryLeap(["resume", "--tag", tag, "--last", "--detach"])
          assert.strictEqual(again.code, 0, again.err)
          assert.include(again.err, "with its arguments of before: ")
          await until("it is up again", ({ ready, state }) => state === "idle" && ready)
          assert.isTrue(await given(), "when it goes on")
          if (shows !== null) await screenShows(shows)
          api.script(say("Hello again."))
          await leap(["send", tag, "Once more.", "--wait", "--timeout", "90"])
        }
      )
    })
  }
)
