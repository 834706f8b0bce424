import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import type { HookWiring } from "../../../src/domain/cli/wiring/HookWiring.ts"
import { hooksInstall, hooksRemove, hooksStatus } from "../../../src/programs/cliSetup/hooks.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { HookInstaller, type HookState } from "../../../src/services/HookInstaller.ts"
import { StoreError } from "../../../src/services/StoreError.ts"
import { NoProgramError, System } from "../../../src/services/System.ts"
import { layerOf } from "../../support/providers.ts"
import { trialOf, versionsOf } from "../../support/wiring/versions.ts"
import { effectOfEach, effectWith } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const wiring: HookWiring = { events: [], files: () => [] as never }
const provider = (id: string, hooks: Provider["hooks"] = wiring) =>
  ({
    id,
    base: id,
    displayName: id.toUpperCase(),
    hooks,
    launch: () => ({ command: `${id}-program`, args: [], env: {} })
  }) as Partial<Provider> as Provider
const records = [
  provider("one"),
  provider("plain", null),
  provider("broken"),
  provider("absent"),
  { ...provider("show"), bundled: true }
]

const providers = layerOf(records)

const machine = Layer.mock(System, {
  env: {},
  cwd: "/",
  pid: 1,
  version: "0",
  node: "node",
  platform: "linux",
  self: ["leap"],
  which: (command) =>
    command === "absent-program"
      ? new NoProgramError({ command, file: null, found: false })
      : Effect.succeed(`/bin/${command}`)
})

/** Remembers which CLIs are wired; the one called `broken` cannot be changed. */
const installer = Layer.sync(HookInstaller, () => {
  const wired = new Set<string>()
  const change =
    (act: (id: string) => boolean) =>
    ({ id }: Provider) =>
      id === "broken"
        ? Effect.fail(
            new StoreError({
              store: "wiring",
              reason: "failed",
              file: "/broken",
              why: "it is not permitted",
              mend: "see to that"
            })
          )
        : Effect.sync(() => ({ file: `/${id}`, changed: act(id) }))
  return HookInstaller.of({
    install: change((id) => !wired.has(id) && wired.add(id).has(id)),
    remove: change((id) => wired.delete(id)),
    status: ({ hooks, id }) => {
      const state: HookState = hooks === null ? "unsupported" : wired.has(id) ? "installed" : "missing"
      return Effect.succeed({
        state,
        receivesEvents: wired.has(id),
        file: hooks === null ? null : `/${id}`,
        files: hooks === null ? [] : [`/${id}`],
        detail: ""
      })
    },
    switchedOff: () => Effect.succeed([]),
    wanted: () => Effect.succeed([]),
    refreshScripts: Effect.void
  })
})

const layers = Layer.mergeAll(providers, machine, installer, versionsOf(null), trialOf())
const short = (rows: ReadonlyArray<{ cli: string; state: string; changed: boolean; problem: string | null }>) =>
  rows.map(({ changed, cli, problem, state }) => `${cli} ${state} ${changed}${problem === null ? "" : ` ${problem}`}`)

describe("hooks", () => {
  effectWith(layers)(
    "are installed for every CLI that is there, and one that fails keeps no other from it",
    function* () {
      const wanted = [
        "one installed true",
        "broken missing false could not change /broken: it is not permitted; see to that"
      ]
      assert.deepStrictEqual(short(yield* hooksInstall(Option.none())), wanted)
      assert.strictEqual(short(yield* hooksInstall(Option.none()))[0], "one installed false")
    }
  )

  effectWith(layers)("are installed for the CLI that was named, there or not", function* () {
    assert.deepStrictEqual(short(yield* hooksInstall(Option.some("absent"))), ["absent installed true"])
    assert.deepStrictEqual(short(yield* hooksStatus(Option.some("one"))), ["one missing false"])
    const error = yield* Effect.flip(hooksInstall(Option.some("nobody")))
    assert.strictEqual(error._tag, "UnknownProviderError")
  })

  effectWith(layers)("are removed from all, whether the CLI is still there or not", function* () {
    yield* hooksInstall(Option.some("absent"))
    assert.deepStrictEqual(short(yield* hooksRemove(Option.none())), [
      "one missing false",
      "broken missing false could not change /broken: it is not permitted; see to that",
      "absent missing true"
    ])
  })

  effectWith(layers)("are removed from a CLI of leap's own too, once it was wired by its name", function* () {
    assert.deepStrictEqual(short(yield* hooksInstall(Option.some("show"))), ["show installed true"])
    assert.deepStrictEqual(short(yield* hooksRemove(Option.none())).at(-1), "show missing true")
    assert.isFalse(short(yield* hooksRemove(Option.none())).some((row) => row.startsWith("show")))
  })

  effectWith(layers)("are told of with the file and the name", function* () {
    assert.deepStrictEqual(yield* hooksStatus(Option.some("one")), [
      {
        cli: "one",
        displayName: "ONE",
        version: null,
        state: "missing",
        file: "/one",
        files: ["/one"],
        detail: "",
        changed: false,
        problem: null
      }
    ])
    assert.deepStrictEqual((yield* hooksStatus(Option.some("plain")))[0]?.file, "")
    assert.deepStrictEqual(each(yield* hooksStatus(Option.none()), "cli"), ["one", "broken", "absent"])
  })
})

describe("hooks of a CLI whose versions differ", () => {
  const cli = { ...provider("cli"), checkedVersion: "3.0.0", oldestVersion: "1.0.0" }
  /** Installs for a CLI of this version that says this of hooks of others; gives what was done. */
  const installed = (version: string | null, accepts: Parameters<typeof trialOf>[0]) =>
    Effect.gen(function* () {
      const done: Array<string> = []
      const note = (what: string) => Effect.sync(() => ({ file: "/cli", changed: done.push(what) > 0 }))
      const [row] = yield* hooksInstall(Option.none()).pipe(
        Effect.provide([
          layerOf([cli]),
          machine,
          versionsOf(version),
          trialOf(accepts),
          Layer.mock(HookInstaller, {
            install: (_, options) => note(`as ${options?.version}`),
            remove: () => note("removed"),
            status: () => Effect.succeed({ state: "missing", receivesEvents: false, file: null, files: [], detail: "" })
          })
        ])
      )
      return { done: done.join(), problem: row?.problem ?? null }
    })

  effectOfEach<readonly [string, string | null, Parameters<typeof trialOf>[0], string]>([
    ["that accepts those of its version", "2.0.0", () => "accepted", "as 2.0.0"],
    ["that cannot be tried", "2.0.0", () => "unknown", "as 2.0.0"],
    [
      "that refuses those of its version",
      "2.0.0",
      ({ version }) => (version === "1.0.0" ? "accepted" : "refused"),
      "as 1.0.0"
    ],
    ["that tells no version and accepts all", null, () => "accepted", "as 3.0.0"],
    [
      "that tells no version and refuses some",
      null,
      ({ version }) => (version === "1.0.0" ? "accepted" : "refused"),
      "as 1.0.0"
    ],
    ["that tells no version and cannot be tried", null, () => "unknown", "as 1.0.0"],
    ["that accepts none", "0.1.0", () => "refused", "removed"]
  ])("%s", function* ([, version, accepts, what]) {
    const { done, problem } = yield* installed(version, accepts)
    assert.strictEqual(done, what)
    if (what !== "removed") return assert.isNull(problem)
    assert.match(problem ?? "", /^CLI 0\.1\.0 does not accept settings with leap's hooks.*\/cli has none of them now/)
  })
})

describe("hooks of variants", () => {
  const base = provider("base")
  const variant = (id: string, env: Readonly<Record<string, string>> = {}) =>
    ({ ...base, id, base: "base", launch: () => ({ command: "base-program", args: [], env }) }) as Provider
  const all = [base, variant("shares"), variant("apart", { CONFIG: "/apart" })]
  const registry = layerOf(all)
  const places = Layer.sync(HookInstaller, () => {
    const wired: Array<string> = []
    const file = (record: Provider) => record.launch({ args: [], env: {}, self: [] }).env["CONFIG"] ?? "/shared"
    return HookInstaller.of({
      install: (record) => Effect.sync(() => ({ file: file(record), changed: wired.push(file(record)) > 0 })),
      remove: (record) => Effect.succeed({ file: file(record), changed: false }),
      status: (record) =>
        Effect.sync(() => ({
          state: wired.includes(file(record)) ? "installed" : "missing",
          receivesEvents: false,
          file: file(record),
          files: [file(record)],
          detail: ""
        })),
      switchedOff: () => Effect.succeed([]),
      wanted: () => Effect.succeed([]),
      refreshScripts: Effect.void
    })
  })

  effectWith(Layer.mergeAll(registry, machine, places, versionsOf(null), trialOf()))(
    "are told and installed once where they share their base's settings, and on their own where they have others",
    function* () {
      const rows = (given: ReadonlyArray<{ readonly cli: string; readonly file: string }>) =>
        given.map(({ cli, file }) => `${cli} ${file}`)
      assert.deepStrictEqual(rows(yield* hooksStatus(Option.none())), ["base /shared", "apart /apart"])
      assert.deepStrictEqual(rows(yield* hooksInstall(Option.none())), ["base /shared", "apart /apart"])
      assert.deepStrictEqual(rows(yield* hooksRemove(Option.none())), ["base /shared", "apart /apart"])
      // one that is named is meant
      assert.deepStrictEqual(short(yield* hooksInstall(Option.some("shares"))), ["shares installed true"])
    }
  )
})
