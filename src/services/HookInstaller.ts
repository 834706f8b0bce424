import { Context, type Effect, Schema } from "effect"
import type { WiringState } from "../domain/cli/wiring/HookWiring.ts"
import type { Provider } from "./CLIProvider.ts"
import type { StoreError } from "./StoreError.ts"

/** The CLI does not read a settings file in which leap's hooks are: they are not in it any more. */
export class HookRefusedError extends Schema.TaggedError<HookRefusedError>()("HookRefusedError", {
  displayName: Schema.String,
  /** Null where it cannot be told. */
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
  /** False where leap would receive no events from the CLI. */
  readonly receivesEvents: boolean
  /** The CLI's settings file: the one that names the hooks, or the one that cannot be read. */
  readonly file: string | null
  /** All files of the CLI that leap edits. */
  readonly files: ReadonlyArray<string>
  /** False where the files cannot be written, so that no command of leap's changes anything; absent: not looked at. */
  readonly writable?: boolean
  /** Scripts of other installations of leap that the files name; absent for none. */
  readonly others?: ReadonlyArray<string>
  /** What is wrong, or worth mentioning; empty when all is well. */
  readonly detail: string
}

/** A file with the content that it is to have. */
export interface WantedFile {
  readonly file: string
  readonly content: string
  /** False when it has that content already. */
  readonly changed: boolean
}

/** The effect of an install or a removal. */
export interface HookChange {
  readonly file: string | null
  /** False when everything was already as wanted. */
  readonly changed: boolean
}

export interface HookInstallOptions {
  /** Also wire the CLI's status line where this makes it visible on the screen. */
  readonly statusLine?: boolean
  /** The CLI's version; null where it cannot be told, absent for one that knows all that leap does. */
  readonly version?: string | null
}

/** Where a CLI is to run, and how: what its settings are there. */
export interface HookPlace {
  readonly directory: string
  readonly args?: ReadonlyArray<string>
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string | null>>
}

/**
 * Wires leap's hook script into the CLIs' own settings, and removes it again. The user's other settings are left
 * unchanged.
 */
export class HookInstaller extends Context.Service<
  HookInstaller,
  {
    readonly install: (provider: Provider, options?: HookInstallOptions) => Effect.Effect<HookChange, StoreError>
    /** The script itself stays in leap's own directory: a CLI that is running may still call it. */
    /**
     * The files as an install would leave them, without writing any: for users who write them in another way. Leap's
     * scripts are written all the same, since the files name them.
     */
    readonly wanted: (
      provider: Provider,
      options?: HookInstallOptions
    ) => Effect.Effect<ReadonlyArray<WantedFile>, StoreError>
    readonly remove: (provider: Provider) => Effect.Effect<HookChange, StoreError>
    /**
     * As the CLI of this version sees it (see {@link HookInstallOptions}), where it runs at this place; at none in
     * particular, what a directory has of its own is not looked at.
     */
    readonly status: (provider: Provider, version?: string | null, place?: HookPlace) => Effect.Effect<HookStatus>
    /** What keeps the CLI's hooks from running at this place, as its own settings say; empty for nothing. */
    readonly switchedOff: (provider: Provider, place: HookPlace) => Effect.Effect<ReadonlyArray<string>>
    /** Updates the installed scripts: CLIs that are wired call those of this version. */
    readonly refreshScripts: Effect.Effect<void, StoreError>
  }
>()("leap/services/HookInstaller") {}
