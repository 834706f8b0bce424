import { Context, type Effect, Schema } from "effect"
import type { WiringState } from "../domain/HookWiring.ts"
import type { ProviderRecord } from "./CLIProvider.ts"
import type { UnsafeDirectoryError } from "./Paths.ts"

/** A CLI's settings file cannot be worked on as it is; it was not touched. */
export class HookSettingsError extends Schema.TaggedError<HookSettingsError>()("HookSettingsError", {
  file: Schema.String,
  /** From 1; null where no place is to blame. */
  line: Schema.NullOr(Schema.Int),
  column: Schema.NullOr(Schema.Int),
  why: Schema.String
}) {
  override get message() {
    const place = this.line === null ? this.file : `${this.file}:${this.line}:${this.column}`
    return `${place}: ${this.why}; the file was left as it is: mend it, then run this again`
  }
}

/** A file could not be read or written. */
export class HookInstallError extends Schema.TaggedError<HookInstallError>()("HookInstallError", {
  file: Schema.String,
  why: Schema.String,
  /** What the user can do. */
  remedy: Schema.String
}) {
  override get message() {
    return `could not change ${this.file}: ${this.why}; ${this.remedy}`
  }
}

export type HookInstallerError = HookSettingsError | HookInstallError | UnsafeDirectoryError

/** `unsupported`: the CLI has no hooks that leap could use. */
export type HookState = WiringState | "unsupported"

export interface HookStatus {
  readonly state: HookState
  /** False where leap would hear nothing from the CLI. */
  readonly heard: boolean
  /** The CLI's settings file: the one that names the hooks, or the one that cannot be read. */
  readonly file: string | null
  /** All files of the CLI that leap has a part in. */
  readonly files: ReadonlyArray<string>
  /** What is wrong, or worth knowing; empty when nothing is. */
  readonly detail: string
}

/** What an install or a removal did. */
export interface HookChange {
  readonly file: string | null
  /** False when everything was as wanted before. */
  readonly changed: boolean
}

export interface HookInstallOptions {
  /** Listen to the CLI's status line also where that shows on its screen. */
  readonly statusLine: boolean
}

/** Wires leap's hook script into CLIs' own settings, and takes it out again. The user's own settings stay as they are. */
export class HookInstaller extends Context.Service<HookInstaller, {
  readonly install: (provider: ProviderRecord, options?: HookInstallOptions) => Effect.Effect<HookChange, HookInstallerError>
  /** The script itself stays in leap's own directory: a CLI that runs now may still call it. */
  readonly remove: (provider: ProviderRecord) => Effect.Effect<HookChange, HookInstallerError>
  readonly status: (provider: ProviderRecord) => Effect.Effect<HookStatus>
  /** Brings the installed scripts up to date: CLIs that are wired call the ones of this version. */
  readonly refreshScripts: Effect.Effect<void, HookInstallerError>
}>()("leap/services/HookInstaller") {}
