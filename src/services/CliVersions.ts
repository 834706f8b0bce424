import { Context, type Effect } from "effect"

/** How a program is made to print its version. */
export interface VersionQuery {
  /** The program's file. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

export interface LookUpOptions {
  /** Ask the program also where its file has not changed: behind a wrapper script it may be another one. */
  readonly fresh?: boolean
}

/**
 * The versions of the CLIs on this machine. A look-up may start the CLI, so it does not belong on a path where time
 * matters.
 */
export class CliVersions extends Context.Service<
  CliVersions,
  {
    /**
     * The version that the program prints, or printed earlier if its file has not changed since; null when it prints
     * none that can be read within the time limit.
     */
    readonly lookUp: (query: VersionQuery, options?: LookUpOptions) => Effect.Effect<string | null>
    /** The long flags that the program's help names; null when it prints none within the time limit. Never cached. */
    readonly flags: (query: Omit<VersionQuery, "args">) => Effect.Effect<ReadonlySet<string> | null>
  }
>()("leap/services/CliVersions") {}
