import { hosted, type RealCli } from "../real/hosted.ts"
import { say } from "../real/model/FakeModel.ts"
import type { randomBy } from "../support/policy/shellLines.ts"
import { Figures } from "./Figures.ts"
import { Front } from "./Front.ts"
import { impatient } from "./impatient.ts"
import type { Kind } from "./kinds/Kind.ts"
import { hasNames } from "./Names.ts"
import { Soak } from "./Soak.ts"

interface Weather {
  readonly tag: string
  /** One piece each, in this order. */
  readonly kinds: ReadonlyArray<Kind>
  /** Messages in a piece. */
  readonly aPiece: number
  /** So many pieces are left to leap alone, which takes a minute each. */
  readonly alone: number
  /** No further piece is begun after so many minutes. */
  readonly minutes: number
  /** The time zone of the CLI and its host. */
  readonly zone: string
  readonly random: ReturnType<typeof randomBy>
}

const inZone = (cli: RealCli, zone: string): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => ({ ...cli.prepare(home, project, endpoint), TZ: zone })
})

/** What a session of the CLI comes to in this weather. */
export const weathered = async (cli: RealCli, weather: Weather): Promise<Figures> => {
  const { aPiece, kinds, minutes, random, tag, zone } = weather
  const figures = new Figures(tag)
  const front = new Front({ secure: true, ...(hasNames ? { name: `${tag}.weather.test` } : {}) })
  await front.listen()
  try {
    await hosted(inZone(impatient(cli, front), zone), `weather-${tag}`, async (session) => {
      const { api, leap, tag: own, until } = session
      api.otherwise = say("fine")
      // the conversation is not empty
      await leap(["send", own, "hello"])
      await api.until("it answers", (main) => main.length > 0 && main.every(({ endedAt }) => endedAt !== null))
      await until("it rests", ({ ready, state }) => state === "idle" && ready)
      const soak = new Soak(cli, front, session, random, figures)
      const end = Date.now() + minutes * 60_000
      let alone = weather.alone
      for (const [index, kind] of kinds.entries()) {
        if (Date.now() > end) break
        const isAlone = alone > 0 && (kind.right === "network" || kind.right === "overloaded")
        if (isAlone) alone--
        const before = figures.breaches
        await soak.piece(kind, aPiece, isAlone)
        for (const breach of figures.breaches.filter((breach) => !before.includes(breach)))
          process.stderr.write(`${tag}: ${breach}\n`)
        process.stderr.write(`${tag} ${index + 1}/${kinds.length} ${kind.name}: ${figures.breaches.length} breaches\n`)
      }
    })
  } catch (error) {
    figures.stalled.push(`it broke off: ${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`)
  } finally {
    await front.close()
  }
  return figures
}
