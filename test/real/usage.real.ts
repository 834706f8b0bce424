// What leap says that sessions have cost and used, beside what their CLIs say themselves.
import { assert, describe, it } from "@effect/vitest"
import { claude } from "./cli/claude.ts"
import { hosted, type Session, sleep, untilStatus } from "./hosted.ts"
import type { Status } from "./leap.ts"
import { type Reply, say } from "./model/FakeModel.ts"

interface Shown {
  readonly usd: number
  readonly floor?: string
}

const costOf = ({ cost }: Status): Shown | null => cost as Shown | null

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

describe("Claude Code's cost", () => {
  it("is leap's, of sessions with subagents, forks, compactions, two models, and of resumed ones", async () =>
    hosted(claude, "usage-claude", async (session) => {
      const { api, leap, project, tryLeap } = session
      api.otherwise = say("That is my answer.")
      const start = async (tag: string, ...args: ReadonlyArray<string>) => {
        await leap([tag, "--cli", "claude", "--cwd", project, "--detach", "--", ...args])
        await untilStatus(`${tag} is up`, statusOf(session, tag), ({ ready, state }) => state === "idle" && ready)
      }
      const turn = async (tag: string, text: string) => {
        await leap(["send", tag, "--wait", text])
        await untilStatus(`${tag} rests`, statusOf(session, tag), ({ state }) => state === "idle")
      }
      /** What the CLI itself shows. */
      const ownCost = async (tag: string): Promise<number> => {
        await leap(["send", tag, "/cost"])
        for (let n = 0; n < 100; n++) {
          const found = /(?:Estimated|Total) cost:\s+\$([\d.]+)/.exec(await leap(["screen", tag]))
          if (found !== null) {
            await leap(["keys", tag, "esc"])
            await untilStatus(`${tag} rests`, statusOf(session, tag), ({ ready, state }) => state === "idle" && ready)
            return Number(found[1])
          }
          await sleep(200)
        }
        throw new Error("no cost is shown")
      }
      const compare = async (tag: string, what: string) => {
        const own = await ownCost(tag)
        let leapCost = costOf(await statusOf(session, tag)())
        for (let n = 0; n < 50 && !fits(leapCost, own); n++) {
          await sleep(200)
          leapCost = costOf(await statusOf(session, tag)())
        }
        told("claude", what, leapCost, own)
        assert.isTrue(fits(leapCost, own), `${what}: ${JSON.stringify(leapCost)} of ${own}`)
        return { own, leap: leapCost! }
      }
      const one = session.tag
      api.script(toAgent("haiku"), say("I sent it."), say("It is done."))
      await turn(one, "send an agent")
      await session.until("the agent is done", ({ state }) => state === "idle")
      await sleep(3_000)
      const sub = await compare(one, "a subagent of another model")
      assert.isUndefined(sub.leap.floor)

      const id = (await session.status()).sessionId!
      await leap(["stop", one])
      await sleep(1_500)
      await start("fork", "--resume", id, "--fork-session")
      await turn("fork", "more of it")
      await compare("fork", "its fork, with what it brought along")
      await start("again", "--resume", id)
      await turn("again", "and again")
      const resumed = await compare("again", "the session itself, resumed")
      assert.isUndefined(resumed.leap.floor)

      await start("compact")
      await turn("compact", "a long story")
      await leap(["send", "compact", "/compact"])
      await sleep(6_000)
      await turn("compact", "and on")
      const compacted = await compare("compact", "a compaction")
      assert.isDefined(compacted.leap.floor)

      await start("models", "--model", "claude-test-9")
      await turn("models", "without a price")
      await leap(["send", "models", "/model haiku"])
      await sleep(2_000)
      await tryLeap(["keys", "models", "enter"])
      await sleep(2_000)
      await turn("models", "with one")
      const two = await compare("models", "two models, one without a price")
      assert.isDefined(two.leap.floor)
      assert.match(await leap(["status", "models"]), /≥\$/)

      for (const tag of ["fork", "again", "compact", "models"]) await leap(["stop", tag])
      await sleep(2_000)
      const { rows, total } = JSON.parse(await leap(["report", "--json"])) as {
        readonly rows: ReadonlyArray<{ readonly key: string; readonly usd: number | null; readonly floor?: boolean }>
        readonly total: { readonly usd: number | null; readonly floor?: boolean }
      }
      const usd = Object.fromEntries(rows.map(({ key, usd }) => [key, usd ?? 0]))
      process.stderr.write(
        `leap report: ${JSON.stringify(rows.map(({ floor, key, usd }) => [key, usd, floor]))} ${JSON.stringify(total.usd)}\n`
      )
      // a request of the main model's each, and nothing of what was there before
      const request = 0.002_84
      assert.closeTo(usd["fork"]!, request, 0.000_1)
      assert.closeTo(usd["again"]!, request, 0.000_1)
      assert.closeTo(usd[one]!, sub.own, 0.000_1)
    }))
})
