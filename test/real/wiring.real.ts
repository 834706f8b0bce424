import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type RealCli } from "./hosted.ts"
import { runLeap } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"

/** One turn without a screen: the arguments, and hooks that it cannot do without. */
const turns: ReadonlyArray<readonly [RealCli, args: ReadonlyArray<string>, hooks: ReadonlyArray<string>]> = [
  [claude, ["-p", "say done"], ["UserPromptSubmit", "Stop"]],
  [codex, ["exec", "--skip-git-repo-check", "say done"], ["UserPromptSubmit", "Stop"]],
  [gemini, ["-p", "say done"], ["BeforeAgent", "AfterAgent"]],
  [copilot, ["-p", "say done"], ["userPromptSubmitted", "agentStop"]],
  [opencode, ["run", "say done"], ["hook.chat.message", "session.idle"]]
]

const run = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>
) =>
  new Promise<{ readonly code: number | null; readonly out: string }>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
      killSignal: "SIGKILL"
    })
    let out = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, out }))
  })

interface Row {
  readonly state: string
  readonly files: ReadonlyArray<string>
}

describe("the settings of the real CLI", () => {
  it.each(turns)(
    "$id takes them with leap in them, calls leap from a path with blanks, and takes them without it again",
    async (cli, args, hooks) => {
      const home = join(process.env["HOME"] ?? "", `wired-${cli.id}`)
      const project = join(home, "project")
      const spool = join(home, "spool")
      for (const dir of [project, spool]) mkdirSync(dir, { recursive: true })
      const api = new FakeModel(cli.wire)
      try {
        const env = {
          ...process.env,
          ...cli.prepare(home, project, await api.open()),
          HOME: home,
          LEAP_HOME: join(home, "my leap")
        }
        const row = async (...words: ReadonlyArray<string>): Promise<Row> => {
          const ran = await runLeap(env, ["hooks", ...words, "--cli", cli.id, "--json"])
          assert.strictEqual(ran.code, 0, ran.err)
          const {
            hooks: [only]
          } = JSON.parse(ran.out) as { hooks: ReadonlyArray<Row> }
          if (only === undefined) throw new Error("no row")
          return only
        }
        const turn = async () => {
          api.script(say("It is done."))
          const { code, out } = await run(cli.id, args, project, { ...env, LEAP_SIGNAL_DIR: spool })
          assert.strictEqual(code, 0, out)
          assert.include(out, "It is done.")
          const events = readdirSync(spool)
            .filter((name) => !name.startsWith("."))
            .map((name) => name.split(",")[0] ?? "")
          for (const name of readdirSync(spool)) rmSync(join(spool, name))
          return events
        }
        // Claude Code writes into its settings what it finds elsewhere, once.
        if (cli === claude) assert.deepStrictEqual(await turn(), [])
        const { files } = await row("status")
        const contents = () => files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : null))
        const before = contents()
        assert.strictEqual((await row("install")).state, "installed")
        const wired = await turn()
        for (const hook of hooks) assert.include(wired, hook)
        assert.strictEqual((await row("status")).state, "installed")
        assert.strictEqual((await row("remove")).state, "missing")
        assert.deepStrictEqual(contents(), before)
        assert.deepStrictEqual(await turn(), [])
      } finally {
        await api.close()
      }
    }
  )
})

/** Where the CLI looks for its settings, and what a status line of the user's looks like there. */
const lines: ReadonlyArray<readonly [RealCli, file: string]> = [
  [claude, ".claude/settings.json"],
  [copilot, ".copilot/settings.json"]
]

describe("a status line of the user's", () => {
  it.each(lines)("$id shows it under leap, which hears what it is told", (cli, file) => {
    let settings = ""
    const withLine: RealCli = {
      ...cli,
      prepare: (home, project, endpoint) => {
        const env = cli.prepare(home, project, endpoint)
        settings = join(home, file)
        const own = JSON.parse(readFileSync(settings, "utf8")) as object
        const command = 'sed \'s/.*"version":"\\([^"]*\\)".*/line of my own, version \\1/\''
        writeFileSync(
          settings,
          JSON.stringify({ ...own, statusLine: { type: "command", command, padding: 1 } }, null, 2)
        )
        return env
      }
    }
    return hosted(withLine, `${cli.id}-line`, async ({ api, leap, screenShows, tag, until }) => {
      assert.include(readFileSync(settings, "utf8"), "leap-statusline.sh 'sed")
      api.script(say("It is done."))
      await leap(["send", tag, "say done"])
      await until(
        "the turn is over",
        ({ lastResponse, ready, state }) => state === "idle" && ready && lastResponse === "It is done."
      )
      await screenShows("line of my own, version ")
      assert.match(await leap(["screen", tag]), /line of my own, version \d+\.\d+/)
      const cast = `${settings}.cast`
      await leap(["record", tag, "--past", cast])
      assert.match(readFileSync(cast, "utf8"), /hook:StatusLine \{.*context_window/)
    })
  })
})
