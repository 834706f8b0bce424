// A session made in one directory, moved to another, gone on with there and brought back: the CLI must remember each
// time.
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, realpathSync, renameSync } from "node:fs"
import { dirname, join } from "node:path"
import { claude } from "./cli/claude.ts"
import { gemini } from "./cli/gemini.ts"
import { behindLink, hosted, type RealCli, type Session } from "./hosted.ts"
import { bundle, type Status } from "./leap.ts"
import { say } from "./model/FakeModel.ts"
import { isThorough } from "../support/run/thorough.ts"

/** A CLI whose sessions move, and what of a session is in the directory of its own data afterwards. */
interface Movable {
  readonly cli: RealCli
  /** The answer by which a directory that the CLI has not seen yet may be worked in; null where it asks nothing. */
  readonly trust: string | null
  /** What the move must have changed on the disk. */
  readonly verify: (
    home: string,
    session: { readonly id: string; readonly from: string; readonly to: string; readonly transcriptPath: string | null }
  ) => void
}

const find = (directory: string, name: string): ReadonlyArray<string> =>
  execFileSync("find", ["-H", directory, "-name", name], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "")
    .sort()

const movable: ReadonlyArray<Movable> = [
  {
    cli: claude,
    trust: "Yes, I trust this folder",
    verify: (home, { id, transcriptPath }) =>
      assert.deepStrictEqual(
        find(join(home, ".claude/projects"), `${id}*`).filter((file) => file.endsWith(".jsonl")),
        [transcriptPath]
      )
  },
  {
    cli: gemini,
    trust: "1",
    verify: (home, { id, transcriptPath }) =>
      assert.deepStrictEqual(
        find(join(home, ".gemini/tmp"), `session-*${id.slice(0, 8)}.jsonl`).filter((file) => !file.includes("/logs/")),
        [transcriptPath]
      )
  }
]

/** A leap command as a user types it in a directory. */
const leapIn = ({ env }: Session, directory: string, args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [bundle, ...args], { cwd: directory, env, encoding: "utf8", timeout: 120_000 })

const everywhere = movable.flatMap((it) => [
  [it.cli.id, it] as const,
  ...(isThorough ? [[`${it.cli.id}, in a home behind a link`, { ...it, cli: behindLink(it.cli) }] as const] : [])
])

describe.each(everywhere)("%s", (_, { cli, trust, verify }) => {
  it("a session goes on where it was moved to, and remembers; and so it does when it is back", () =>
    hosted(cli, `${cli.id}-moves${cli.linked === true ? "-linked" : ""}`, async (session) => {
      const { api, leap, project, tag, tryLeap, until } = session
      const home = dirname(project)
      const a = realpathSync(project)
      const b = join(realpathSync(home), "another place.é 🎉")
      mkdirSync(b)
      const memory = "The word to remember is MAPLE."
      const stop = async () => {
        await leap(["stop", tag])
        await until("it has ended", ({ state }) => state === "exited")
      }
      const ready = async () => {
        const first = await until(
          "it is up again",
          ({ ready, state }) => (state === "idle" && ready) || (trust !== null && state === "needs_permission")
        )
        if (trust === null || first.state !== "needs_permission") return
        await leap(["answer", tag, trust])
        await until("it is up, and may work here", ({ ready, state }) => state === "idle" && ready)
      }
      const asks = async (question: string, answer: string) => {
        api.script(say(answer))
        await leap(["send", tag, question, "--wait", "--timeout", "90"])
        return api.main.at(-1)?.conversation ?? []
      }
      const where = async () =>
        (
          JSON.parse(await leap(["status", tag, "--json"])) as {
            readonly sessions: ReadonlyArray<Status & { readonly cwd: string }>
          }
        ).sessions[0]

      assert.deepStrictEqual(await asks(memory, "I shall remember it."), [memory])
      const { sessionId } = await until("the session's id is known", (now) => now.sessionId !== null)
      const id = sessionId ?? ""
      await stop()

      const moved = JSON.parse(await leap(["move", tag, b, "--json"])) as {
        readonly to: string
        readonly transcriptPath: string | null
        readonly leftovers: ReadonlyArray<unknown>
      }
      assert.strictEqual(moved.to, b)
      assert.deepStrictEqual(moved.leftovers, [])
      verify(home, { id, from: a, to: b, transcriptPath: moved.transcriptPath })
      // where it was there is nothing to go on with
      renameSync(a, `${a}.away`)
      await leap(["resume", "--cli", cli.id, "--tag", tag, "--session", id, "--there", "--detach"])
      await ready()
      assert.strictEqual((await where())?.cwd, b)
      assert.deepStrictEqual(await asks("What is the word?", "MAPLE."), [memory, "What is the word?"])
      assert.strictEqual((await where())?.sessionId, id)
      await stop()
      renameSync(`${a}.away`, a)

      leapIn(session, a, ["resume", "--cli", cli.id, "--tag", tag, "--session", id, "--here", "--detach"])
      await ready()
      assert.strictEqual((await where())?.cwd, a)
      const back = (await where())?.transcriptPath ?? null
      assert.deepStrictEqual(await asks("And again?", "Still MAPLE."), [memory, "What is the word?", "And again?"])
      assert.strictEqual((await where())?.sessionId, id)
      await stop()
      if (back !== null) assert.include(find(home, "*.jsonl"), back)
      // nothing but the directory keeps it from being moved once more
      assert.strictEqual((await tryLeap(["move", tag, join(home, "nowhere")])).code, 2)
    }))
})
