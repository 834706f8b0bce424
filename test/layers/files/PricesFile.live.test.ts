import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { findPrice } from "../../../src/domain/cli/usage/Prices.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as PricesFile from "../../../src/layers/files/PricesFile.ts"
import { Prices } from "../../../src/services/Prices.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"

/** Prices with settings that name this file, in a directory of their own. */
const withFile = (named: string | null, body: (dir: string) => Effect.fn.Return<void, unknown, Prices>) =>
  Effect.gen(function* () {
    const dir = yield* Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-prices-"))),
      (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
    )
    const settings = Layer.succeed(UserSettings, {
      file: path.join(dir, "settings.json"),
      read: Effect.succeed({ settings: { ...defaultSettings, prices: named }, warnings: [] }),
      change: () => Effect.void,
      changes: Effect.succeed(Stream.empty)
    })
    const layer = PricesFile.layer.pipe(Layer.provide([settings, SystemNode.layerWith({ version: "test", self: [] })]))
    return yield* Effect.fnUntraced(body)(dir).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

const read = Effect.flatMap(Prices, ({ read }) => read)
const content = (price: number) =>
  JSON.stringify({
    "own-model": { input_cost_per_token: price },
    "claude-opus-5": { input_cost_per_token: price, output_cost_per_token: 1 }
  })

describe("prices", () => {
  it.live("without a file of the user's are leap's own, with their date", () =>
    withFile(null, function* () {
      const { file, shipped, table, warning } = yield* read
      assert.deepStrictEqual([file, warning], [null, null])
      assert.match(shipped ?? "", /^\d{4}-\d\d-\d\d$/)
      assert.strictEqual(findPrice(table, "claude-opus-5")?.source, "leap")
    })
  )

  it.live("a file of the user's goes before them, is read again when it has changed, and only then", () =>
    withFile("my.json", function* (dir) {
      const file = path.join(dir, "my.json")
      fs.writeFileSync(file, `\uFEFF${content(1)}`)
      const first = yield* read
      assert.deepStrictEqual([first.file, first.warning], [file, null])
      assert.deepStrictEqual(
        ["own-model", "claude-opus-5", "gpt-5.4"].map((model) => findPrice(first.table, model)?.source),
        ["file", "file", "leap"]
      )
      assert.strictEqual(yield* read, first)
      fs.writeFileSync(`${file}.new`, content(7))
      fs.renameSync(`${file}.new`, file)
      assert.strictEqual(findPrice((yield* read).table, "own-model")?.rates.input, 7)
      fs.rmSync(file)
      const gone = yield* read
      assert.isNull(findPrice(gone.table, "own-model"))
      assert.include(gone.warning, file)
    })
  )

  it.live.each<readonly [what: string, text: string, why: RegExp]>([
    ["no JSON", "{", /no JSON/],
    ["a list", "[]", /no prices/],
    ["no prices", '{"a":{}}', /no prices/],
    ["nothing", "", /no JSON/],
    ["no text", "\u0000\ufffd", /no JSON/]
  ])("a file with %s changes nothing, and that is said", ([, text, why]) =>
    withFile("my.json", function* (dir) {
      fs.writeFileSync(path.join(dir, "my.json"), text)
      const { table, warning } = yield* read
      assert.match(warning ?? "", why)
      assert.strictEqual(findPrice(table, "claude-opus-5")?.source, "leap")
    })
  )

  it.live("a directory is no file of prices", () =>
    withFile(".", function* () {
      assert.match((yield* read).warning ?? "", /no file/)
    })
  )
})
