import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answered, ruled } from "./approvals.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type RealCli, type Session, sleep } from "./hosted.ts"
import { type Reply, say } from "./model/FakeModel.ts"
import { automatic } from "./silent.ts"

/** Those that say by their arguments, or in what they tell their hooks, that they ask nobody. */
const known = automatic.filter(({ id }) => id !== "claude" && id !== "opencode")
const deny = { deny: [{ command: "rm *", reason: "nothing is deleted here" }] }

/** A state directory on a small disk of its own, and how to fill it and to make room again. */
const smallDisk = (cli: RealCli) => {
  let filler = ""
  return {
    cli: {
      ...cli,
      prepare: (home: string, project: string, endpoint: string) => {
        const state = join(home, ".local/state/leap")
        mkdirSync(state, { recursive: true })
        execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", state])
        filler = join(state, "filler")
        return cli.prepare(home, project, endpoint)
      }
    },
    fill: () => {
      for (const size of [1 << 20, 4096, 1])
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size, "x"))
        } catch (cause) {
          assert.include(String(cause), "ENOSPC")
        }
    },
    empty: () => rmSync(filler)
  }
}

/** The model wants a denied command run. `before`: what happens to leap before the CLI hears of it. */
const wants = async (cli: RealCli, session: Session, before: () => void, after: ReadonlyArray<Reply>) => {
  const { api, leap, tag } = session
  const asked = api.main.length + 1
  let go = () => {}
  const until = new Promise<void>((resolve) => (go = resolve))
  const tool = cli.shell("rm README.md")
  const blocks = "blocks" in tool ? tool.blocks : assert.fail("the tool is no reply")
  api.script({ blocks: [{ type: "text", text: "One moment.", until }, ...blocks] }, ...after)
  await leap(["send", tag, "Delete the README."])
  await api.until("the model is asked", (main) => main.length === asked, 60_000)
  before()
  go()
}

/** Without the rule it would run: the CLI asks nobody. */
const runsOthers = async (cli: RealCli, session: Session) => {
  const { api, leap, project, tag } = session
  api.script(cli.shell("touch made"), say("Made."))
  await leap(["send", tag, "Make a file."])
  await answered(session, 2)
  assert.isTrue(existsSync(join(project, "made")))
  await session.until("at rest", ({ ready }) => ready)
}

const stands = ({ project }: Session) => assert.isTrue(existsSync(join(project, "README.md")))

/**
 * In every mode of leap's, and whatever has become of leap, the command is refused, and the model hears why. Whether the
 * file is still there after all that.
 */
const refusedThroughout = async (cli: RealCli, tag: string, isAutomatic: boolean) => {
  const disk = smallDisk(ruled(cli, { ...deny, whenSilent: "deny" }))
  let stood = false
  await hosted(disk.cli, tag, async (session) => {
    const { api, leap, status } = session
    const hostPid = async () => (await status()).hostPid ?? assert.fail("no host")
    const refused = async (what: string, before: () => void, meanwhile: () => Promise<void>) => {
      const count = api.main.length + 2
      await wants(cli, session, before, [say("I may not.")])
      await meanwhile()
      await answered(session, count)
      stands(session)
      assert.match(api.main.at(-1)?.toolResults.join("\n") ?? "", /nothing is deleted here|leap does not answer/, what)
    }
    const rest = (what: string) => session.until(`at rest: ${what}`, ({ ready }) => ready)
    const nothing = async () => {}
    const pid = await hostPid()
    if (isAutomatic) await runsOthers(cli, session)
    for (const mode of isAutomatic ? ["pause", "always"] : ["pause"]) {
      await leap(["mode", session.tag, "--auto-send", mode])
      await refused(`alive, ${mode}`, () => {}, nothing)
      await rest(`alive, ${mode}`)
      await refused(`the disk full, ${mode}`, disk.fill, nothing)
      disk.empty()
      await rest(`the disk full, ${mode}`)
      const settings = join(session.env["HOME"] ?? "", ".config/leap/settings.json")
      const rules = readFileSync(settings, "utf8")
      writeFileSync(settings, rules.slice(0, 9))
      // longer than its host waits for the rest of it
      await sleep(2_000)
      await refused(`the settings cut off, ${mode}`, () => {}, nothing)
      writeFileSync(settings, rules)
      await rest(`the settings cut off, ${mode}`)
      await refused(
        `stopped, ${mode}`,
        () => void process.kill(pid, "SIGSTOP"),
        async () => {
          // longer than the hook waits for an answer; a CLI whose output nobody reads may stand still after that
          await sleep(5_000)
          stands(session)
          process.kill(pid, "SIGCONT")
        }
      )
      await rest(`stopped, ${mode}`)
    }
    await wants(cli, session, () => void process.kill(pid, "SIGKILL"), [])
    // longer than the hook waits for an answer
    await sleep(6_000)
    stood = existsSync(join(session.project, "README.md"))
  })
  return stood
}

describe.each(automatic.map((cli) => [cli.id, cli] as const))("a denied command of %s", (id, cli) => {
  it("is not run in its automatic mode: leap alive, stopped, killed, its disk full, or its settings cut off", async () =>
    assert.isTrue(await refusedThroughout(cli, `${id}-auto`, true)))
})

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))(
  "a denied command of %s",
  (id, cli) => {
    it("is not run where it asks its user: leap alive, stopped, killed, its disk full, or its settings cut off", async () =>
      assert.isTrue(await refusedThroughout(cli, `${id}-asking`, false)))
  }
)

describe("a denied command of claude in its automatic mode", () => {
  it("is asked while leap's host is stopped, unless the user wants it refused", () =>
    hosted(ruled(automatic[0]!, deny), "claude-stopped", async (session) => {
      const hostPid = (await session.status()).hostPid ?? assert.fail("no host")
      await runsOthers(claude, session)
      await wants(claude, session, () => void process.kill(hostPid, "SIGSTOP"), [])
      // longer than the hook waits for an answer
      await sleep(6_000)
      stands(session)
      process.kill(hostPid, "SIGCONT")
      await session.until("it asks", ({ state }) => state === "needs_permission")
      stands(session)
    }))
})

describe.each(known.map((cli) => [cli.id, cli] as const))("what may be a denied command of %s", (id, cli) => {
  it("is refused in its automatic mode, in which nobody could be asked", () =>
    hosted(ruled(cli, deny), `${id}-unasked`, async (session) => {
      const { api, leap, tag } = session
      await runsOthers(cli, session)
      api.script(cli.shell("$(printf rm) README.md"), say("I may not."))
      await leap(["send", tag, "Delete the README."])
      await answered(session, 4)
      stands(session)
      assert.match(api.main.at(-1)?.toolResults.join("\n") ?? "", /asks nobody/)
    }))
})
