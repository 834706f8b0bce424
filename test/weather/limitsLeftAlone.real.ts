import { assert, describe, it } from "@effect/vitest"
import { hosted, type RealCli } from "../real/hosted.ts"
import { killed } from "../real/killed.ts"
import { say } from "../real/model/FakeModel.ts"
import { isThorough } from "../support/run/thorough.ts"
import { replyOf } from "./Fault.ts"
import { subscription } from "./kinds/anthropic.ts"
import { subscriber } from "./subscriber.ts"

const minute = 60_000
/** What a session needs before its limit is told, and a host to come up again. */
const ahead = minute

/** The first moment so far ahead that is so many milliseconds behind a multiple of this. */
const nextOf = (every: number, offset: number, now: number) =>
  Math.ceil((now + ahead - offset) / every) * every + offset

/** Zones that have full hours at different minutes, so that one is near. */
const zones = [
  ["Europe/Zurich", 0],
  ["Asia/Kolkata", 30],
  ["Asia/Kathmandu", 15]
] as const

/** When a limit that is told now ends, and in whose time that is told. */
const ends: ReadonlyArray<{
  readonly form: string
  readonly next: (now: number) => readonly [at: number, zone: string]
}> = [
  ...([59, 0, 30] as const).map((second) => ({
    form: `at :${String(second).padStart(2, "0")} of a minute`,
    next: (now: number) => [nextOf(minute, second * 1_000, now), "Europe/Zurich"] as const
  })),
  {
    form: "on the hour",
    next: (now) =>
      zones
        .map(([zone, past]) => [nextOf(60 * minute, past * minute, now), zone] as const)
        .toSorted(([a], [b]) => a - b)[0]!
  }
]

const texts = ["the first", "the second", "the third"]
const goesOn = "Your claude.ai usage limit has reset. Continue the task"

const ways: ReadonlyArray<{ readonly way: string; readonly cli: Partial<RealCli>; readonly kill: boolean }> = [
  { way: "with hooks", cli: {}, kill: false },
  { way: "without hooks", cli: { unwired: true }, kill: false },
  { way: "with its host killed in between", cli: {}, kill: true }
]

// The long waits come first: five are under way at a time.
const rows = ends.toReversed().flatMap((end, n) => ways.map((way, m) => ({ ...end, ...way, tag: `limit-${n}-${m}` })))

describe("Claude Code with a subscription, whose limit nobody looks after", () => {
  it.concurrent.each(isThorough ? rows : rows.slice(-3, -2))(
    "ends $form, $way: each text reaches the model once",
    ({ cli, kill, next, tag }) => {
      const [, zone] = next(Date.now() + minute)
      const inZone: RealCli = {
        ...subscriber,
        ...cli,
        prepare: (home, project, endpoint) => ({ ...subscriber.prepare(home, project, endpoint), TZ: zone })
      }
      return hosted(inZone, tag, async (session) => {
        const { api, leap, until } = session
        api.otherwise = say("fine")
        await leap(["send", tag, "hello", "--wait", "--timeout", "90"])
        const [reset] = next(Date.now())
        api.otherwise = replyOf({
          how: "status",
          status: 429,
          body: {
            type: "error",
            error: { type: "rate_limit_error", message: "This request would exceed your limit." }
          },
          headers: subscription("five_hour", "rejected", String(reset / 1_000))
        })
        setTimeout(() => (api.otherwise = say("fine")), reset - Date.now())
        for (const text of texts) await leap(["send", tag, text])
        await until(
          "the limit is told, and all wait for it",
          ({ problem, queue }) =>
            problem?.kind === "rate_limited" &&
            queue.filter(({ status }) => status === "queued").length === texts.length
        )
        if (kill) await killed(session)
        const answered = () => api.main.filter((one) => one.failed !== true && one.arrivedAt >= reset)
        await api.until(
          "the last is answered",
          () => answered().some((one) => one.conversation.at(-1) === "the third" && one.endedAt !== null),
          reset - Date.now() + 5 * minute
        )
        await until("all is done", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"))
        const said = answered().map(({ conversation }) => conversation.at(-1) ?? "")
        process.stderr.write(
          `${tag}: limit until ${new Date(reset).toISOString()} (${zone}); at the model ${JSON.stringify(
            answered().map(({ arrivedAt, conversation }) => [
              `+${((arrivedAt - reset) / 1_000).toFixed(1)} s`,
              conversation.at(-1)
            ])
          )}\n`
        )
        const [first = "", ...others] = said
        assert.isTrue(first.startsWith(goesOn) || (kill && first === "the first"), first)
        assert.deepStrictEqual(others, texts.slice(1))
        // what Claude Code went on with itself stands once in its conversation
        const last = api.main.at(-1)?.conversation.map((text) => text.trim()) ?? []
        if (!kill)
          for (const text of texts)
            assert.lengthOf(
              last.filter((one) => one === text),
              1,
              text
            )
      })
    },
    45 * minute
  )
})
