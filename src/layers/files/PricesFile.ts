import { Effect, Layer, Option, Semaphore } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { expand } from "../../domain/store/settings/CustomCli.ts"
import { fieldsOf, textOf } from "../../domain/words/reading/Fields.ts"
import { parseJson } from "../../domain/words/formats/Json.ts"
import { withUsersPrices, type PriceTable, readPrices } from "../../domain/cli/usage/Prices.ts"
import { System } from "../../services/System.ts"
import { Prices, type LoadedPrices } from "../../services/Prices.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { call } from "./fileCalls.ts"

/** LiteLLM's own file has about 2 MB. */
const limit = 25 << 20
const noPrices: PriceTable = new Map()

interface UserPrices {
  /** Identifies the file, and its state when it was read. */
  readonly version: string
  readonly table: PriceTable
  readonly warning: string | null
}

const readUserPrices = Effect.fnUntraced(function* (file: string, former: UserPrices | null) {
  const stat = yield* call(() => fs.stat(file))
  const version = `${file}\n${stat.ino} ${stat.size} ${stat.mtimeMs}`
  if (former?.version === version) return former
  const unusable = (why: string): UserPrices => ({
    version,
    table: noPrices,
    warning: `${file}: ${why}; leap's own prices count`
  })
  if (!stat.isFile()) return unusable("is no file")
  if (stat.size > limit) return unusable(`is larger than ${limit >> 20} MB`)
  const content = parseJson((yield* call(() => fs.readFile(file, "utf8"))).replace(/^\uFEFF/, ""))
  if (Option.isNone(content)) return unusable("is no JSON")
  const table = readPrices(content.value, "file")
  return table.size === 0 ? unusable("holds no prices that leap understands") : { version, table, warning: null }
})

const make = Effect.gen(function* () {
  const settings = yield* UserSettings
  const system = yield* System
  const mutex = yield* Semaphore.make(1)
  // loaded at the first use: few commands need prices
  const shipped = yield* Effect.cached(
    Effect.map(
      Effect.promise(() => import("../../domain/cli/usage/prices.json", { with: { type: "json" } })),
      ({ default: content }) => ({
        table: readPrices(content, "leap"),
        date: textOf(fieldsOf(fieldsOf(content)["_about"])["date"])
      })
    )
  )
  let userPrices: UserPrices | null = null
  let merged: LoadedPrices | null = null

  const read = Effect.gen(function* () {
    const builtin = yield* shipped
    const { prices: configured } = (yield* settings.read).settings
    const file = configured === null ? null : path.resolve(path.dirname(settings.file), expand(configured, system.env))
    const former = userPrices
    const current =
      file === null
        ? null
        : yield* readUserPrices(file, former).pipe(
            Effect.orElseSucceed((): UserPrices => ({
              version: file,
              table: noPrices,
              warning: `${file}: cannot be read; leap's own prices count`
            }))
          )
    if (merged === null || merged.file !== file || current !== former) {
      merged = {
        table: withUsersPrices(builtin.table, current?.table ?? noPrices),
        shipped: builtin.date,
        file,
        warning: current?.warning ?? null
      }
    }
    userPrices = current
    return merged
  })
  return Prices.of({ read: mutex.withPermits(1)(read) })
})

/**
 * The shipped prices, overlaid by those of the file named in the settings; a relative name is relative to the settings.
 */
export const layer: Layer.Layer<Prices, never, UserSettings | System> = Layer.effect(Prices, make)
