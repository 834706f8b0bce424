import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { type CliSettings, defaultSettings, type Settings } from "../../../src/domain/store/settings/Settings.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "../../../src/layers/providers/ProvidersConfigured.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import * as support from "../../support/providers.ts"
import { effectWith } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const { builtin } = support

const withClis = (clis: Readonly<Record<string, CliSettings>>, rest: Partial<Settings> = {}): Settings => ({
  ...defaultSettings,
  clis,
  ...rest
})
const configured = (settings: Settings) => support.configured(builtin, settings)
const find = (settings: Settings, id: string) => {
  const found = configured(settings).find((provider) => provider.id === id)
  if (found === undefined) throw new Error(`no ${id}`)
  return found
}
const options = { args: ["--x"], env: { HOME: "/home/me", NAME: "n" }, self: ["leap"] }

describe("CLIs of the user's own", () => {
  it.each(builtin.map(({ id }) => [id] as const))(
    "a variant of %s has its own name and launch, and all else of its base",
    (id) => {
      const base = builtin.find((record) => record.id === id)
      const variant = find(
        withClis({ "my-2": { base: id, displayName: "Mine", flags: "-y", env: { A: "~/$NAME" }, hidden: true } }),
        "my-2"
      )
      assert.deepStrictEqual({ ...variant, launch: null }, {
        ...base,
        launch: null,
        id: "my-2",
        base: id,
        displayName: "Mine",
        flags: "-y",
        hidden: true,
        bundled: false
      } as never)
      const launch = base?.launch(options)
      assert.deepStrictEqual(variant.launch(options), { ...launch, env: { ...launch?.env, A: "/home/me/n" } } as never)
    }
  )

  it("a variant runs another program where one is named: its own, else its base's", () => {
    const settings = withClis({
      claude: { command: "~/bin/claude", flags: "-base", env: { B: "1" } },
      mine: { base: "claude" },
      own: { base: "claude", command: "other" }
    })
    assert.strictEqual(find(settings, "claude").launch(options).command, "/home/me/bin/claude")
    assert.strictEqual(find(settings, "mine").launch(options).command, "/home/me/bin/claude")
    assert.strictEqual(find(settings, "own").launch(options).command, "other")
    // flags and environment are each one's own
    assert.isNull(find(settings, "mine").flags)
    assert.notProperty(find(settings, "mine").launch(options).env, "B")
    assert.strictEqual(find(settings, "mine").displayName, "mine")
  })

  it("leap's own CLIs take what is said of them and stay what they are", () => {
    const codex = find(withClis({ codex: { displayName: "C", flags: "-m x", env: { A: "b" }, hidden: true } }), "codex")
    assert.deepStrictEqual(
      [codex.id, codex.base, codex.displayName, codex.flags, codex.hidden],
      ["codex", "codex", "C", "-m x", true]
    )
    // its arguments are still wrapped as Codex needs them
    assert.deepStrictEqual(codex.launch(options), { command: "codex", args: ["--no-daemon", "--x"], env: { A: "b" } })
  })

  it("nothing said is the registry as it was", () => {
    assert.deepStrictEqual(
      configured(defaultSettings).map((provider) => ({ ...provider, launch: provider.launch(options) })),
      builtin.map((record) => ({ ...record, launch: record.launch(options) }))
    )
  })

  it("are listed in the user's order, the others behind them as they were", () => {
    const ids = configured(withClis({ mine: { base: "codex" } }, { order: ["mine", "gemini"] })).map(
      (provider) => provider.id
    )
    assert.deepStrictEqual(ids.slice(0, 4), ["mine", "gemini", "claude", "codex"])
    assert.strictEqual(ids.length, builtin.length + 1)
  })

  effectWith(
    ProvidersConfigured.layerOf(ProvidersBuiltin.registrations).pipe(
      Layer.provide(
        Layer.succeed(UserSettings, {
          file: "/settings.json",
          read: Effect.succeed({ settings: withClis({ mine: { base: "codex" } }), warnings: [] }),
          change: () => Effect.void,
          changes: Effect.succeed(Stream.empty)
        })
      )
    )
  )("are in the registry", function* () {
    const { all, get } = yield* Providers
    assert.include(each(all, "id"), "mine")
    assert.strictEqual((yield* get("mine")).base, "codex")
    assert.match((yield* Effect.flip(get("nobody"))).message, /known: .*claude.*mine/)
  })
})
