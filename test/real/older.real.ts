import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { older } from "../../scripts/cli-versions.mjs"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { colourless, hosted, type RealCli } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { runLeap } from "./leap.ts"
import { inVersion, olderPrograms } from "./older.ts"
import { each } from "../support/data/fields.ts"

/** What an older version needs is skipped, with a line that says so, where the registry does not have it. */
const versionsOf = (cli: keyof typeof older) =>
  older[cli].map((version) => {
    const programs = olderPrograms(cli, version)
    if (programs === null) process.stderr.write(`${cli} ${version} is not installed: its tests are skipped\n`)
    return { version, programs: programs ?? "", skip: programs === null }
  })

/** The user denies in their own settings what the command line allows. */
const denied = '{\n  "permissions": { "defaultMode": "default", "deny": ["Bash(touch:*)"] }\n}\n'

const headless = (args: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string | undefined>>) =>
  new Promise<string>((resolve) => {
    const child = execFile("claude", args, { cwd, env, timeout: 90_000 }, (_, out, err) => resolve(out + err))
    child.stdin?.end()
  })

for (const { programs, skip, version } of versionsOf("claude")) {
  describe.skipIf(skip)(`Claude Code ${version}`, () => {
    it("obeys a deny rule of the user's own after leap was wired into it, also by a newer one before", () => {
      let settings = ""
      let doctor = { code: 0 as number | null, out: "" }
      const mine: RealCli = {
        ...claude,
        args: ["--allowedTools", "Bash(touch:*)"],
        prepare: (home, project, endpoint) => {
          const env = claude.prepare(home, project, endpoint)
          settings = join(home, ".claude/settings.json")
          writeFileSync(settings, denied)
          return env
        }
      }
      return hosted(
        inVersion(mine, programs),
        `claude-${version.replaceAll(".", "-")}`,
        async ({ api, env, leap, project, tag, until }) => {
          const attempt = claude.shell("touch made && echo made")
          // In the session that leap hosts.
          api.script(attempt, say("It was denied."), say("Yes."))
          await leap(["send", tag, "Make it."])
          await leap(["send", tag, "Sure?"])
          await until("both are answered", ({ lastResponse, ready }) => ready && lastResponse === "Yes.")
          assert.isFalse(existsSync(join(project, "made")))
          assert.match(api.main[1]?.toolResults.join() ?? "", /has been denied/)
          // Without a screen.
          api.script(attempt, say("It was denied."))
          await headless(["-p", "Make it.", "--allowedTools", "Bash(touch:*)"], project, env)
          assert.isFalse(existsSync(join(project, "made")))
          assert.match(api.main.at(-1)?.toolResults.join() ?? "", /has been denied/)

          // A newer one is there for a while, and leap is wired into it.
          const newer = { ...env, PATH: process.env["PATH"] }
          assert.strictEqual((await runLeap(newer, ["hooks", "install", "--cli", "claude"])).code, 0)
          assert.include(readFileSync(settings, "utf8"), "PermissionDenied")
          doctor = await runLeap(env, ["doctor"])
          assert.strictEqual(doctor.code, 1)
          assert.match(
            doctor.out,
            new RegExp(`broken +claude +.*version ${version} .*skips its settings, yours included`)
          )
          assert.match(doctor.out, /entries for .*PermissionDenied.* → leap hooks install --cli claude/)
          await leap(["hooks", "install", "--cli", "claude"])
          assert.notInclude(readFileSync(settings, "utf8"), "PermissionDenied")
          doctor = await runLeap(env, ["doctor"])
          assert.strictEqual(doctor.code, 0, doctor.out)
          assert.match(doctor.out, new RegExp(`ok +claude +.*version ${version} .*, wired`))
          api.script(attempt, say("It was denied."))
          await headless(["-p", "Make it.", "--allowedTools", "Bash(touch:*)"], project, env)
          assert.isFalse(existsSync(join(project, "made")))

          // Claude Code has written into the file itself: what is left is what was there before leap, byte for byte.
          const wired = async (act: "install" | "remove") => {
            await leap(["hooks", act, "--cli", "claude"])
            return readFileSync(settings, "utf8")
          }
          const before = await wired("remove")
          assert.notInclude(before, "leap-hook.sh")
          assert.include(before, "Bash(touch:*)")
          assert.include(await wired("install"), "leap-hook.sh")
          assert.strictEqual(await wired("remove"), before)
        }
      )
    })

    it("takes what is queued where it draws no colours: its placeholder is not taken for a draft", () =>
      hosted(
        inVersion(colourless(claude), programs),
        `claude-colourless-${version.replaceAll(".", "-")}`,
        async ({ api, leap, tag, until }) => {
          api.script(say("One."))
          await leap(["send", tag, "first"])
          await until("it is answered", ({ lastResponse, ready }) => ready && lastResponse === "One.")
          assert.deepStrictEqual(each(api.main, "conversation"), [["first"]])
        }
      ))
  })
}

for (const { programs, skip, version } of versionsOf("codex")) {
  describe.skipIf(skip)(`Codex ${version}`, () => {
    it("starts under leap, and takes what is queued", () =>
      hosted(
        inVersion(codex, programs),
        `codex-${version.replaceAll(".", "-")}`,
        async ({ api, env, leap, tag, until }) => {
          api.script(say("One."), say("Two."))
          await leap(["send", tag, "first"])
          await leap(["send", tag, "second"])
          await until("both are answered", ({ lastResponse, ready }) => ready && lastResponse === "Two.")
          assert.deepStrictEqual(each(api.main, "conversation"), [["first"], ["first", "second"]])
          const { code, out } = await runLeap(env, ["doctor"])
          assert.strictEqual(code, 0, out)
          assert.match(out, new RegExp(`ok +codex +.*version ${version} .*started without --no-daemon`))
        }
      ))
  })
}
