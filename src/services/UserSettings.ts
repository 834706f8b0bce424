import { Context, type Effect, type Scope, type Stream, type Result } from "effect"
import type { Settings } from "../domain/store/settings/Settings.ts"
import type { StoreError } from "./StoreError.ts"

/** The settings in force, and one line for each entry of the file that is not used. */
export interface LoadedSettings {
  readonly settings: Settings
  readonly warnings: ReadonlyArray<string>
}

/** The user's settings file. Reading never fails: invalid parts are left out with a warning. */
export class UserSettings extends Context.Service<
  UserSettings,
  {
    readonly file: string
    readonly read: Effect.Effect<LoadedSettings>
    /** Edits the file's text under its lock; comments and unknown keys stay. `why` of a failure is for the user. */
    readonly change: (edit: (text: string | null) => Result.Result<string, string>) => Effect.Effect<void, StoreError>
    /** The settings now, then at each change of the file. */
    readonly changes: Effect.Effect<Stream.Stream<LoadedSettings>, never, Scope.Scope>
  }
>()("leap/services/UserSettings") {}
