import { Context, type Effect, Schema, type Scope } from "effect"
import type { HttpServer } from "effect/http"

/** The port cannot be listened on. */
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
  readonly body: string
}

/** An HTTP server for browsers on this machine, and the page that it serves. */
export class WebListener extends Context.Service<
  WebListener,
  {
    /**
     * Listens on the loopback address until the scope ends, which ends all connections; port 0 takes a free one. How
     * many connections there are at once, how long a request may take to come, and how long a WebSocket's frame is, are
     * bounded.
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
    /** A new word of 256 random bits that a URL and a cookie can carry. */
    readonly secret: Effect.Effect<string>
    /** The SHA-256 of a text, in hex. */
    readonly digest: (text: string) => Effect.Effect<string>
    /** A text as a QR code of lines for a terminal. */
    readonly qrCode: (text: string) => Effect.Effect<string>
  }
>()("leap/services/WebListener") {}
