import { ByteSize, Cause, Effect, Option, Schema, Semaphore } from "effect"
import * as Mac from "effect/crypto/Mac"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isOwnHost, isOwnOrigin, securityHeaders } from "../../domain/surfaces/web/Access.ts"
import { type PageFile, WebListener } from "../../services/WebListener.ts"
import { runPage } from "./page.ts"

export interface WebOptions {
  readonly port: number
  readonly readOnly: boolean
  /** Names, in small letters, under which something on this machine passes requests on. */
  readonly names: ReadonlyArray<string>
}

/** How many pages may be open at once. */
const pagesMost = 32
const otherName =
  "leap web does not know this name: it answers to 127.0.0.1 and localhost; 'leap web --host NAME' adds the name " +
  "under which a tunnel or proxy on its machine passes requests on"
/** The request that brings the token is a line of JSON. */
const bodyMost = ByteSize.bytes(1024)

const encoder = new TextEncoder()
/** Compares secrets without telling by its time how much of them agrees. */
const same = (a: string, b: string): boolean => Mac.timingSafeEqual(encoder.encode(a), encoder.encode(b))

const TokenBody = Schema.fromJsonString(Schema.Struct({ token: Schema.String }))
const say = (status: number, text: string) => HttpServerResponse.text(`${text}\n`, { status })

/**
 * Serves the page and its sockets until the scope ends; gives the address with the token that opens it.
 *
 * Who has the token gets a cookie, which no script can read, and a key, which no other server on this machine gets from
 * a browser, as it does get the cookie: cookies know no ports. A page's socket needs both.
 */
export const serveWeb = Effect.fn("serveWeb")(function* ({ names, port, readOnly }: WebOptions) {
  const listener = yield* WebListener
  const page = yield* listener.page
  const [token, session, key] = [yield* listener.secret, yield* listener.secret, yield* listener.secret]
  const listening = yield* listener.listen(port)
  const cookie = `leap-web-${listening.port}`
  const places = yield* Semaphore.make(pagesMost)

  const knows = (request: HttpServerRequest): boolean => same(request.cookies[cookie] ?? "", session)

  /** The token in exchange for the cookie and the key. */
  const open = Effect.fnUntraced(function* (request: HttpServerRequest) {
    if (request.headers["content-type"] !== "application/json") return say(415, "expected JSON")
    const body = yield* request.text.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyMost),
      Effect.flatMap(Schema.decodeEffect(TokenBody)),
      Effect.option
    )
    if (Option.isNone(body)) return say(400, "expected a token")
    if (!same(body.value.token, token)) return say(403, "this is not the token that leap web printed")
    return HttpServerResponse.jsonUnsafe(
      { key },
      { headers: { "set-cookie": `${cookie}=${session}; Path=/; HttpOnly; SameSite=Strict` } }
    )
  })

  const socket = Effect.fnUntraced(function* (request: HttpServerRequest) {
    if (request.headers["upgrade"]?.toLowerCase() !== "websocket") return say(426, "expected a WebSocket")
    const upgraded = yield* request.upgrade
    yield* runPage(upgraded, { readOnly, isKey: (given) => same(given, key), places })
    return HttpServerResponse.empty()
  })

  const file = ({ body, type }: PageFile, method: string) =>
    method === "GET" || method === "HEAD"
      ? HttpServerResponse.text(body, { contentType: type })
      : say(405, "this can only be read")

  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest
    const { headers, method, url } = request
    const host = headers["host"]
    if (!isOwnHost(host, names)) return say(421, otherName)
    const found = page.get(url)
    if (found !== undefined) return file(found, method)
    const isOwn = isOwnOrigin(headers["origin"], host, names)
    if (url === "/session" && method === "POST") return isOwn ? yield* open(request) : say(403, "another site asks")
    // whether the page may still open its socket: a browser does not tell it why that failed
    if (url === "/session" && method === "GET") return HttpServerResponse.empty({ status: knows(request) ? 204 : 401 })
    if (url === "/socket" && method === "GET") {
      if (!isOwn) return say(403, "another site asks")
      return knows(request) ? yield* socket(request) : say(401, "open the address that leap web printed")
    }
    return say(404, "there is nothing here")
  }).pipe(
    // a browser that leaves while it is answered is no news
    Effect.catchCause((cause) =>
      Effect.as(Cause.hasDies(cause) ? Effect.logWarning(cause) : Effect.void, say(500, "this could not be answered"))
    ),
    Effect.map(HttpServerResponse.setHeaders(securityHeaders))
  )
  const context = yield* Effect.context<Exclude<Effect.Services<typeof answer>, HttpServerRequest>>()
  // the server runs what answers uninterruptibly: a page's socket would keep leap from ending
  yield* listening.server.serve(Effect.interruptible(Effect.provideContext(answer, context)))
  return `http://127.0.0.1:${listening.port}/#token=${token}`
})
