import { Context, type Effect } from "effect"

/** How to make a program print its version. */
export interface VersionQuery {
  /** The path of the program's file. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

export interface LookUpOptions {
  /** Run the program even if its file has not changed: a wrapper script may start another version. */
  readonly fresh?: boolean
}

/** The versions of the CLIs on this machine. A look-up may start the CLI, so keep it off time-critical paths. */
export class CliVersions extends Context.Service<
  CliVersions,
  {
    /** The version that the program prints, cached until its file changes; null for an unknown form or a timeout. */
    readonly lookUp: (query: VersionQuery, options?: LookUpOptions) => Effect.Effect<string | null>
    /** The long flags that the program's help names; null if it prints none within the time limit. Never cached. */
    readonly flags: (query: Omit<VersionQuery, "args">) => Effect.Effect<ReadonlySet<string> | null>
  }
>()("leap/services/CliVersions") {}
