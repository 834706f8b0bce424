import { Context, type Effect } from "effect"

/**
 * A connection's bytes, both ways. Nothing here waits: what is sent is on its way at once, and what has come is told in
 * the turn of the event loop in which it came.
 */
export interface ByteLink {
  /** Puts bytes behind those before; to a connection that is over, nothing. */
  readonly send: (bytes: Uint8Array) => void
  /** Tells what comes, from now on, and then once that no more will. To be called once. */
  readonly listen: (on: { readonly data: (bytes: Uint8Array) => void; readonly closed: () => void }) => void
}

/** What a host does with a viewer that connects by the attach channel (`domain/surfaces/channel`). */
export class AttachChannel extends Context.Service<
  AttachChannel,
  {
    /** Serves one connection; ends when it is done with it, and the connection with it. */
    readonly serve: (link: ByteLink) => Effect.Effect<void>
  }
>()("leap/services/AttachChannel") {}
