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

/** No host answers on the socket: there is no socket, something else has its path, or nobody listens. */
export class NoHostError extends Schema.TaggedError<NoHostError>()("NoHostError", {
  path: Schema.String,
  why: Schema.String,
  /** A process listens on the socket but accepts no connection: it hangs, or is stopped. */
  alive: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    return `no host answers on ${this.path}: ${this.why}`
  }
}

/** All procedures of a host. */
export type HostRpcs = RpcGroup.Rpcs<typeof HostRpc>
/** A connection to a host. It is an interface because declarations print an interface's name, but expand an alias. */
export interface HostClient extends RpcClient.FromGroup<typeof HostRpc, RpcClientError.RpcClientError> {}

/** How a client connects to a host. */
export interface ConnectOptions {
  /**
   * The caller may read replies slowly (a suspended terminal, a full pipe), so a silent host is no reason to
   * disconnect. Otherwise the client closes a connection on which the host is silent for some seconds.
   */
  readonly patient?: boolean
}

/** A control socket that is being served. */
export interface ServedSocket {
  /** Whether new connections reach this process: the path still has the socket that was bound there. */
  readonly isReachable: Effect.Effect<boolean>
  /** Binds the path again. Connections continue. The caller holds the session's lock, and the directory exists. */
  readonly bindAgain: Effect.Effect<void, ControlSocketError>
}

/**
 * The Unix socket between a session's host and its clients: mode 0600, in a directory of the user. A connection that
 * begins with a zero byte is an attach channel; any other speaks RPC.
 */
export class ControlSocket extends Context.Service<
  ControlSocket,
  {
    /**
     * Serves until the scope ends. The caller holds the session's lock, so an existing socket file is stale and is
     * replaced. `heard` takes the bytes of garbage from a client's request or connection.
     */
    readonly serve: (
      path: string,
      heard?: (bytes: number) => void
    ) => Effect.Effect<ServedSocket, ControlSocketError, Scope.Scope | AttachChannel | Rpc.ToHandler<HostRpcs>>
    /** Connects, within a time limit; fails with {@link NoHostError} if nobody listens on the socket. */
    readonly connect: (path: string, options?: ConnectOptions) => Effect.Effect<HostClient, NoHostError, Scope.Scope>
    /** Opens an attach channel to a host that supports it. The connection ends with the scope. */
    readonly attach: (path: string) => Effect.Effect<ByteLink, NoHostError, Scope.Scope>
  }
>()("leap/services/ControlSocket") {}
