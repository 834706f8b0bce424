// What leap says that sessions have cost and used, beside what their CLIs say themselves.
import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type Session, sleep, untilStatus } from "./hosted.ts"
import type { Status } from "./leap.ts"
import { type Reply, say, type ToolBlock } from "./model/FakeModel.ts"
import { isThorough } from "../support/run/thorough.ts"

interface Shown {
  readonly usd: number
  readonly floor?: string
}

const costOf = ({ cost }: Status): Shown | null => cost

/** The status of another session in the same home. */
const statusOf = (session: Session, tag: string) => async (): Promise<Status> => {
  const { sessions } = JSON.parse(await session.leap(["status", tag, "--json"])) as {
    readonly sessions: ReadonlyArray<Status>
  }
  return sessions[0]!
}

/** A line of the table that the test prints. */
const told = (cli: string, what: string, leap: Shown | null, own: number): void => {
  const shown = leap === null ? "-" : `${leap.floor === undefined ? "" : "≥"}${leap.usd.toFixed(5)}`
  process.stderr.write(`| ${cli} | ${what} | ${shown} | ${own} | ${leap?.floor ?? ""} |\n`)
}

/** A floor is no more than the whole; what is no floor is the whole. The CLI shows four places. */
const fits = (leap: Shown | null, own: number): boolean =>
  leap !== null &&
  (leap.floor === undefined ? Math.abs(leap.usd - own) <= 0.000_11 : leap.usd > 0 && leap.usd <= own + 0.000_11)

const toAgent = (model: string): Reply => {
  const input = { description: "look around", prompt: "Look around.", subagent_type: "general-purpose", model }
  return { blocks: [{ type: "tool", name: "Agent", input, instead: { type: "tool", name: "Task", input } }] }
}

/** Claude Code with sessions of these tests. */
const inClaude = (name: string, body: (session: Session, it: ReturnType<typeof talk>) => Promise<void>) =>
  hosted(claude, name, (session) => body(session, talk(session)))

const talk = (session: Session) => {
  const { api, leap, project } = session
  api.otherwise = say("That is my answer.")
  const rests = (tag: string) =>
    untilStatus(`${tag} rests`, statusOf(session, tag), ({ ready, state }) => state === "idle" && ready)
  const start = async (tag: string, ...args: ReadonlyArray<string>) => {
    await leap([tag, "--cli", "claude", "--cwd", project, "--detach", "--", ...args])
    await rests(tag)
  }
  const turn = async (tag: string, text: string) => {
    await leap(["send", tag, "--wait", text])
    await rests(tag)
  }
  /** What the CLI itself shows. */
  const ownCost = async (tag: string): Promise<number> => {
    await leap(["send", tag, "/cost"])
    for (let n = 0; n < 100; n++) {
      const found = /(?:Estimated|Total) cost:\s+\$([\d.]+)/.exec(await leap(["screen", tag]))
      if (found !== null) {
        await leap(["keys", tag, "esc"])
        await rests(tag)
        return Number(found[1])
      }
      await sleep(200)
    }
    throw new Error("no cost is shown")
  }
  const compare = async (tag: string, what: string) => {
    const own = await ownCost(tag)
    let cost = costOf(await statusOf(session, tag)())
    for (let n = 0; n < 50 && !fits(cost, own); n++) {
      await sleep(200)
      cost = costOf(await statusOf(session, tag)())
    }
    told("claude", what, cost, own)
    assert.isTrue(fits(cost, own), `${what}: ${JSON.stringify(cost)} of ${own}`)
    return { own, leap: cost! }
  }
  return { rests, start, turn, compare }
}

describe("Claude Code's cost", () => {
  it("is leap's, of sessions with subagents, of forks and of resumed ones, and is counted once in a report", async () =>
    inClaude("usage-agents", async (session, { compare, start, turn }) => {
      const { api, leap, tag: one } = session
      api.script(toAgent("haiku"), say("I sent it."), say("It is done."))
      await turn(one, "send an agent")
      await sleep(3_000)
      const sub = await compare(one, "a subagent of another model")
      assert.isUndefined(sub.leap.floor)
      const id = (await session.status()).sessionId!
      await leap(["stop", one])
      await sleep(1_500)
      await start("fork", "--resume", id, "--fork-session")
      await turn("fork", "more of it")
      const fork = await compare("fork", "its fork, with what it brought along")
      // the subagents' transcripts are the first session's
      assert.isDefined(fork.leap.floor)
      await start("again", "--resume", id)
      await turn("again", "and again")
      const resumed = await compare("again", "the session itself, resumed")
      assert.isUndefined(resumed.leap.floor)
      for (const tag of ["fork", "again"]) await leap(["stop", tag])
      await sleep(2_000)
      const { rows, total } = JSON.parse(await leap(["report", "--json"])) as {
        readonly rows: ReadonlyArray<{ readonly key: string; readonly usd: number | null; readonly floor?: boolean }>
        readonly total: { readonly usd: number | null; readonly floor?: boolean }
      }
      process.stderr.write(
        `leap report: ${JSON.stringify(rows.map(({ floor, key, usd }) => [key, usd, floor]))} ${total.usd}\n`
      )
      const usd = Object.fromEntries(rows.map(({ key, usd }) => [key, usd ?? 0]))
      // a request of the main model's each, and nothing of what was there before
      assert.closeTo(usd["fork"]!, 0.002_84, 0.000_01)
      assert.closeTo(usd["again"]!, 0.002_84, 0.000_01)
      assert.closeTo(usd[one]!, sub.own, 0.000_1)
    }))

  it.runIf(isThorough)("is more than leap's with a compaction, and leap says so", async () =>
    inClaude("usage-compact", async ({ leap, tag }, { compare, turn }) => {
      await turn(tag, "a long story")
      await leap(["send", tag, "/compact"])
      await sleep(8_000)
      await turn(tag, "and on")
      const { leap: cost } = await compare(tag, "a compaction")
      assert.isDefined(cost.floor)
    })
  )

  it("is more than leap's of two models, one of which has no price, and leap says so", async () =>
    inClaude("usage-models", async ({ leap, tag, tryLeap }, { compare, start, turn }) => {
      await leap(["stop", tag])
      await start("models", "--model", "claude-test-9")
      await turn("models", "without a price")
      await leap(["send", "models", "/model haiku"])
      await sleep(3_000)
      await tryLeap(["keys", "models", "enter"])
      await sleep(2_000)
      await turn("models", "with one")
      const { leap: cost } = await compare("models", "two models, one without a price")
      assert.isDefined(cost.floor)
      assert.match(await leap(["status", "models"]), /≥\$/)
      await leap(["stop", "models", "--force"])
    }))
})

interface Counted {
  readonly key: string
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number }
}

/** The tokens that the report has, by session: what was not cached, what was, what came out. */
const reported = async ({ leap }: Session): Promise<Readonly<Record<string, string>>> => {
  const { rows } = JSON.parse(await leap(["report", "--json"])) as { readonly rows: ReadonlyArray<Counted> }
  return Object.fromEntries(
    rows.map(({ key, tokens: { cached, input, output } }) => [key, `${input} ${cached} ${output}`])
  )
}

/** What one request to the endpoint uses. */
const request = (times: number) => `${500 * times} ${700 * times} ${20 * times}`

/** Two turns, a compaction, and a third. */
const compacted = async ({ api, leap, tag, until }: Session, command = "/compact") => {
  api.otherwise = say("That is my answer.")
  await leap(["send", tag, "--wait", "one"])
  await leap(["send", tag, "--wait", "two"])
  await leap(["send", tag, command])
  await sleep(6_000)
  await until("it has room", ({ ready, state }) => state === "idle" && ready)
  await leap(["send", tag, "--wait", "three"])
}

/** What the CLI's screen shows in this place, once it does. */
const shown = async ({ leap, tag }: Session, pattern: RegExp): Promise<string | undefined> => {
  for (let n = 0; n < 100; n++) {
    const found = pattern.exec(await leap(["screen", tag]))?.[1]
    if (found !== undefined) return found
    await sleep(200)
  }
  return undefined
}

/** A turn in which the model calls another agent, and both answer. */
const withAgent = async ({ api, leap, tag }: Session, call: ToolBlock) => {
  api.otherwise = say("That is my answer.")
  api.script({ blocks: [call] })
  await leap(["send", tag, "--wait", "go"])
  await sleep(3_000)
}

describe.runIf(isThorough)("tokens of other CLIs", () => {
  it("are Codex's own of a session and its fork, whose count goes on where that of its origin was", async () =>
    hosted(codex, "usage-codex", async (session) => {
      const { api, leap, project, tag } = session
      api.otherwise = say("That is my answer.")
      await leap(["send", tag, "--wait", "one"])
      await leap(["send", tag, "--wait", "two"])
      const { sessionId } = await session.status()
      await leap(["stop", tag])
      await leap(["fork", "--cli", "codex", "--cwd", project, "--detach", "--", "fork", sessionId!])
      const rests = () =>
        untilStatus("the fork rests", statusOf(session, "fork"), ({ ready, state }) => state === "idle" && ready)
      await rests()
      await leap(["send", "fork", "--wait", "three"])
      await rests()
      await leap(["send", "fork", "/status"])
      const own = await shown({ ...session, tag: "fork" }, /Token usage:\s+(\S+) total/)
      await leap(["stop", "fork", "--force"])
      await sleep(1_500)
      const rows = await reported(session)
      process.stderr.write(`| codex | a session and its fork | ${JSON.stringify(rows)} | ${own} in all | |\n`)
      assert.deepStrictEqual(rows, { [tag]: request(2), fork: request(1) })
      // without what was cached, of all three requests
      assert.strictEqual(own, "1.56K")
    }))

  it("are Codex's own with a compaction, and of a session that goes on with another model", async () =>
    hosted(codex, "usage-codex-compact", async (session) => {
      const { leap, tag, tryLeap, until } = session
      await compacted(session)
      await tryLeap(["keys", tag, "esc"])
      await leap(["stop", tag])
      await leap(["resume", "--tag", tag, "--last", "--detach", "--", "-m", "gpt-5.2"])
      await until("it is up again", ({ ready, state }) => state === "idle" && ready)
      await leap(["send", tag, "--wait", "four"])
      await leap(["send", tag, "/status"])
      const own = await shown(session, /Token usage:\s+(\S+) total/)
      const rows = await reported(session)
      process.stderr.write(`| codex | a compaction, resumed, two models | ${rows[tag]} | ${own} in all | |\n`)
      assert.strictEqual(own, "2.6K")
      assert.strictEqual(rows[tag], request(5))
    }))

  it("are less than Gemini's own with a compression, and leap says so", async () =>
    hosted(gemini, "usage-gemini", async (session) => {
      const { leap, tag } = session
      await compacted(session, "/compress")
      await leap(["send", tag, "/stats model"])
      const own = await shown(session, /Total +([\d,]+)/)
      const rows = await reported(session)
      const cost = costOf(await session.status())
      told("gemini", `a compression: ${rows[tag]}; own total ${own}`, cost, 0)
      // the summary takes two requests, of which its chat file has nothing
      assert.strictEqual(own, "6,100")
      assert.strictEqual(rows[tag], request(3))
      assert.match(cost?.floor ?? "", /compression/)
    }))

  it("are more than Copilot's own with a compaction, which leaves that out, though its log has it", async () =>
    hosted(copilot, "usage-copilot", async (session) => {
      const { leap, tag } = session
      await compacted(session)
      await leap(["send", tag, "/usage"])
      const own = await shown(session, /Tokens +↑ (\S+)/)
      const rows = await reported(session)
      process.stderr.write(`| copilot | a compaction | ${rows[tag]} | ${own} in | |\n`)
      assert.strictEqual(own, "3.6k")
      assert.strictEqual(session.api.exchanges.length, 4)
      assert.strictEqual(rows[tag], request(4))
    }))

  it("are Codex's own with an agent, which has a rollout of its own", async () =>
    hosted(codex, "usage-codex-agent", async (session) => {
      const input = { task_name: "look", message: "Look around." }
      await withAgent(session, { type: "tool", namespace: "collaboration", name: "spawn_agent", input })
      const { api, leap, tag } = session
      await leap(["stop", tag])
      const rows = await reported(session)
      const requests = api.exchanges.filter(({ kind }) => kind === "main").length
      told("codex", `an agent: ${rows[tag]} of ${requests} requests`, null, 0)
      assert.strictEqual(requests, 3)
      assert.strictEqual(rows[tag], request(3))
    }))

  it("are Gemini's own with a subagent", async () =>
    hosted(gemini, "usage-gemini-agent", async (session) => {
      const input = { agent_name: "generalist", prompt: "Look around." }
      await withAgent(session, { type: "tool", name: "invoke_agent", input })
      const { api, leap, tag } = session
      await leap(["send", tag, "/stats model"])
      const own = await shown(session, /Total +([\d,]+)/)
      const rows = await reported(session)
      told("gemini", `a subagent: ${rows[tag]} of ${api.exchanges.length} requests; own total ${own}`, null, 0)
      assert.isAtLeast(api.exchanges.length, 3)
      assert.strictEqual(rows[tag], request(api.exchanges.length))
    }))

  it("are Copilot's own with a subagent", async () =>
    hosted(copilot, "usage-copilot-agent", async (session) => {
      const input = { description: "look around", prompt: "Look around.", agent_type: "general-purpose", name: "look" }
      await withAgent(session, { type: "tool", name: "task", input })
      const { api, leap, tag } = session
      await leap(["send", tag, "/usage"])
      const own = await shown(session, /Tokens +↑ (\S+)/)
      const rows = await reported(session)
      told("copilot", `a subagent: ${rows[tag]} of ${api.exchanges.length} requests; own ${own} in`, null, 0)
      assert.isAtLeast(api.exchanges.length, 3)
      assert.strictEqual(rows[tag], request(api.exchanges.length))
    }))

  it.each(["a subagent", "a compaction"])("are OpenCode's own of a session with %s", async (what) =>
    hosted(opencode, "usage-opencode", async (session) => {
      const { api, env, leap, tag } = session
      if (what === "a compaction") await compacted(session)
      else {
        const input = { description: "look", prompt: "Look around.", subagent_type: "general" }
        api.otherwise = say("That is my answer.")
        api.script({ blocks: [{ type: "tool", name: "task", input }] }, say("I looked."), say("All done."))
        await leap(["send", tag, "--wait", "go"])
      }
      await sleep(3_000)
      const rows = await reported(session)
      const database = new DatabaseSync(`${env["HOME"]}/.local/share/opencode/opencode.db`, { readOnly: true })
      const own = database
        .prepare(
          `SELECT sum(tokens_input) || ' ' || sum(tokens_cache_read) || ' ' || sum(tokens_output) AS sums FROM session`
        )
        .get() as { readonly sums: string }
      database.close()
      process.stderr.write(`| opencode | ${what} | ${rows[tag]} | ${own.sums} | |\n`)
      assert.strictEqual(own.sums, request(what === "a compaction" ? 4 : 3))
      assert.strictEqual(rows[tag], own.sums)
    })
  )
})
