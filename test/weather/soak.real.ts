import { assert, describe, it } from "@effect/vitest"
import type { RealCli } from "../real/hosted.ts"
import { randomBy } from "../support/policy/shellLines.ts"
import { seedNumber } from "../support/run/seed.ts"
import { isThorough } from "../support/run/thorough.ts"
import { clis } from "./impatient.ts"
import { kindsOf } from "./kinds/kinds.ts"
import { weathered } from "./weathered.ts"

const seed = seedNumber
/** Messages a CLI. */
const messages = Number(process.env["LEAP_WEATHER_MESSAGES"] ?? (isThorough ? 400 : 12))
const minutes = Number(process.env["LEAP_WEATHER_MINUTES"] ?? (isThorough ? 170 : 3))
const wanted = process.env["LEAP_WEATHER_CLIS"]?.split(",") ?? clis.map(({ id }) => id)
const wantedKinds = process.env["LEAP_WEATHER_KINDS"]?.split(",")
const aPiece = isThorough ? 10 : 4
const zones = ["Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "Europe/Zurich", "UTC"]

const shuffled = <A>(list: ReadonlyArray<A>, random: ReturnType<typeof randomBy>): ReadonlyArray<A> => {
  const left = [...list]
  return list.map(() => left.splice(random.below(left.length), 1)[0]!)
}

const soak = (cli: RealCli) => {
  const random = randomBy(seed + clis.indexOf(cli))
  const kinds = shuffled(
    kindsOf(cli.id).filter(({ name }) => wantedKinds?.includes(name) ?? true),
    random
  )
  return weathered(cli, {
    tag: cli.id,
    kinds: Array.from({ length: Math.ceil(messages / aPiece) }, (_, index) => kinds[index % kinds.length]!),
    aPiece,
    alone: isThorough ? 3 : 0,
    minutes,
    zone: random.pick(zones),
    random
  })
}

describe("a soak in bad weather", () => {
  // It is longer than any other; all CLIs are in it at once.
  it(
    "burns, doubles and stalls no message, keeps their order, and says what each waits for",
    async () => {
      process.stderr.write(`weather: LEAP_SEED=${seed}, ${messages} messages a CLI\n`)
      const all = await Promise.all(clis.filter(({ id }) => wanted.includes(id)).map(soak))
      process.stderr.write(`${all.map((one) => one.told()).join("\n")}\nweather: LEAP_SEED=${seed}\n`)
      assert.deepStrictEqual(
        all.flatMap(({ breaches, cli }) => breaches.map((breach) => `${cli}: ${breach}`)),
        []
      )
    },
    isThorough ? 3 * 3_600_000 : 20 * 60_000
  )
})
