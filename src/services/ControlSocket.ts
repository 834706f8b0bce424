import { Context, type Effect, Schema, type Scope } from "effect"
import type { Rpc, RpcClient, RpcClientError, RpcGroup } from "effect/rpc"
import type { AttachChannel, ByteLink } from "./AttachChannel.ts"
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

/** No host answers on the socket: there is none, something else has its place, or nobody listens on it. */
export class NoHostError extends Schema.TaggedError<NoHostError>()("NoHostError", {
  path: Schema.String,
  why: Schema.String,
  /** A process listens on the socket and takes no connection: it hangs, or is stopped. */
  alive: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    return `no host answers on ${this.path}: ${this.why}`
  }
}

/** All procedures of a host. */
export type HostRpcs = RpcGroup.Rpcs<typeof HostRpc>
/** A connection to a host. An interface has a name in declarations, where an alias would be all of its procedures. */
export interface HostClient extends RpcClient.FromGroup<typeof HostRpc, RpcClientError.RpcClientError> {}

/** How a host is spoken to. */
export interface ConnectOptions {
  /**
   * True where the caller may read the replies as slowly as it likes (a suspended terminal, a full pipe): the host then
   * also falls silent, because the caller reads nothing. Otherwise the connection to a host that is silent for some
   * seconds is given up.
   */
  readonly patient?: boolean
}

/** A control socket that is being served. */
export interface ServedSocket {
  /** Whether who connects now reaches this process: what has the path is the socket that was bound there. */
  readonly isReachable: Effect.Effect<boolean>
  /**
   * Binds it again, in place of what has the path by now. Connections go on. The caller holds the session's lock, and
   * the directory is there.
   */
  readonly bindAgain: Effect.Effect<void, ControlSocketError>
}

/**
 * The Unix socket between a session's host and its clients: mode 0600, in a directory that belongs to the user. A
 * connection that begins with a zero byte is an attach channel, any other one speaks RPC.
 */
export class ControlSocket extends Context.Service<
  ControlSocket,
  {
    /**
     * Serves until the scope ends. The caller holds the session's lock, so a socket file that is already there is stale
     * and is replaced. `heard` is told what clients cost in memory, in bytes: what they sent, what connections leave.
     */
    readonly serve: (
      path: string,
      heard?: (bytes: number) => void
    ) => Effect.Effect<ServedSocket, ControlSocketError, Scope.Scope | AttachChannel | Rpc.ToHandler<HostRpcs>>
    /** Connects, within a time limit; a socket on which nothing listens fails with {@link NoHostError}. */
    readonly connect: (path: string, options?: ConnectOptions) => Effect.Effect<HostClient, NoHostError, Scope.Scope>
    /** Connects for an attach channel, to a host that has one; the connection ends with the scope. */
    readonly attach: (path: string) => Effect.Effect<ByteLink, NoHostError, Scope.Scope>
  }
>()("leap/services/ControlSocket") {}
