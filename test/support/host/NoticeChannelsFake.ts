import { Context, Effect, Layer } from "effect"
import type { Notice } from "../../../src/domain/surfaces/notify/Notice.ts"
import { NoticeChannels } from "../../../src/services/NoticeChannels.ts"
import { PostError } from "../../../src/services/PostError.ts"

/** The ways to the user, as a test has them: what got out, and why nothing does. */
export class NoticeChannelsFake extends Context.Service<
  NoticeChannelsFake,
  {
    readonly given: Array<{ readonly channel: string; readonly notice: Notice }>
    /** Attempts that failed. */
    readonly failed: Array<string>
    /** Servers that fail, by their address: why, and whether another attempt may help. */
    readonly failing: Map<string, { readonly why: string; readonly again: boolean }>
    /** The session was started on a desktop. */
    desktop: boolean
    /** Servers that never answer. */
    readonly hanging: Set<string>
  }
>()("test/NoticeChannelsFake") {}

export const layer: Layer.Layer<NoticeChannels | NoticeChannelsFake> = Layer.effectContext(
  Effect.sync(() => {
    const fake: NoticeChannelsFake["Service"] = {
      given: [],
      failed: [],
      failing: new Map(),
      desktop: false,
      hanging: new Set()
    }
    const give = Effect.fnUntraced(function* (channel: string, notice: Notice) {
      if (fake.hanging.has(channel)) return yield* Effect.never
      const trouble = fake.failing.get(channel)
      if (trouble !== undefined) {
        fake.failed.push(channel)
        return yield* new PostError(trouble)
      }
      fake.given.push({ channel, notice })
    })
    return Context.make(NoticeChannelsFake, fake).pipe(
      Context.add(
        NoticeChannels,
        NoticeChannels.of({
          hasDesktop: Effect.sync(() => fake.desktop),
          desktop: (notice) => give("desktop", notice),
          post: (notice, { url }) => give(url, notice)
        })
      )
    )
  })
)
