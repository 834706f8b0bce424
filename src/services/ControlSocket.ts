import { Context, type Effect, Schema, type Scope } from "effect"
import type { Rpc, RpcClient, RpcClientError, RpcGroup } from "effect/rpc"
import type { HostRpc } from "./HostRpc.ts"

/** The control socket could not be opened for serving. */
export class ControlSocketError extends Schema.TaggedError<ControlSocketError>()("ControlSocketError", {
  path: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `could not open the control socket ${this.path}: ${this.why}`
  }
}

/** No host answers on the socket: there is none, or it is a leftover of a host that died. */
export class NoHostError extends Schema.TaggedError<NoHostError>()("NoHostError", {
  path: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `no host answers on ${this.path}: ${this.why}`
  }
}

export type HostRpcs = RpcGroup.Rpcs<typeof HostRpc>
export type HostClient = RpcClient.FromGroup<typeof HostRpc, RpcClientError.RpcClientError>

export interface ConnectOptions {
  /**
   * What is asked for may be read as slowly as its reader likes (a terminal that stands still, a full pipe): a host is silent then
   * because nobody listens. Otherwise one that says nothing for some seconds is given up.
   */
  readonly patient?: boolean
}

/** The Unix socket between a session's host and its clients: mode 0600, in a directory of the user's own. */
export class ControlSocket extends Context.Service<ControlSocket, {
  /** Serves until the scope ends. The caller holds the session's lock; a socket file left there is stale and replaced. */
  readonly serve: (path: string) => Effect.Effect<void, ControlSocketError, Scope.Scope | Rpc.ToHandler<HostRpcs>>
  /** Connects, within a bound; a socket nobody listens on fails with {@link NoHostError}. */
  readonly connect: (path: string, options?: ConnectOptions) => Effect.Effect<HostClient, NoHostError, Scope.Scope>
}>()("leap/services/ControlSocket") {}
