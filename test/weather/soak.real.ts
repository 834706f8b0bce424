import { assert, describe, it } from "@effect/vitest"
import { hosted, type RealCli } from "../real/hosted.ts"
import { say } from "../real/model/FakeModel.ts"
import { randomBy } from "../support/policy/shellLines.ts"
import { isThorough } from "../support/run/thorough.ts"
import { Figures } from "./Figures.ts"
import { Front } from "./Front.ts"
import { clis, impatient } from "./impatient.ts"
import type { Kind } from "./kinds/Kind.ts"
import { kindsOf } from "./kinds/kinds.ts"
import { hasNames } from "./Names.ts"
import { Soak } from "./Soak.ts"

const seed = Number(process.env["LEAP_SEED"] ?? (isThorough ? Date.now() % 1_000_000 : 28))
/** Messages a CLI. */
const messages = Number(process.env["LEAP_WEATHER_MESSAGES"] ?? (isThorough ? 400 : 20))
const wanted = process.env["LEAP_WEATHER_CLIS"]?.split(",") ?? clis.map(({ id }) => id)
const wantedKinds = process.env["LEAP_WEATHER_KINDS"]?.split(",")
/** No further piece is begun after so many minutes. */
const minutes = Number(process.env["LEAP_WEATHER_MINUTES"] ?? (isThorough ? 170 : 12))
const aPiece = isThorough ? 10 : 4
/** So many pieces are left to leap alone, which takes a minute each. */
const alone = isThorough ? 3 : 0
const zones = ["Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "Europe/Zurich", "UTC"]

const shuffled = <A>(list: ReadonlyArray<A>, random: ReturnType<typeof randomBy>): ReadonlyArray<A> => {
  const left = [...list]
  return list.map(() => left.splice(random.below(left.length), 1)[0]!)
}

/** The CLI and its host live in another time zone than the endpoint. */
const elsewhere = (cli: RealCli, zone: string): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => ({ ...cli.prepare(home, project, endpoint), TZ: zone })
})

const soak = async (cli: RealCli): Promise<Figures> => {
  const random = randomBy(seed + clis.indexOf(cli))
  const figures = new Figures(cli.id)
  const front = new Front({ secure: true, ...(hasNames ? { name: `${cli.id}.weather.test` } : {}) })
  await front.listen()
  const pieces = Math.ceil(messages / aPiece)
  const kinds = shuffled(
    kindsOf(cli.id).filter(({ name }) => wantedKinds?.includes(name) ?? true),
    random
  )
  try {
    await hosted(elsewhere(impatient(cli, front), random.pick(zones)), `soak-${cli.id}`, async (session) => {
      const { api, leap, tag, until } = session
      api.otherwise = say("fine")
      // the conversation is not empty
      await leap(["send", tag, "hello"])
      await api.until("it answers", (main) => main.length > 0 && main.every(({ endedAt }) => endedAt !== null))
      await until("it rests", ({ ready, state }) => state === "idle" && ready)
      const weather = new Soak(cli, front, session, random, figures)
      let left = alone
      const next = (index: number): Kind => kinds[index % kinds.length]!
      const end = Date.now() + minutes * 60_000
      for (let index = 0; index < pieces && Date.now() < end; index++) {
        const kind = next(index)
        const isLeft = left > 0 && (kind.right === "network" || kind.right === "overloaded")
        if (isLeft) left--
        await weather.piece(kind, Math.min(aPiece, messages - index * aPiece), isLeft)
        process.stderr.write(`${cli.id} ${index + 1}/${pieces} ${kind.name}: ${figures.breaches.length} breaches\n`)
        if (index % 10 === 9) process.stderr.write(`${figures}\n`)
      }
    })
  } catch (error) {
    figures.stalled.push(
      `the soak broke off: ${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`
    )
  } finally {
    await front.close()
  }
  return figures
}

describe("a soak in bad weather", () => {
  // It is longer than any other; all CLIs are in it at once.
  it(
    "burns, doubles and stalls no message, keeps their order, and says what each waits for",
    async () => {
      process.stderr.write(`weather: LEAP_SEED=${seed}, ${messages} messages a CLI\n`)
      const all = await Promise.all(clis.filter(({ id }) => wanted.includes(id)).map(soak))
      process.stderr.write(`${all.join("\n")}\nweather: LEAP_SEED=${seed}\n`)
      assert.deepStrictEqual(
        all.flatMap(({ breaches, cli }) => breaches.map((breach) => `${cli}: ${breach}`)),
        []
      )
      if (isThorough && messages >= 400) for (const { cli, kinds } of all) assert.isAtLeast(kinds.size, 40, cli)
    },
    isThorough ? 3 * 3_600_000 : 15 * 60_000
  )
})
