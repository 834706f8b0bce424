import { Effect, Option } from "effect"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { HookInstaller, type HookInstallOptions, type HookState } from "../services/HookInstaller.ts"
import { Providers } from "../services/Providers.ts"
import { locate } from "./locate.ts"

/** One CLI in what the hooks commands tell. */
export interface HookRow {
  readonly cli: string
  readonly displayName: string
  /** How the CLI is wired after the command. */
  readonly state: HookState
  /** The CLI's settings file; empty where it has none. */
  readonly file: string
  /** All files of the CLI that leap has a part in. */
  readonly files: ReadonlyArray<string>
  readonly detail: string
  /** True when the command changed something. */
  readonly changed: boolean
  /** Why the command did not do its work for this CLI, ready to be shown; null when it did. */
  readonly problem: string | null
}

const rowOf = Effect.fnUntraced(function*(provider: ProviderRecord, changed = false, problem: string | null = null) {
  const { detail, file, files, state } = yield* (yield* HookInstaller).status(provider)
  return { cli: provider.id, displayName: provider.displayName, state, file: file ?? "", files, detail, changed, problem } satisfies HookRow
})

/** Whether a CLI is wired in files of its own: a variant usually shares its base's settings, unless its environment says otherwise. */
export const hasOwnWiring = Effect.fn("hasOwnWiring")(function*(provider: ProviderRecord) {
  if (provider.hooks === null || provider.base === provider.id) return provider.hooks !== null
  const installer = yield* HookInstaller
  const base = yield* Effect.option((yield* Providers).get(provider.base))
  if (Option.isNone(base)) return true
  const [own, shared] = yield* Effect.forEach([provider, base.value], installer.status)
  return own?.files.join("\0") !== shared?.files.join("\0")
})

/** The named CLI, else all of the user's that leap can wire, those that share their settings once. */
const chosen = Effect.fnUntraced(function*(cli: Option.Option<string>) {
  const providers = yield* Providers
  if (Option.isSome(cli)) return [yield* providers.get(cli.value)]
  return yield* Effect.filter(providers.all.filter(({ bundled }) => !bundled), hasOwnWiring)
})

/** Does the same for each; one that fails does not keep the others from it. */
const each = Effect.fnUntraced(function*(
  providers: ReadonlyArray<ProviderRecord>,
  act: (provider: ProviderRecord) => ReturnType<HookInstaller["Service"]["install"]>
) {
  return yield* Effect.forEach(providers, Effect.fnUntraced(function*(provider) {
    const { changed, problem } = yield* act(provider).pipe(
      Effect.map(({ changed }) => ({ changed, problem: null })),
      Effect.catch((error) => Effect.succeed({ changed: false, problem: error.message }))
    )
    return yield* rowOf(provider, changed, problem)
  }))
})

const isInstalled = (provider: ProviderRecord) => Effect.map(locate(provider), ({ path }) => Option.isSome(path))

/** Wires leap into the named CLI's settings, else into those of every CLI that is on this machine. */
export const hooksInstall = Effect.fn("hooksInstall")(function*(cli: Option.Option<string>, options?: HookInstallOptions) {
  const providers = yield* chosen(cli)
  const present = Option.isSome(cli) ? providers : yield* Effect.filter(providers, isInstalled)
  const installer = yield* HookInstaller
  return yield* each(present, (provider) => installer.install(provider, options))
})

/** Takes leap out of the named CLI's settings, else out of all. */
export const hooksRemove = Effect.fn("hooksRemove")(function*(cli: Option.Option<string>) {
  const installer = yield* HookInstaller
  return yield* each(yield* chosen(cli), installer.remove)
})

/** How the named CLI, else each, is wired. */
export const hooksStatus = Effect.fn("hooksStatus")(function*(cli: Option.Option<string>) {
  return yield* Effect.forEach(yield* chosen(cli), (provider) => rowOf(provider))
})
