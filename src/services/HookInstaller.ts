import { Context, type Effect, Schema } from "effect"
import type { WiringState } from "../domain/cli/wiring/HookWiring.ts"
import type { Provider } from "./CLIProvider.ts"
import type { StoreError } from "./StoreError.ts"

/** The CLI rejects a settings file that contains leap's hooks, so they have been removed from it. */
export class HookRefusedError extends Schema.TaggedError<HookRefusedError>()("HookRefusedError", {
  displayName: Schema.String,
  /** Null if unknown. */
  version: Schema.NullOr(Schema.String),
  file: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const cli = this.version === null ? this.displayName : `${this.displayName} ${this.version}`
    return (
      `${cli} does not accept settings with leap's hooks in them, as a trial showed; ` +
      `${this.file ?? "its settings"} has none of them now: use another version of ${this.displayName}`
    )
  }
}

/** `unsupported`: the CLI has no hooks that leap could use. */
export type HookState = WiringState | "unsupported"

export interface HookStatus {
  readonly state: HookState
  /** False if leap would receive no events from the CLI. */
  readonly receivesEvents: boolean
  /** The CLI's settings file that names the hooks, or that cannot be read. */
  readonly file: string | null
  /** All files of the CLI that leap edits. */
  readonly files: ReadonlyArray<string>
  /** False if no events arrive and some file cannot be written, so that no command of leap helps; else absent. */
  readonly writable?: boolean
  /** Hook scripts of other leap installations that the files name; absent for none. */
  readonly others?: ReadonlyArray<string>
  /** A problem or a remark; empty when all is well. */
  readonly detail: string
}

export interface WantedFile {
  readonly file: string
  readonly content: string
  /** False if the file had that content already. */
  readonly changed: boolean
}

export interface HookChange {
  readonly file: string | null
  /** False if everything was as wanted already. */
  readonly changed: boolean
}

export interface HookInstallOptions {
  /** Also set the CLI's status line, if it is visible on the screen. */
  readonly statusLine?: boolean
  /** The CLI's version; null: unknown; absent: assume a version that supports everything. */
  readonly version?: string | null
}

/** Where and how a CLI is to run, which decides the settings that apply. */
export interface HookPlace {
  readonly directory: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string | null>>
}

/** Installs leap's hook script in the CLIs' own settings, and removes it. Other settings do not change. */
export class HookInstaller extends Context.Service<
  HookInstaller,
  {
    readonly install: (provider: Provider, options?: HookInstallOptions) => Effect.Effect<HookChange, StoreError>
    /** The files after an install, for users who write them in another way. Writes only leap's own scripts. */
    readonly wanted: (
      provider: Provider,
      options?: HookInstallOptions
    ) => Effect.Effect<ReadonlyArray<WantedFile>, StoreError>
    /** Leaves the script in leap's own directory, since a running CLI may still call it. */
    readonly remove: (provider: Provider) => Effect.Effect<HookChange, StoreError>
    /**
     * The wiring as this version of the CLI sees it (see {@link HookInstallOptions}) at this place. Without a place, a
     * directory's own settings are not read.
     */
    readonly status: (provider: Provider, version?: string | null, place?: HookPlace) => Effect.Effect<HookStatus>
    /** The reasons in the CLI's settings why its hooks do not run at this place; empty for none. */
    readonly switchedOff: (provider: Provider, place: HookPlace) => Effect.Effect<ReadonlyArray<string>>
    /** Updates the installed scripts to this version; wired CLIs call them. */
    readonly refreshScripts: Effect.Effect<void, StoreError>
  }
>()("leap/services/HookInstaller") {}
