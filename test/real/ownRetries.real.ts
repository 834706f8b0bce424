// A limit that nobody looks after: what the CLI tries again itself is the same turn, and nothing is typed beside it.
import { assert, describe, it } from "@effect/vitest"
import { isThorough } from "../support/run/thorough.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type RealCli } from "./hosted.ts"
import { killed } from "./killed.ts"
import { type Reply, say } from "./model/FakeModel.ts"

const lastsMs = 50_000
const texts = ["the first", "the second", "the third"]

interface Limit {
  readonly how: string
  readonly headers?: Readonly<Record<string, string>>
  readonly kills?: true
}

const limits: ReadonlyArray<Limit> = [
  { how: "that says when to come again", headers: { "retry-after": "7" } },
  { how: "that says nothing" },
  { how: "with its host killed in between", headers: { "retry-after": "7" }, kills: true },
  { how: "that says nothing, with its host killed in between", kills: true }
]

/** Each sits such a limit out within the turn, tells when it ends, or gives up: then leap tries again by itself. */
const clis: ReadonlyArray<RealCli> = [opencode, claude, gemini, codex, copilot]
const rows = clis.flatMap((cli) => limits.map(({ how, ...limit }) => ({ id: cli.id, how, cli, ...limit })))

describe("a limit of fifty seconds that nobody looks after", () => {
  it.concurrent.each(isThorough ? rows : rows.slice(0, 1))(
    "of $id, $how: each text is answered once, in order",
    async ({ cli, headers, how, id, kills }) =>
      hosted(cli, `limit-${id}-${how.replaceAll(/\W+/g, "-")}`, async (session) => {
        const { api, leap, tag, until } = session
        api.otherwise = say("fine")
        await leap(["send", tag, "hello", "--wait", "--timeout", "90"])
        await until("it rests", ({ ready, state }) => ready && state === "idle")
        const limited: Reply = {
          failure: { status: 429, message: "Rate limit reached", ...(headers === undefined ? {} : { headers }) }
        }
        api.otherwise = limited
        const from = Date.now()
        const ends = setTimeout(() => (api.otherwise = say("fine")), lastsMs)
        for (const text of texts) await leap(["send", tag, text])
        await api.until("the first is refused", (main) => main.at(-1)?.conversation.at(-1) === "the first")
        if (kills === true) await killed(session)
        const answered = () => api.main.slice(1).filter(({ failed }) => failed !== true)
        await api.until(
          "the last is answered",
          () => answered().some((one) => one.conversation.at(-1) === "the third" && one.endedAt !== null),
          6 * 60_000
        )
        clearTimeout(ends)
        await until(
          "all is done",
          ({ queue, ready, state }) => ready && state === "idle" && queue.every(({ status }) => status === "done")
        )
        process.stderr.write(
          `${tag}: ${JSON.stringify(
            api.main
              .slice(1)
              .map((one) => [
                `+${((one.arrivedAt - from) / 1_000).toFixed(1)} s`,
                one.conversation.at(-1),
                one.failed === true ? 429 : 200
              ])
          )}\n`
        )
        assert.deepStrictEqual(
          answered().map(({ conversation }) => conversation.at(-1)?.trim()),
          texts
        )
        // where the CLI did not give up, it is one turn: the text stands once in its conversation
        const last = api.main.at(-1)?.conversation.map((text) => text.trim()) ?? []
        if (cli === claude && kills !== true)
          assert.deepStrictEqual(
            last.filter((one) => texts.includes(one)),
            texts
          )
      }),
    15 * 60_000
  )
})
