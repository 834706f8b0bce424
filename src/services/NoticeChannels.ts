import { Context, type Effect } from "effect"
import type { Notice } from "../domain/surfaces/notify/Notice.ts"
import type { PushTarget } from "../domain/store/settings/PushTarget.ts"
import type { PostError } from "./PostError.ts"

/** Ways to notify the user outside a terminal. Each is one attempt that ends within seconds. */
export class NoticeChannels extends Context.Service<
  NoticeChannels,
  {
    /** Whether this process runs on a desktop that shows notices, as far as this is known without showing one. */
    readonly hasDesktop: Effect.Effect<boolean>
    readonly desktop: (notice: Notice) => Effect.Effect<void, PostError>
    readonly post: (notice: Notice, target: PushTarget) => Effect.Effect<void, PostError>
  }
>()("leap/services/NoticeChannels") {}
