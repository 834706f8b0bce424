import { Context, type Effect, type Option } from "effect"

/** Facts of the process leap runs in, and few questions to the operating system. */
export class Machine extends Context.Service<Machine, {
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly pid: number
  readonly version: string
  /** Version of the Node that runs leap. */
  readonly node: string
  /** The command line that runs leap itself again. */
  readonly self: ReadonlyArray<string>
  /** The path that `command` resolves to on `env`'s PATH. */
  readonly which: (command: string, env: Readonly<Record<string, string>>) => Effect.Effect<Option.Option<string>>
  /** The real path of an existing directory, or none. */
  readonly directory: (path: string) => Effect.Effect<Option.Option<string>>
  /** The absolute path of an existing file, or none. */
  readonly file: (path: string) => Effect.Effect<Option.Option<string>>
  /** Where a path leads, every link in it followed, also when nothing is there yet; null when that cannot be found out. */
  readonly realPath: (path: string) => Effect.Effect<string | null>
  readonly isAlive: (pid: number) => Effect.Effect<boolean>
  /** Ends a process at once; nothing happens when it is gone. */
  readonly kill: (pid: number) => Effect.Effect<void>
  /**
   * Ends what is left of a process group, if its leader was started with this variable in its environment. False when
   * there is none, when it is another's by now, or when the machine does not tell.
   */
  readonly endLeftover: (pid: number, variable: string, value: string) => Effect.Effect<boolean>
  /** A new sortable id (time, then randomness). */
  readonly newId: Effect.Effect<string>
}>()("leap/services/Machine") {}
