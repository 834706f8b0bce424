import { Context, type Effect, type Option } from "effect"
import type { SessionStatus } from "../domain/words/session/Session.ts"

/** The last status that a host wrote, for when no host answers. Written atomically; an unreadable file is none. */
export class StatusStore extends Context.Service<
  StatusStore,
  {
    readonly read: (path: string) => Effect.Effect<Option.Option<SessionStatus>>
    /** The file exists but holds no status: the machine stopped during the write, or something else wrote it. */
    readonly isDamaged: (path: string) => Effect.Effect<boolean>
    /** `durable`: fsync too (the final status). A failed write is logged, never fatal. */
    readonly write: (path: string, status: SessionStatus, durable: boolean) => Effect.Effect<void>
    /** The CLI's last screen, for a client that comes too late to see why it ended. */
    readonly readScreen: (path: string) => Effect.Effect<Option.Option<string>>
    readonly writeScreen: (path: string, text: string) => Effect.Effect<void>
  }
>()("leap/services/StatusStore") {}
