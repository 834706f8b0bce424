import { Effect, Option } from "effect"
import type { Provider } from "../../services/CLIProvider.ts"
import type { CliVersions } from "../../services/CliVersions.ts"
import {
  type HookChange,
  HookInstaller,
  type HookInstallOptions,
  HookRefusedError
} from "../../services/HookInstaller.ts"
import type { StoreError } from "../../services/StoreError.ts"
import { System } from "../../services/System.ts"
import { WiringTrial } from "../../services/WiringTrial.ts"
import { Providers } from "../../services/Providers.ts"
import { locate, versionOf } from "../starting/locateCli.ts"

/** A CLI's row of the output. `problem`: why the command failed for this CLI; null if it did not. */
const rowOf = Effect.fnUntraced(function* (provider: Provider, changed = false, problem: string | null = null) {
  const version = yield* versionOf(provider)
  const place = { directory: (yield* System).cwd }
  const { detail, file, files, state } = yield* (yield* HookInstaller).status(provider, version, place)
  return {
    cli: provider.id,
    displayName: provider.displayName,
    /** Null if unknown. */
    version,
    state,
    /** The CLI's settings file; empty if it has none. */
    file: file ?? "",
    files,
    detail,
    changed,
    problem
  }
})

/** Whether a CLI has settings files of its own. A variant usually shares its base's, except by its environment. */
export const hasOwnWiring = Effect.fn("hasOwnWiring")(function* (provider: Provider) {
  if (provider.hooks === null || provider.base === provider.id) return provider.hooks !== null
  const installer = yield* HookInstaller
  const base = yield* Effect.option((yield* Providers).get(provider.base))
  if (Option.isNone(base)) return true
  const [own, shared] = yield* Effect.forEach([provider, base.value], (it) => installer.status(it))
  return own?.files.join("\0") !== shared?.files.join("\0")
})

/** The named CLI, else all CLIs of the user that leap can wire, without variants that share their base's settings. */
const chosen = Effect.fnUntraced(function* (cli: Option.Option<string>) {
  const providers = yield* Providers
  if (Option.isSome(cli)) return [yield* providers.get(cli.value)]
  return yield* Effect.filter(yield* providers.load(({ bundled }) => !bundled), hasOwnWiring)
})

const forEachCli = Effect.fnUntraced(function* (
  providers: ReadonlyArray<Provider>,
  act: (
    provider: Provider
  ) => Effect.Effect<
    HookChange & { readonly others?: ReadonlyArray<string> },
    StoreError | HookRefusedError,
    CliVersions | HookInstaller | System | WiringTrial
  >
) {
  return yield* Effect.forEach(
    providers,
    Effect.fnUntraced(function* (provider) {
      const { changed, others, problem } = yield* act(provider).pipe(
        Effect.map(({ changed, others = [] }) => ({ changed, others, problem: null })),
        Effect.catch((error) => Effect.succeed({ changed: false, others: [], problem: error.message }))
      )
      const row = yield* rowOf(provider, changed, problem)
      if (others.length === 0) return row
      const taken =
        `taken over from another installation of leap (${others.join(", ")}), whose sessions hear nothing of this ` +
        "CLI any more"
      return { ...row, detail: row.detail === "" ? taken : `${row.detail}; ${taken}` }
    })
  )
})

const isInstalled = (provider: Provider) => Effect.map(locate(provider), ({ path }) => Option.isSome(path))

/**
 * The version whose hook events the CLI accepts in a trial: its own (if unknown, the newest checked one), else the
 * oldest checked one; null for neither. If no trial is possible, its own is assumed or, if unknown, the oldest.
 */
const acceptedVersion = Effect.fn("hooks.acceptedVersion")(function* (provider: Provider) {
  const { checkedVersion, oldestVersion } = provider
  const version = yield* versionOf(provider, { fresh: true })
  const { env, path } = yield* locate(provider)
  const untried = { version, accepts: true, wired: version ?? oldestVersion ?? checkedVersion }
  if (Option.isNone(path)) return untried
  const trial = yield* WiringTrial
  for (const candidate of new Set([version ?? checkedVersion, oldestVersion])) {
    const outcome = yield* trial.run(provider, { program: path.value, env, version: candidate })
    if (outcome === "unknown") return untried
    if (outcome === "accepted") return { version, accepts: true, wired: candidate }
  }
  return { version, accepts: false, wired: null }
})

/**
 * Installs the hooks that the CLI accepts in a trial outside the user's settings. If none, earlier ones are removed.
 */
export const installHooks = Effect.fn("installHooks")(function* (provider: Provider, options: HookInstallOptions = {}) {
  const installer = yield* HookInstaller
  const { accepts, version, wired } = yield* acceptedVersion(provider)
  if (accepts) {
    const { others = [] } = yield* installer.status(provider, wired)
    return { ...(yield* installer.install(provider, { ...options, version: wired })), others }
  }
  const { file } = yield* installer.remove(provider)
  return yield* new HookRefusedError({ displayName: provider.displayName, version, file })
})

/** Installs leap's hooks for the named CLI, else for every installed CLI. */
export const hooksInstall = Effect.fn("hooksInstall")(function* (
  cli: Option.Option<string>,
  options?: HookInstallOptions
) {
  const providers = yield* chosen(cli)
  const present = Option.isSome(cli) ? providers : yield* Effect.filter(providers, isInstalled)
  return yield* forEachCli(present, (provider) => installHooks(provider, options))
})

/** The files that `hooksInstall` would write, in order. Writes no settings. */
export const hooksWanted = Effect.fn("hooksWanted")(function* (
  cli: Option.Option<string>,
  options: HookInstallOptions = {}
) {
  const installer = yield* HookInstaller
  const providers = yield* chosen(cli)
  const present = Option.isSome(cli) ? providers : yield* Effect.filter(providers, isInstalled)
  return yield* Effect.forEach(
    present,
    Effect.fnUntraced(function* (provider) {
      const { accepts, version, wired } = yield* acceptedVersion(provider)
      if (!accepts) return yield* new HookRefusedError({ displayName: provider.displayName, version, file: null })
      const files = yield* installer.wanted(provider, { ...options, version: wired })
      return { cli: provider.id, displayName: provider.displayName, version, files }
    })
  )
})

const wiredForShow = Effect.gen(function* () {
  const installer = yield* HookInstaller
  const bundled = yield* (yield* Providers).load((one) => one.bundled)
  return yield* Effect.filter(
    bundled.filter(({ hooks }) => hooks !== null),
    (provider) => Effect.map(installer.status(provider), ({ state }) => state !== "missing")
  )
})

export const hooksRemove = Effect.fn("hooksRemove")(function* (cli: Option.Option<string>) {
  const installer = yield* HookInstaller
  const providers = yield* chosen(cli)
  const all = Option.isSome(cli) ? providers : [...providers, ...(yield* wiredForShow)]
  return yield* forEachCli(all, (provider) => installer.remove(provider))
})

export const hooksStatus = Effect.fn("hooksStatus")(function* (cli: Option.Option<string>) {
  return yield* Effect.forEach(yield* chosen(cli), (provider) => rowOf(provider))
})
