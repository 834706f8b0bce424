import { Effect, Layer } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { WebListener } from "../../services/WebListener.ts"

/** The server and the page, loaded on demand: no other command needs them. */
export const layer: Layer.Layer<WebListener> = Layer.succeed(WebListener, {
  listen: (port) =>
    Effect.flatMap(
      Effect.promise(() => import("./WebListenerNode.ts")),
      ({ listen }) => listen(port)
    ),
  page: Effect.map(
    Effect.promise(() => import("./webPage.ts")),
    ({ page }) => page
  ),
  secret: Effect.sync(() => randomBytes(32).toString("base64url")),
  digest: (text) => Effect.sync(() => createHash("sha256").update(text).digest("hex")),
  qrCode: (text) =>
    Effect.map(
      Effect.promise(() => import("uqr")),
      ({ renderUnicodeCompact }) => renderUnicodeCompact(text, { border: 2 })
    )
})
