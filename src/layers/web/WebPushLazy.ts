import { Effect, Layer } from "effect"
import { WebPush } from "../../services/WebPush.ts"

const node = Effect.promise(() => import("./WebPushNode.ts"))

/** Web Push by Node's own HTTP and cryptography, loaded on demand. */
export const layer: Layer.Layer<WebPush> = Layer.succeed(WebPush, {
  makeKeys: Effect.map(
    Effect.promise(() => import("./pushEncryption.ts")),
    ({ newPushKeys }) => newPushKeys()
  ),
  post: (push) => Effect.flatMap(node, ({ post }) => post(push))
})
