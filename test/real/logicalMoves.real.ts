// Sessions that their CLIs keep independent of directories: made in one, moved to another, gone on with there and
// brought back. The CLI must remember each time, and really work where the session lives.
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { opencode } from "./cli/opencode.ts"
import { behindLink, hosted, type RealCli } from "./hosted.ts"
import type { Status } from "./leap.ts"
import { say } from "./model/FakeModel.ts"
import { isThorough } from "../support/run/thorough.ts"

interface Logical {
  readonly cli: RealCli
  /** The directory that the CLI's own data say the session is of. */
  readonly placeOf: (home: string, id: string) => unknown
  /** The CLI goes on with the session in its own directory, wherever and by whomever it is started. */
  readonly stays: boolean
}

const cell = (database: string, sql: string, id: string): unknown => {
  const connection = new DatabaseSync(database)
  try {
    return Object.values(connection.prepare(sql).get(id) ?? {})[0]
  } finally {
    connection.close()
  }
}

const logical: ReadonlyArray<Logical> = [
  {
    cli: codex,
    placeOf: (home, id) => cell(join(home, ".codex/state_5.sqlite"), "SELECT cwd FROM threads WHERE id = ?", id),
    stays: false
  },
  {
    cli: opencode,
    placeOf: (home, id) =>
      cell(join(home, ".local/share/opencode/opencode.db"), "SELECT directory FROM session WHERE id = ?", id),
    stays: true
  },
  {
    cli: copilot,
    placeOf: (home, id) =>
      /^cwd: '?(.*?)'?$/m.exec(readFileSync(join(home, ".copilot/session-state", id, "workspace.yaml"), "utf8"))?.[1],
    stays: true
  }
]

const everywhere = logical.flatMap((it) => [
  [it.cli.id, it] as const,
  ...(isThorough ? [[`${it.cli.id}, in a home behind a link`, { ...it, cli: behindLink(it.cli) }] as const] : [])
])

describe.each(everywhere)("%s", (_, { cli, placeOf, stays }) => {
  it("a session works where it was moved to, and remembers; and so it does when it is back", () =>
    hosted(cli, `${cli.id}-lives${cli.linked === true ? "-linked" : ""}`, async (session) => {
      const { api, leap, project, screenShows, tag, until } = session
      const home = dirname(project)
      const a = realpathSync(project)
      const b = join(realpathSync(home), "another place.é 🎉")
      mkdirSync(b)
      execFileSync("git", ["init", "-q", "-b", "trunk"], { cwd: b })
      cli.trust(home, b)

      const memory = "The word to remember is MAPLE."
      api.script(say("I shall remember it."))
      await leap(["send", tag, memory, "--wait", "--timeout", "90"])
      const { sessionId } = await until("the session's id is known", (now) => now.sessionId !== null)
      const id = sessionId ?? ""
      assert.strictEqual(placeOf(home, id), a)

      const stop = async () => {
        await leap(["stop", tag])
        await until("it has ended", ({ state }) => state === "exited")
      }
      const said: Array<string> = [memory]
      const worksIn = async (directory: string) => {
        const { cwd } = (await until("it is up again", ({ ready, state }) => state === "idle" && ready)) as Status & {
          readonly cwd: string
        }
        assert.strictEqual(cwd, directory)
        const question = `Which word, and where are you at turn ${said.length}?`
        said.push(question)
        api.script(cli.shell(`pwd && touch turn-${said.length}`), say("MAPLE."))
        const turn = leap(["send", tag, question, "--wait", "--timeout", "90"])
        await until("it asks whether it may", ({ state }) => state === "needs_permission")
        await leap(["answer", tag, "1"])
        await turn
        assert.deepStrictEqual(api.main.at(-1)?.conversation, said)
        const told = api.main.at(-1)?.toolResults.join("\n") ?? ""
        assert.include(told, `${directory}\n`)
        assert.isTrue(existsSync(join(directory, `turn-${said.length}`)))
        assert.strictEqual((await until("it has the same id", (now) => now.sessionId !== null)).sessionId, id)
        await screenShows(directory.split("/").at(-1) ?? "")
      }
      await stop()

      const moved = JSON.parse(await leap(["move", tag, b, "--json"])) as {
        readonly to: string
        readonly leftovers: ReadonlyArray<unknown>
      }
      assert.strictEqual(moved.to, b)
      assert.deepStrictEqual(moved.leftovers, [])
      assert.strictEqual(placeOf(home, id), b)
      await leap(["resume", "--cli", cli.id, "--tag", tag, "--session", id, "--there", "--detach"])
      await worksIn(b)
      await stop()
      assert.strictEqual(placeOf(home, id), b, "it wrote down no other")

      await leap(["move", tag, a])
      assert.strictEqual(placeOf(home, id), a)
      if (stays) {
        // the CLI alone, without leap to say where
        await leap([
          tag,
          "--cli",
          cli.id,
          "--cwd",
          b,
          "--detach",
          "--",
          ...(cli.id === "opencode" ? ["-s", id] : [`--resume=${id}`])
        ])
        await until("it is up", ({ ready, state }) => state === "idle" && ready)
        await screenShows("project")
        await stop()
        assert.strictEqual(placeOf(home, id), a)
      }
      await leap(["resume", "--cli", cli.id, "--tag", tag, "--session", id, "--there", "--detach"])
      await worksIn(a)
    }))
})
