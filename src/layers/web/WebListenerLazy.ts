import { Effect, Layer } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { WebListener } from "../../services/WebListener.ts"

const server = Effect.promise(() => import("./WebListenerNode.ts"))
const pages = Effect.promise(() => import("./webPage.ts"))
const codes = Effect.promise(() => import("uqr"))

/** The server and the page, loaded on demand: no other command needs them. */
export const layer: Layer.Layer<WebListener> = Layer.succeed(WebListener, {
  listen: (port) => Effect.flatMap(server, ({ listen }) => listen(port)),
  page: Effect.map(pages, ({ page }) => page),
  secret: Effect.sync(() => randomBytes(32).toString("base64url")),
  digest: (text) => Effect.sync(() => createHash("sha256").update(text).digest("hex")),
  qrCode: (text) => Effect.map(codes, ({ renderUnicodeCompact }) => renderUnicodeCompact(text, { border: 2 }))
})
