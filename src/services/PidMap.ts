import { Context, type Effect, type Scope } from "effect"

/** Which session a process belongs to, for hooks of CLIs that keep their environment from them. */
export class PidMap extends Context.Service<PidMap, {
  /** Names the session's CLI and its spool until the scope ends, and forgets processes that are gone. */
  readonly register: (session: { readonly cliPid: number; readonly spool: string }) => Effect.Effect<void, never, Scope.Scope>
}>()("leap/services/PidMap") {}
