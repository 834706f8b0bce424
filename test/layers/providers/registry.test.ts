import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { configured } from "../../../src/layers/providers/variants.ts"
import { registrations } from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { hosted, layerOf, registered } from "../../../src/layers/providers/registry.ts"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import * as Registry from "../../../src/services/Providers.ts"
import { builtin, builtinOf, configured as configuredProviders } from "../../support/providers.ts"
import { effect, effectWith } from "../../support/run/effects.ts"
import { rowsOf } from "../../support/data/fields.ts"

const [one, two] = builtin as readonly [Provider, Provider]

/** Two CLIs that count how often each is loaded and built. */
const counted = (gate: Promise<void> = Promise.resolve()) => {
  const counts: Record<string, number> = {}
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  const registrations = [one, two].map((provider) =>
    registered(provider, () => {
      count(`load ${provider.id}`)
      return gate.then(() => ({
        layer: Layer.sync(CLIProvider, () => {
          count(`build ${provider.id}`)
          return provider
        })
      }))
    })
  )
  return { counts, registrations }
}

describe("the registry", () => {
  it.effect("tells what is known of all, and loads nothing for it", () => {
    const { counts, registrations } = counted()
    return Effect.gen(function* () {
      const { all, get } = yield* Registry.Providers
      assert.deepStrictEqual(rowsOf(all, "id", "displayName"), [
        [one.id, one.displayName],
        [two.id, two.displayName]
      ])
      const error = yield* Effect.flip(get("nobody"))
      assert.strictEqual(error.message, `no CLI is called 'nobody'; known: ${one.id}, ${two.id}`)
      assert.deepStrictEqual(counts, {})
    }).pipe(Effect.provide(layerOf(registrations)))
  })

  effectWith(layerOf(hosted(registrations)))(
    "gives a session's host each CLI without the wiring of its hooks, which it has no use for",
    function* () {
      const { load } = yield* Registry.Providers
      const without = yield* load(() => true)
      assert.deepStrictEqual(
        without,
        builtin.map((provider) => ({ ...provider, hooks: null }))
      )
      assert.isAbove(builtin.filter(({ hooks }) => hooks !== null).length, 5)
    }
  )

  it.effect("loads the one that is asked for, once, however many ask", () => {
    const { counts, registrations } = counted()
    return Effect.gen(function* () {
      const { get, load } = yield* Registry.Providers
      const found = yield* Effect.all(
        [
          get(two.id),
          get(two.id),
          Effect.map(
            load(({ id }) => id === two.id),
            ([it]) => it
          )
        ],
        {
          concurrency: "unbounded"
        }
      )
      for (const provider of found) assert.strictEqual(provider, two)
      yield* get(two.id)
      assert.deepStrictEqual(counts, { [`load ${two.id}`]: 1, [`build ${two.id}`]: 1 })
    }).pipe(Effect.provide(layerOf(registrations)))
  })

  it.effect("loads again what was given up while it was loaded", () => {
    let open = () => {}
    const { counts, registrations } = counted(new Promise((resolve) => (open = resolve)))
    return Effect.gen(function* () {
      const { get } = yield* Registry.Providers
      const first = yield* Effect.forkChild(get(one.id), { startImmediately: true })
      yield* Fiber.interrupt(first)
      open()
      assert.strictEqual(yield* get(one.id), one)
      assert.strictEqual(counts[`build ${one.id}`], 1)
    }).pipe(Effect.provide(layerOf(registrations)))
  })

  it.effect("loads again what could not be loaded", () => {
    let loads = 0
    const registration = registered(one, () =>
      ++loads === 1
        ? Promise.reject(new Error("too many open files"))
        : Promise.resolve({ layer: Layer.succeed(CLIProvider, one) })
    )
    return Effect.gen(function* () {
      const { get } = yield* Registry.Providers
      const ends = yield* Effect.all([Effect.exit(get(one.id)), Effect.exit(get(one.id))], { concurrency: "unbounded" })
      assert.deepStrictEqual(ends.map(Exit.isFailure), [true, true])
      assert.strictEqual(yield* get(one.id), one)
      assert.strictEqual(yield* get(one.id), one)
      assert.strictEqual(loads, 2)
    }).pipe(Effect.provide(layerOf([registration])))
  })

  it.effect("builds a base once for all of its variants, and for none that nobody asks for", () => {
    const { counts, registrations } = counted()
    const settings = { ...defaultSettings, clis: { a: { base: one.id }, b: { base: one.id, flags: "-x" } } }
    return Effect.gen(function* () {
      const { get } = yield* Registry.Providers
      const [a, b] = [yield* get("a"), yield* get("b")]
      assert.deepStrictEqual([a.id, a.base, b.id, b.flags], ["a", one.id, "b", "-x"])
      assert.strictEqual(a.detection, one.detection)
      assert.deepStrictEqual(counts, { [`load ${one.id}`]: 1, [`build ${one.id}`]: 1 })
    }).pipe(Effect.provide(layerOf(configured(registrations, settings))))
  })

  effect("keeps what a CLI's layer holds until the registry itself goes", function* () {
    const released = yield* Deferred.make<void>()
    const layer = Layer.effect(
      CLIProvider,
      Effect.acquireRelease(Effect.succeed(one), () => Deferred.succeed(released, undefined))
    )
    yield* Effect.gen(function* () {
      yield* (yield* Registry.Providers).get(one.id)
      assert.isFalse(yield* Deferred.isDone(released))
    }).pipe(Effect.provide(layerOf([{ identity: one, layer }])))
    assert.isTrue(yield* Deferred.isDone(released))
  })

  effectWith(layerOf(counted().registrations))("gives a program the CLI that it acts on", function* () {
    const provided = (id: string) => Effect.provide(CLIProvider, Registry.layerOf(id))
    assert.strictEqual(yield* provided(two.id), two)
    const exit = yield* Effect.exit(provided("nobody"))
    assert.isTrue(Exit.isFailure(exit))
  })

  effectWith(layerOf(counted().registrations))(
    "knows a recorded session's CLI, or its base's where the variant is gone",
    function* () {
      const providers = yield* Registry.Providers
      const found = (cli: string, base: string) => Registry.providerOf(providers, { cli, base })
      assert.strictEqual((yield* Effect.fromOption(yield* found(two.id, one.id))).id, two.id)
      assert.strictEqual((yield* Effect.fromOption(yield* found("gone", one.id))).id, one.id)
      assert.strictEqual((yield* found("gone", "nobody"))._tag, "None")
    }
  )

  effect("gives a CLI that leap knows the keys of the user's settings, before its own", function* () {
    const settings = {
      ...defaultSettings,
      clis: { claude: { keys: { submit: "C-s", quit: "C-c C-c", paste: false } } }
    }
    const [changed] = configuredProviders([builtinOf("claude")], settings)
    const [same] = configuredProviders([builtinOf("claude")], defaultSettings)
    assert.deepStrictEqual([changed?.input.submit, changed?.input.quit], ["\u0013", ["\u0003", "\u0003"]])
    assert.isFalse(changed?.input.bracketedPaste)
    assert.strictEqual(changed?.input.interrupt, same?.input.interrupt)
    assert.isNull(yield* changed?.submitKey?.({}) ?? Effect.succeed(""))
    assert.strictEqual(same?.submitKey, builtinOf("claude").submitKey)
  })
})
