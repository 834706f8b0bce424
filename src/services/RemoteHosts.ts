import { Context, type Effect, Schema, type Scope } from "effect"
import type { RpcClient } from "effect/rpc"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import type { SshUse } from "../domain/words/arguments/sshArguments.ts"
import type { RemoteHost } from "../domain/words/session/RemoteHost.ts"
import type { RemoteRpc } from "./RemoteRpc.ts"

/** A machine could not be asked. `exitCode`: of the command that asked. */
export class RemoteHostError extends Schema.TaggedError<RemoteHostError>()("RemoteHostError", {
  host: Schema.String,
  why: Schema.String,
  exitCode: Schema.Int
}) {
  override get message() {
    return this.why
  }
}

/** Begins what `leap hosts serve` writes; shells there may have written before. The number is the protocol's. */
export const greeting = "leap-hosts-serve 1"

export type RemoteClient = RpcClient.FromGroup<typeof RemoteRpc, RpcClientError>

/** Other machines, by ssh. */
export class RemoteHosts extends Context.Service<
  RemoteHosts,
  {
    /** Runs leap there with these words in the user's terminal or pipes, and returns its exit code. */
    readonly run: (
      host: RemoteHost,
      words: ReadonlyArray<string>,
      use: Exclude<SshUse, "background">
    ) => Effect.Effect<number, RemoteHostError>
    /** A connection to the sessions there; it closes with the scope. */
    readonly connect: (host: RemoteHost) => Effect.Effect<RemoteClient, RemoteHostError, Scope.Scope>
  }
>()("leap/services/RemoteHosts") {}
