import { Effect, Layer, Semaphore } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { expand } from "../domain/settings/CustomCli.ts"
import { fieldsOf, textOf } from "../domain/usage/Fields.ts"
import { overlay, type PriceTable, readPrices } from "../domain/usage/Prices.ts"
import { Machine } from "../services/Machine.ts"
import { Prices, type PricesRead } from "../services/Prices.ts"
import { UserSettings } from "../services/UserSettings.ts"

/** LiteLLM's own file has some 2 MB. */
const limit = 25 << 20
const none: PriceTable = new Map()

interface Users {
  /** Of which file, in which state, this was read. */
  readonly of: string
  readonly table: PriceTable
  readonly warning: string | null
}

const readUsers = async (file: string, former: Users | null): Promise<Users> => {
  const stat = await fs.stat(file)
  const of = `${file}\n${stat.ino} ${stat.size} ${stat.mtimeMs}`
  if (former?.of === of) return former
  const unfit = (why: string): Users => ({ of, table: none, warning: `${file}: ${why}; leap's own prices count` })
  if (!stat.isFile()) return unfit("is no file")
  if (stat.size > limit) return unfit(`is larger than ${limit >> 20} MB`)
  let content: unknown
  try {
    content = JSON.parse((await fs.readFile(file, "utf8")).replace(/^\uFEFF/, ""))
  } catch {
    return unfit("is no JSON")
  }
  const table = readPrices(content, "file")
  return table.size === 0 ? unfit("holds no prices that leap understands") : { of, table, warning: null }
}

const make = Effect.gen(function*() {
  const settings = yield* UserSettings
  const machine = yield* Machine
  const one = yield* Semaphore.make(1)
  let shipped: { readonly table: PriceTable; readonly date: string | null } | null = null
  let users: Users | null = null
  let merged: PricesRead | null = null

  const read = Effect.gen(function*() {
    // loaded when it is first asked for: few commands need prices
    shipped ??= yield* Effect.promise(async () => {
      const { default: content } = await import("../domain/usage/prices.json", { with: { type: "json" } })
      return { table: readPrices(content, "leap"), date: textOf(fieldsOf(fieldsOf(content)["_about"])["date"]) }
    })
    const own = shipped
    const { settings: { prices: named } } = yield* settings.read
    const file = named === null ? null : path.resolve(path.dirname(settings.file), expand(named, machine.env))
    const former = users
    const now = file === null ? null : yield* Effect.tryPromise(() => readUsers(file, former)).pipe(
      Effect.orElseSucceed((): Users => ({ of: file, table: none, warning: `${file}: cannot be read; leap's own prices count` }))
    )
    if (merged === null || merged.file !== file || now !== former) {
      merged = { table: overlay(own.table, now?.table ?? none), shipped: own.date, file, warning: now?.warning ?? null }
    }
    users = now
    return merged
  })
  return Prices.of({ read: one.withPermits(1)(read) })
})

/** Leap's prices with those of the settings' file before them; a relative name is one beside the settings. */
export const layer: Layer.Layer<Prices, never, UserSettings | Machine> = Layer.effect(Prices, make)
