// What a reboot leaves: ten sessions of five CLIs whose processes are all gone, and with them what was in the runtime
// directory. `leap resume --all` brings the conversations back, each in its place, and holds what was queued.
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { each } from "../support/data/fields.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { endless, makeProject, sleep, untilStatus } from "./hosted.ts"
import { runLeap, type Status } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"

interface Row {
  readonly tag: string
  readonly resumed: boolean
  readonly directory: string | null
  readonly held: number | null
  readonly why: string | null
}

const clis = [claude, codex, copilot, gemini, opencode]
const runtime = `/tmp/leap-${process.getuid?.()}`

/** Processes whose home this is, and their environment's value of a variable. */
const processesOf = (home: string): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const isOurs = readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(`HOME=${home}`)
      return isOurs ? [Number(name)] : []
    } catch {
      return []
    }
  })

/** Everything of this home at once, as a machine that loses its power. */
const killAll = async (home: string) => {
  const alive = () => processesOf(home).filter((pid) => !/^\d+ \(.*\) Z /.test(statOf(pid)))
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const pids = alive()
    if (pids.length === 0) return
    if (Date.now() > deadline) throw new Error(`processes ${pids.join(", ")} do not end`)
    for (const pid of pids)
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // it has ended meanwhile
      }
  }
}
const statOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return `${pid} () Z `
  }
}

/** Where the CLI of a host runs: the directory of the host's first child. */
const placeOf = (host: number): string => {
  const [cli = ""] = readFileSync(`/proc/${host}/task/${host}/children`, "utf8").trim().split(" ")
  return readlinkSync(`/proc/${cli}/cwd`)
}

/** A mount namespace that has a runtime directory of its own. */
const makeNamespace = async () => {
  const script = `mkdir -p ${runtime} && mount -t tmpfs -o mode=700 tmpfs ${runtime} && echo made && exec sleep infinity`
  const holder = spawn("unshare", ["-m", "sh", "-c", script], { stdio: ["ignore", "pipe", "inherit"] })
  await once(holder.stdout, "data")
  const within = ["nsenter", `--mount=/proc/${holder.pid}/ns/mnt`, "--wdns=/"]
  return {
    within,
    sockets: () => readdirSync(`/proc/${holder.pid}/root${runtime}`),
    empty: () => execFileSync(within[0]!, [...within.slice(1), "find", runtime, "-mindepth", "1", "-delete"]),
    end: () => holder.kill("SIGKILL")
  }
}

describe("ten sessions of five CLIs", () => {
  it("come back with `leap resume --all` after everything was killed, each in its place, and hold what was queued", async () => {
    // so long a name that its sockets are in the runtime directory
    const home = join(process.env["HOME"] ?? "", `resumed-${"x".repeat(70)}`)
    const models = await Promise.all(
      clis.map(async (cli) => {
        const api = new FakeModel(cli.wire)
        api.otherwise = say("Noted.")
        return { cli, api, endpoint: await api.open() }
      })
    )
    const projectOf = (tag: string) => join(home, "work", tag)
    const sessions = models.flatMap(({ api, cli }) => ["one", "two"].map((n) => ({ api, cli, tag: `${cli.id}-${n}` })))
    const [half, whole] = ["one", "two"].map((n) => sessions.filter(({ tag }) => tag.endsWith(n))) as [
      typeof sessions,
      typeof sessions
    ]
    mkdirSync(home)
    let env: Readonly<Record<string, string | undefined>> = { ...process.env, HOME: home }
    for (const { cli, endpoint } of models)
      env = { ...env, ...cli.prepare(home, projectOf(`${cli.id}-one`), endpoint), HOME: home }
    const namespace = await makeNamespace()
    const tryLeap = (...words: ReadonlyArray<string>) => runLeap(env, words, undefined, namespace.within)
    const leap = async (...words: ReadonlyArray<string>) => {
      const ran = await tryLeap(...words)
      assert.strictEqual(ran.code, 0, `leap ${words.join(" ")}\n${ran.err}${ran.out}`)
      return ran.out
    }
    const status = async (tag: string) => {
      const told = JSON.parse(await leap("status", tag, "--json")) as { readonly sessions: ReadonlyArray<Status> }
      return told.sessions[0]!
    }
    const until = (what: string, tag: string, holds: (now: Status) => boolean) =>
      untilStatus(`${tag}: ${what}`, () => status(tag), holds)
    const atRest = ({ ready, state }: Status) => state === "idle" && ready
    const begun = Date.now()
    const tell = (what: string) => process.stderr.write(`${Math.round((Date.now() - begun) / 1000)} s: ${what}\n`)
    const asked = () => models.map(({ api }) => api.main.length)
    /** They come back; what is told of each, by its tag. */
    const resumed = async (...more: ReadonlyArray<string>) => {
      const since = Date.now()
      const ran = await tryLeap("resume", "--all", "--json", ...more)
      const rows = (JSON.parse(ran.out) as { readonly sessions: ReadonlyArray<Row> }).sessions
      tell(`leap resume --all ${more.join(" ")} took ${Date.now() - since} ms for ${rows.length} sessions`)
      const away = rows.filter((row) => !row.resumed)
      assert.strictEqual(ran.code, away.length === 0 ? 0 : 1, ran.err)
      return { err: ran.err, rows: new Map(rows.map((row) => [row.tag, row])) }
    }
    const cut = async () => {
      const before = new Map(await Promise.all(sessions.map(async ({ tag }) => [tag, await status(tag)] as const)))
      await killAll(home)
      namespace.empty()
      for (const { api } of models) api.forget()
      return before
    }
    try {
      for (const { cli, tag } of sessions) {
        makeProject(projectOf(tag))
        if (tag.endsWith("two")) cli.trust(home, projectOf(tag))
      }
      for (const { cli } of models) await leap("hooks", "install", "--cli", cli.id)
      await Promise.all(
        [half, whole].map(async (some) => {
          for (const { cli, tag } of some) {
            await leap(tag, "--cli", cli.id, "--cwd", projectOf(tag), "--detach")
            await until("up", tag, atRest)
            await leap("send", tag, `The word of ${tag} is MAPLE.`, "--wait", "--timeout", "90")
            await until("its conversation is known", tag, (now) => atRest(now) && now.sessionId !== null)
          }
        })
      )
      tell("ten are up")
      assert.lengthOf(
        namespace.sockets().filter((name) => name.endsWith(".sock")),
        10
      )
      // one of each is in the midst of a turn, with a message behind it
      for (const { api, tag } of half) {
        api.script(endless("Working").reply)
        const count = api.main.length
        await leap("send", tag, `Work, ${tag}.`)
        await api.until("it streams", (main) => main[count]?.startedAt != null)
        await leap("wait", tag, "--until", "running", "--timeout", "30")
        await leap("send", tag, `And then, ${tag}.`)
      }

      tell("five work, and have a message waiting")

      // ---- the first time: one directory was moved meanwhile, and what a CLI kept of one conversation deleted
      const before = await cut()
      const moved = projectOf("codex-two")
      renameSync(moved, `${moved}-moved`)
      const deleted = before.get("claude-two")?.transcriptPath ?? ""
      rmSync(deleted)
      for (const { tag } of sessions) assert.strictEqual((await status(tag)).state, "exited", tag)
      const count = asked()
      const first = await resumed("--at-once", "2")
      assert.deepStrictEqual([...first.rows.keys()].toSorted(), sessions.map(({ tag }) => tag).toSorted())
      assert.match(
        first.rows.get("codex-two")?.why ?? "",
        /cannot be resumed there: its directory .*codex-two is not there/
      )
      assert.match(first.rows.get("claude-two")?.why ?? "", /nothing is left of what Claude Code kept/)
      const back = sessions.filter(({ tag }) => tag !== "codex-two" && tag !== "claude-two")
      for (const { tag } of back) {
        const row = first.rows.get(tag)
        assert.deepStrictEqual<unknown>(
          { ...row, why: row?.why ?? null },
          {
            tag,
            cli: row === undefined ? "" : tag.split("-")[0],
            resumed: true,
            directory: projectOf(tag),
            held: tag.endsWith("one") ? 1 : 0,
            why: null
          }
        )
        const now = await until("back", tag, (it) => it.state !== "starting")
        assert.strictEqual(now.sessionId, before.get(tag)?.sessionId ?? null, `${tag} goes on with its conversation`)
        assert.strictEqual(placeOf(now.hostPid ?? 0), projectOf(tag))
      }
      // nothing is typed before its release, and no CLI goes on by itself
      await sleep(5_000)
      assert.deepStrictEqual(asked(), count)
      for (const { tag } of half)
        assert.deepStrictEqual(
          each(
            (await status(tag)).queue.filter((one) => one.status === "held"),
            "text"
          ),
          [`And then, ${tag}.`]
        )

      tell("nothing was typed")

      // ---- the second time: the directory is back, another one gone; and what was queued is released
      await killAll(home)
      namespace.empty()
      renameSync(`${moved}-moved`, moved)
      rmSync(projectOf("gemini-two"), { recursive: true })
      const second = await resumed("--release", "--at-once", "2")
      const away = [...second.rows.values()].filter((row) => !row.resumed)
      assert.deepStrictEqual(each(away, "tag").toSorted(), ["claude-two", "gemini-two"])
      assert.match(second.rows.get("gemini-two")?.why ?? "", /its directory .*gemini-two is not there/)
      for (const { api, cli, tag } of half) {
        const said = await until(
          "its message is done",
          tag,
          (now) => atRest(now) && now.lastMessage === `And then, ${tag}.`
        )
        // how the turn ended that was cut off nobody has seen: it is told, and not typed again
        assert.deepStrictEqual(
          said.queue.filter((one) => one.status !== "done").map(({ status, text }) => [status, text]),
          [["failed", `Work, ${tag}.`]]
        )
        const mine = api.main.filter(({ conversation }) => conversation[0]?.includes(`The word of ${tag} is`))
        const heard = mine.at(-1)?.conversation ?? []
        assert.deepStrictEqual([heard[0], heard.at(-1)], [`The word of ${tag} is MAPLE.`, `And then, ${tag}.`], cli.id)
      }
      for (const { api, tag } of whole.filter(({ tag }) => second.rows.get(tag)?.resumed === true)) {
        await until("up", tag, atRest)
        await leap("send", tag, `Which word, ${tag}?`, "--wait", "--timeout", "90")
        assert.deepStrictEqual(api.main.at(-1)?.conversation, [`The word of ${tag} is MAPLE.`, `Which word, ${tag}?`])
      }
      tell("each remembers")
      // who is away is told again, and may be begun anew where it was
      assert.match(
        (await tryLeap("resume", "--all")).out,
        /^claude-two {2}stays ended: nothing is left [^]*gemini-two {2}stays ended/
      )
      assert.isNull(models.find(({ api }) => api.failure !== null)?.api.failure ?? null)
    } catch (error) {
      for (const { tag } of sessions) {
        for (const words of [
          ["screen", tag],
          ["status", tag, "--json"]
        ]) {
          const told = await tryLeap(...words)
          process.stderr.write(`--- leap ${words.join(" ")}\n${told.out}${told.err}`)
        }
      }
      throw error
    } finally {
      await killAll(home)
      namespace.end()
      for (const { api } of models) await api.close()
    }
  }, 900_000)
})
