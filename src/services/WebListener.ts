import { Context, type Effect, Schema, type Scope } from "effect"
import type { HttpServer } from "effect/http"

/** The port cannot be opened. */
export class ListenError extends Schema.TaggedError<ListenError>()("ListenError", {
  port: Schema.Int,
  why: Schema.String,
  taken: Schema.Boolean
}) {
  override get message() {
    return this.taken
      ? `port ${this.port} is taken: --port names another one, and --port 0 takes a free one`
      : `could not listen on port ${this.port}: ${this.why}`
  }
}

/** A file of the page. `type`: its media type. */
export interface PageFile {
  readonly type: string
  readonly body: string | Uint8Array
}

/** An HTTP server for browsers on this machine, and the page that it serves. */
export class WebListener extends Context.Service<
  WebListener,
  {
    /**
     * Listens on the loopback address until the scope ends, which closes all connections; port 0 takes a free one. The
     * number of connections, the time of a request and the length of a WebSocket frame are bounded.
     */
    readonly listen: (
      port: number
    ) => Effect.Effect<
      { readonly server: HttpServer.HttpServer["Service"]; readonly port: number },
      ListenError,
      Scope.Scope
    >
    /** The page's files by their paths. */
    readonly page: Effect.Effect<ReadonlyMap<string, PageFile>>
    /** A new secret of 256 random bits, safe for a URL and a cookie. */
    readonly secret: Effect.Effect<string>
    /** The SHA-256 of a text, in hex. */
    readonly digest: (text: string) => Effect.Effect<string>
    /** The text as a QR code in lines for a terminal. */
    readonly qrCode: (text: string) => Effect.Effect<string>
  }
>()("leap/services/WebListener") {}
