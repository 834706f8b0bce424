import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ruled } from "./approvals.ts"
import { endless, hosted, makeProject, type RealCli, sleep } from "./hosted.ts"
import { bundle, runLeap } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"
import { automatic } from "./silent.ts"
import { isThorough } from "../support/run/thorough.ts"

/** Without it root reads what nobody may. */
const asOthers = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"]

/** What has become of leap's settings before the session begins. */
const faults: Readonly<Record<string, (file: string) => void>> = {
  "cut off": (file) => writeFileSync(file, '{"policy": {"deny": [{"comm'),
  "not to be read": (file) => chmodSync(file, 0),
  "a directory": (file) => {
    rmSync(file)
    mkdirSync(file)
  },
  "a link to nothing": (file) => {
    rmSync(file)
    symlinkSync("/nowhere/settings.json", file)
  },
  "a rule that nobody knows": (file) => writeFileSync(file, '{"policy": {"deny": [{"comand": "touch *"}]}}'),
  "in a directory of others": (file) => {
    const directory = join(file, "..")
    renameSync(directory, `${directory}.mine`)
    symlinkSync(`${directory}.mine`, directory)
    chmodSync(`${directory}.mine`, 0)
  }
}

/** What is denied, and what shows that it was done. */
const key = "THE-KEY-OF-THE-TEST"
const rules = {
  command: { deny: [{ command: "touch *" }] },
  path: { deny: [{ path: "~/secret/**" }] }
} as const
const commands = { command: "touch made", path: "cat ~/secret/key.txt" } as const

/** Puts there what the rule about a path keeps. */
const hide = (home: string): void => {
  mkdirSync(join(home, "secret"))
  writeFileSync(join(home, "secret/key.txt"), key)
}

const broken = (cli: RealCli, rule: keyof typeof rules, fault: string): RealCli => {
  const base = ruled(cli, rules[rule])
  return {
    ...base,
    within: asOthers,
    prepare: (home, project, endpoint) => {
      const env = base.prepare(home, project, endpoint)
      hide(home)
      faults[fault]?.(join(home, ".config/leap/settings.json"))
      return env
    }
  }
}

const isDone = (rule: keyof typeof rules, project: string, api: FakeModel): boolean =>
  rule === "command"
    ? existsSync(join(project, "made"))
    : api.main.some(({ toolResults }) => toolResults.join("\n").includes(key))

const names = Object.keys(faults)
const rows = automatic.flatMap((cli, n) =>
  names.flatMap((fault, f) =>
    (["command", "path"] as const).flatMap((rule, r) =>
      isThorough || (f === n && r === n % 2) ? [{ id: cli.id, cli, fault, rule }] : []
    )
  )
)

describe("what a rule denies that leap could not read when the session began", () => {
  it.each(rows)("is not done unasked by $id: a $rule, the settings $fault", ({ cli, fault, id, rule }) =>
    hosted(broken(cli, rule, fault), `${id}-unread`, async ({ api, leap, project, status, tag, until }) => {
      api.script(cli.shell(commands[rule]), say("I may not."))
      await leap(["send", tag, "Do it."])
      await until("it asks, or has ended", ({ state }) => state === "needs_permission" || api.main.length === 2)
      const { state } = await status()
      assert.isFalse(isDone(rule, project, api), state)
      process.stderr.write(`${id}, ${rule}, ${fault}: ${state === "needs_permission" ? "asked" : "refused"}\n`)
      if (state !== "needs_permission") return
      await leap(["answer", tag, "1"])
      await api.until("it goes on", (main) => main.length === 2, 60_000)
    })
  )
})

type Rule = keyof typeof rules

/** One turn without a terminal. */
const headless = async (
  cli: RealCli,
  name: string,
  rule: Rule,
  body: (room: {
    readonly api: FakeModel
    readonly env: Readonly<Record<string, string | undefined>>
    readonly home: string
    readonly project: string
  }) => Promise<void>
) => {
  const home = join(process.env["HOME"] ?? "", `${cli.id}-${name}-${Math.random().toString(36).slice(2, 8)}`)
  const project = join(home, "project")
  makeProject(project)
  const api = new FakeModel(cli.wire)
  const prepared = ruled(cli, rules[rule]).prepare(home, project, await api.open())
  const tmp = join(home, "tmp")
  mkdirSync(tmp)
  hide(home)
  const env = { ...process.env, ...prepared, HOME: home, TMPDIR: tmp }
  try {
    assert.strictEqual((await runLeap(env, ["hooks", "install", "--cli", cli.id])).code, 0)
    await body({ api, env, home, project })
  } finally {
    await api.close()
  }
}

const allowed = ({ id }: RealCli): ReadonlyArray<string> =>
  id === "claude" ? ["--allowed-tools", "Bash"] : ["--dangerously-skip-permissions"]

/** Each CLI with a rule about a command, and in the thorough run with one about a path. */
const unattended = automatic.flatMap((cli) =>
  (["command", "path"] as const).flatMap((rule) =>
    isThorough || rule === "command" ? [[cli.id, rule, cli] as const] : []
  )
)

describe.each(unattended)("what a rule denies of %s without a terminal, by its %s,", (id, rule, cli) => {
  it("is not run where leap is stopped, and then killed, and the CLI goes on", () =>
    headless(cli, "stopped", rule, async ({ api, env, project }) => {
      const [first, again] = [endless("One moment."), endless("Once more.")]
      const tool = cli.shell(commands[rule])
      const own = "blocks" in tool ? tool.blocks : assert.fail("the tool is no reply")
      api.script({ blocks: [...first.reply.blocks, ...own] }, { blocks: [...again.reply.blocks, ...own] })
      const args = ["exec", "--provider", id, "--cwd", project, ...allowed(cli), "Make a file."]
      const leap = spawn(process.execPath, [bundle, ...args], { env, stdio: "ignore" })
      await api.until("the model is asked", (main) => main.length === 1, 60_000)
      leap.kill("SIGSTOP")
      first.end()
      await api.until("the model hears of it", (main) => main.length === 2, 60_000)
      assert.isFalse(isDone(rule, project, api))
      assert.match(api.main[1]?.toolResults.join("\n") ?? "", /leap does not answer/)
      leap.kill("SIGKILL")
      again.end()
      // longer than the hook waits for an answer; most CLIs end where nobody reads what they print
      await sleep(6_000)
      assert.isFalse(isDone(rule, project, api))
    }))

  it("is not run where nothing can be written to the place for its requests", () =>
    headless(cli, "full", rule, async ({ api, env, home, project }) => {
      const tmp = join(home, "tmp")
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", tmp])
      execFileSync("sh", ["-c", 'cat /dev/zero > "$0" 2> /dev/null || true', join(tmp, "filler")])
      api.script(cli.shell(commands[rule]), say("I may not."))
      const args = ["exec", "--provider", id, "--cwd", project, ...allowed(cli), "Make a file."]
      const ran = await runLeap(env, args)
      process.stderr.write(`${id}, ${rule}: ${ran.code} ${ran.err.slice(0, 200)}\n`)
      assert.isFalse(isDone(rule, project, api))
      assert.strictEqual(ran.code, 2, ran.err)
    }))
})
