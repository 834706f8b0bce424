import { Context, type Effect, type Option } from "effect"
import type { SessionStatus } from "../domain/Session.ts"

/** The last status a host wrote, for when no host answers. Written atomically; unreadable counts as none. */
export class StatusStore extends Context.Service<StatusStore, {
  readonly read: (path: string) => Effect.Effect<Option.Option<SessionStatus>>
  /** `durable`: fsync too (the final status). Failing to write is logged, never fatal. */
  readonly write: (path: string, status: SessionStatus, durable: boolean) => Effect.Effect<void>
  /** The screen as the CLI left it, for who comes too late to see why it ended. */
  readonly readScreen: (path: string) => Effect.Effect<Option.Option<string>>
  readonly writeScreen: (path: string, text: string) => Effect.Effect<void>
}>()("leap/services/StatusStore") {}
