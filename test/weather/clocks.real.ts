import { assert, describe, it } from "@effect/vitest"
import { isThorough } from "../support/run/thorough.ts"
import { randomBy } from "../support/policy/shellLines.ts"
import { clis } from "./impatient.ts"
import { kindsOf } from "./kinds/kinds.ts"
import { subscriber } from "./subscriber.ts"
import { weathered } from "./weathered.ts"

/** Limits that end in the past, in a year, by another clock, by a date in a header; a plain one to compare with. */
const limits = new Set(
  (
    "limit-past limit-just-past limit-far limit-other-clock retry-past retry-date retry-far retry-negative " +
    "session-limit per-minute"
  ).split(" ")
)

/** Zones whose time of day is not even the same minute as the endpoint's. */
const zones = ["Pacific/Chatham", "Asia/Kathmandu"]

// The limits of a subscription are told in headers, and by the CLI in its own zone's time of day.
const tried = [{ name: "subscriber", cli: subscriber }, ...clis.map((cli) => ({ name: cli.id, cli }))]

describe("limits as other clocks and other zones tell them", () => {
  it.each(tried.slice(0, isThorough ? undefined : 1))(
    "neither burn nor stall messages of $name",
    async ({ cli, name }) => {
      const random = randomBy(28)
      const kinds = kindsOf(cli.id)
        .filter((kind) => limits.has(kind.name))
        .slice(0, isThorough ? undefined : 4)
      const zone = random.pick(zones)
      const figures = await weathered(cli, {
        tag: `${name}-clocks`,
        kinds,
        aPiece: 3,
        alone: 0,
        minutes: 8,
        zone,
        random
      })
      process.stderr.write(`${zone}: ${figures.told()}\n`)
      assert.deepStrictEqual(figures.breaches, [])
    },
    15 * 60_000
  )
})
