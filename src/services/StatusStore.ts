import { Context, type Effect, type Option } from "effect"
import type { SessionStatus } from "../domain/words/session/Session.ts"

/** The last status that a host wrote, for when no host answers. Written atomically; an unreadable file is none. */
export class StatusStore extends Context.Service<
  StatusStore,
  {
    readonly read: (path: string) => Effect.Effect<Option.Option<SessionStatus>>
    /**
     * Why the file gives no status. `damaged`: the machine stopped during the write, or something else wrote it;
     * `unseen`: it cannot be looked at, and may be there; null: there is no such file, or it gives one.
     */
    readonly trouble: (path: string) => Effect.Effect<"damaged" | "unseen" | null>
    /** `durable`: fsync too (the final status). A failed write is logged, never fatal. */
    readonly write: (path: string, status: SessionStatus, durable: boolean) => Effect.Effect<void>
    /** The CLI's last screen, for a client that comes too late to see why it ended. */
    readonly readScreen: (path: string) => Effect.Effect<Option.Option<string>>
    readonly writeScreen: (path: string, text: string) => Effect.Effect<void>
  }
>()("leap/services/StatusStore") {}
