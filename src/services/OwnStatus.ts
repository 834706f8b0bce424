import { Context, type Effect, type Scope, type Stream } from "effect"
import type { HostedProcess, OwnStatusSource } from "./CLIProvider.ts"

/** Follows the status file that the CLI keeps. Emits its parsed content at each change, and null when it is gone. */
export class OwnStatus extends Context.Service<
  OwnStatus,
  {
    readonly watch: (
      source: OwnStatusSource,
      env: Readonly<Record<string, string>>,
      session: Effect.Effect<HostedProcess>
    ) => Effect.Effect<Stream.Stream<unknown>, never, Scope.Scope>
  }
>()("leap/services/OwnStatus") {}
