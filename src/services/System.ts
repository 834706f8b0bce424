import { Context, type Effect, type Option, Schema } from "effect"
import type { DirectoryEntry } from "../domain/policy/Globs.ts"

/**
 * A command names no program that can be run. `file`: a file that is not executable (`found`), or the path that does
 * not exist; null when PATH has no such name.
 */
export class NoProgramError extends Schema.TaggedError<NoProgramError>()("NoProgramError", {
  command: Schema.String,
  file: Schema.NullOr(Schema.String),
  found: Schema.Boolean
}) {
  get why(): string {
    if (this.file === null) return "it is not on PATH; install it, or give its full path"
    if (!this.found) return `${this.file} does not exist`
    const where = this.command.includes("/") ? "is not" : "is on PATH but not"
    return `${this.file} ${where} an executable file (chmod +x makes it one)`
  }

  override get message(): string {
    return `${this.command} cannot be run: ${this.why}`
  }
}

/** Facts of leap's own process, and a few queries to the operating system. */
export class System extends Context.Service<
  System,
  {
    readonly env: Readonly<Record<string, string>>
    readonly cwd: string
    readonly pid: number
    readonly version: string
    readonly node: string
    /** The operating system, as Node names it: `linux`, `darwin`. */
    readonly platform: string
    /** The command line that runs leap itself again. */
    readonly self: ReadonlyArray<string>
    /** The absolute path of the program that `command` runs with this environment in `cwd` (default: leap's own). */
    readonly which: (
      command: string,
      env: Readonly<Record<string, string>>,
      cwd?: string
    ) => Effect.Effect<string, NoProgramError>
    /** The real path of an existing directory, or none. */
    readonly directory: (path: string) => Effect.Effect<Option.Option<string>>
    /**
     * The operating system's error code if the existence of this path cannot be determined, as in a directory without
     * search permission or on an unreachable share. Null otherwise.
     */
    readonly hidden: (path: string) => Effect.Effect<string | null>
    /** The absolute path of an existing file, or none. */
    readonly file: (path: string) => Effect.Effect<Option.Option<string>>
    /** The path with every link resolved, even if nothing exists there yet; null if this cannot be determined. */
    readonly realPath: (path: string) => Effect.Effect<string | null>
    /** The entries of a directory, links not followed; empty if unlistable, null for more than a few thousand. */
    readonly entries: (path: string) => Effect.Effect<ReadonlyArray<DirectoryEntry> | null>
    /** Kills a process at once; does nothing when it is gone. */
    readonly kill: (pid: number) => Effect.Effect<void>
    /** A new sortable id (time, then randomness). */
    readonly newId: Effect.Effect<string>
  }
>()("leap/services/System") {}
