import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { HookWiring } from "../../src/domain/HookWiring.ts"
import { hooksInstall, hooksRemove, hooksStatus } from "../../src/programs/hooks.ts"
import type { ProviderRecord } from "../../src/services/CLIProvider.ts"
import { HookInstaller, HookInstallError, type HookState } from "../../src/services/HookInstaller.ts"
import { Machine } from "../../src/services/Machine.ts"
import { Providers, UnknownProviderError } from "../../src/services/Providers.ts"

const wiring: HookWiring = { events: [], files: () => [] as never }
const provider = (id: string, hooks: ProviderRecord["hooks"] = wiring) =>
  ({
    id,
    base: id,
    displayName: id.toUpperCase(),
    hooks,
    launch: () => ({ command: `${id}-program`, args: [], env: {} })
  }) as Partial<ProviderRecord> as ProviderRecord
const records = [provider("one"), provider("plain", null), provider("broken"), provider("absent")]

const providers = Layer.succeed(Providers, {
  all: records,
  get: (id) => {
    const found = records.find((record) => record.id === id)
    return found === undefined ? Effect.fail(new UnknownProviderError({ name: id, known: [] })) : Effect.succeed(found)
  }
})

const machine = Layer.mock(Machine, {
  env: {},
  cwd: "/",
  pid: 1,
  version: "0",
  node: "node",
  self: ["leap"],
  which: (command) => Effect.succeed(command === "absent-program" ? Option.none() : Option.some(`/bin/${command}`))
})

/** Remembers which CLIs are wired; the one called `broken` cannot be changed. */
const installer = Layer.sync(HookInstaller, () => {
  const wired = new Set<string>()
  const change = (act: (id: string) => boolean) => ({ id }: ProviderRecord) =>
    id === "broken"
      ? Effect.fail(new HookInstallError({ file: "/broken", why: "it is not permitted", remedy: "see to that" }))
      : Effect.sync(() => ({ file: `/${id}`, changed: act(id) }))
  return HookInstaller.of({
    install: change((id) => !wired.has(id) && wired.add(id).has(id)),
    remove: change((id) => wired.delete(id)),
    status: ({ hooks, id }) => {
      const state: HookState = hooks === null ? "unsupported" : wired.has(id) ? "installed" : "missing"
      return Effect.succeed({ state, heard: wired.has(id), file: hooks === null ? null : `/${id}`, files: hooks === null ? [] : [`/${id}`], detail: "" })
    },
    refreshScripts: Effect.void
  })
})

const layers = Layer.mergeAll(providers, machine, installer)
const short = (rows: ReadonlyArray<{ cli: string; state: string; changed: boolean; problem: string | null }>) =>
  rows.map(({ changed, cli, problem, state }) => `${cli} ${state} ${changed}${problem === null ? "" : ` ${problem}`}`)

describe("hooks", () => {
  it.effect("are installed for every CLI that is there, and one that fails keeps no other from it", () =>
    Effect.gen(function*() {
      const wanted = ["one installed true", "broken missing false could not change /broken: it is not permitted; see to that"]
      assert.deepStrictEqual(short(yield* hooksInstall(Option.none())), wanted)
      assert.strictEqual(short(yield* hooksInstall(Option.none()))[0], "one installed false")
    }).pipe(Effect.provide(layers)))

  it.effect("are installed for the CLI that was named, there or not", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(short(yield* hooksInstall(Option.some("absent"))), ["absent installed true"])
      assert.deepStrictEqual(short(yield* hooksStatus(Option.some("one"))), ["one missing false"])
      const error = yield* Effect.flip(hooksInstall(Option.some("nobody")))
      assert.strictEqual(error._tag, "UnknownProviderError")
    }).pipe(Effect.provide(layers)))

  it.effect("are removed from all, whether the CLI is still there or not", () =>
    Effect.gen(function*() {
      yield* hooksInstall(Option.some("absent"))
      assert.deepStrictEqual(short(yield* hooksRemove(Option.none())), [
        "one missing false",
        "broken missing false could not change /broken: it is not permitted; see to that",
        "absent missing true"
      ])
    }).pipe(Effect.provide(layers)))

  it.effect("are told of with the file and the name", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* hooksStatus(Option.some("one")), [
        { cli: "one", displayName: "ONE", state: "missing", file: "/one", files: ["/one"], detail: "", changed: false, problem: null }
      ])
      assert.deepStrictEqual((yield* hooksStatus(Option.some("plain")))[0]?.file, "")
      assert.deepStrictEqual((yield* hooksStatus(Option.none())).map(({ cli }) => cli), ["one", "broken", "absent"])
    }).pipe(Effect.provide(layers)))
})

describe("hooks of variants", () => {
  const base = provider("base")
  const variant = (id: string, env: Readonly<Record<string, string>> = {}) =>
    ({ ...base, id, base: "base", launch: () => ({ command: "base-program", args: [], env }) }) as ProviderRecord
  const all = [base, variant("shares"), variant("apart", { CONFIG: "/apart" })]
  const registry = Layer.succeed(Providers, {
    all,
    get: (id) => Effect.fromOption(Option.fromUndefinedOr(all.find((record) => record.id === id))).pipe(Effect.mapError(() => new UnknownProviderError({ name: id, known: [] })))
  })
  const places = Layer.sync(HookInstaller, () => {
    const wired: Array<string> = []
    const file = (record: ProviderRecord) => record.launch({ args: [], env: {}, self: [] }).env["CONFIG"] ?? "/shared"
    return HookInstaller.of({
      install: (record) => Effect.sync(() => ({ file: file(record), changed: wired.push(file(record)) > 0 })),
      remove: (record) => Effect.succeed({ file: file(record), changed: false }),
      status: (record) =>
        Effect.sync(() => ({ state: wired.includes(file(record)) ? "installed" : "missing", heard: false, file: file(record), files: [file(record)], detail: "" })),
      refreshScripts: Effect.void
    })
  })

  it.effect("are told and installed once where they share their base's settings, and on their own where they have others", () =>
    Effect.gen(function*() {
      const rows = (given: ReadonlyArray<{ readonly cli: string; readonly file: string }>) => given.map(({ cli, file }) => `${cli} ${file}`)
      assert.deepStrictEqual(rows(yield* hooksStatus(Option.none())), ["base /shared", "apart /apart"])
      assert.deepStrictEqual(rows(yield* hooksInstall(Option.none())), ["base /shared", "apart /apart"])
      assert.deepStrictEqual(rows(yield* hooksRemove(Option.none())), ["base /shared", "apart /apart"])
      // one that is named is meant
      assert.deepStrictEqual(short(yield* hooksInstall(Option.some("shares"))), ["shares installed true"])
    }).pipe(Effect.provide(Layer.mergeAll(registry, machine, places))))
})
