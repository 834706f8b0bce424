import { Context, type Effect, Schema } from "effect"
import type { Notice } from "../domain/surfaces/notify/Notice.ts"
import type { PushTarget } from "../domain/rules/settings/PushTarget.ts"

/** A notice did not get out. `why` names no secret; `again`: another attempt may help. */
export class NoticeError extends Schema.TaggedError<NoticeError>()("NoticeError", {
  channel: Schema.String,
  why: Schema.String,
  again: Schema.Boolean
}) {
  override get message() {
    return `no notice by ${this.channel}: ${this.why}`
  }
}

/** Ways to tell the user beside a terminal. Each is one attempt, which ends within seconds. */
export class NoticeChannels extends Context.Service<
  NoticeChannels,
  {
    /** Whether this process runs on a desktop that shows notices, as far as that can be known without giving one. */
    readonly hasDesktop: Effect.Effect<boolean>
    /** By the desktop that this process runs on. */
    readonly desktop: (notice: Notice) => Effect.Effect<void, NoticeError>
    /** By a request to a server. */
    readonly post: (notice: Notice, target: PushTarget) => Effect.Effect<void, NoticeError>
  }
>()("leap/services/NoticeChannels") {}
