import { Context, type Effect, type Scope } from "effect"

/** Maps processes to sessions, for hooks of CLIs that do not pass their environment on to them. */
export class PidMap extends Context.Service<
  PidMap,
  {
    /** Maps the session's CLI to its spool until the scope ends, and deletes the entries of processes that are gone. */
    readonly register: (session: {
      readonly cliPid: number
      readonly spool: string
    }) => Effect.Effect<void, never, Scope.Scope>
    /** The pids that are mapped to this spool: those of a host that was killed, too. */
    readonly pidsOf: (spool: string) => Effect.Effect<ReadonlyArray<number>>
  }
>()("leap/services/PidMap") {}
