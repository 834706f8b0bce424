import { Context, type Effect } from "effect"
import type { PushKeys } from "../domain/surfaces/webAccess/PushKeys.ts"
import type { PushAddress } from "../domain/surfaces/webAccess/PushSubscription.ts"
import type { PostAnswer, PostError } from "./PostError.ts"

/** One push to a browser. */
export interface Push {
  readonly address: PushAddress
  readonly keys: PushKeys
  /** The sender's contact: an origin. */
  readonly contact: string
  /** The text, of at most 3,993 bytes; only the browser can read it. */
  readonly text: string
  /** How long the service keeps it for a browser that is away, in seconds. */
  readonly ttl: number
  /** Replaces one of the same topic that waits at the service: up to 32 letters of base64url. */
  readonly topic: string
  readonly isUrgent: boolean
  /** The service may be in the local network. */
  readonly isLocal: boolean
}

/** Web Push: encrypted for the browser (RFC 8291), with the sender's own signature (RFC 8292). */
export class WebPush extends Context.Service<
  WebPush,
  {
    /** A new key pair of the sender's. */
    readonly makeKeys: Effect.Effect<PushKeys>
    /** Sends a push, in one bounded attempt. An error names neither the address nor the answer. */
    readonly post: (push: Push) => Effect.Effect<PostAnswer, PostError>
  }
>()("leap/services/WebPush") {}
