import { Context, type Effect } from "effect"

/**
 * The bytes of a connection, in both directions. Nothing here waits: `send` writes at once, and received bytes are
 * passed on in the same turn of the event loop.
 */
export interface ByteLink {
  /** Writes bytes in order; does nothing on a closed connection. */
  readonly send: (bytes: Uint8Array) => void
  /** Passes on received bytes from now on, and reports the end once. Call it once only. */
  readonly listen: (on: { readonly data: (bytes: Uint8Array) => void; readonly closed: () => void }) => void
}

/** How a host serves a viewer that connects by the attach channel (`domain/surfaces/attachChannel`). */
export class AttachChannel extends Context.Service<
  AttachChannel,
  {
    /** Serves one connection to its end, and then closes it. */
    readonly serve: (link: ByteLink) => Effect.Effect<void>
  }
>()("leap/services/AttachChannel") {}
