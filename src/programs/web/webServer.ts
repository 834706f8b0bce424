import { ByteSize, Cause, Clock, Effect, Option, Schema, Semaphore } from "effect"
import * as Mac from "effect/crypto/Mac"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { rights } from "../../domain/surfaces/operations/operations.ts"
import { isOwnHost, isOwnOrigin, securityHeaders } from "../../domain/surfaces/webAccess/Access.ts"
import * as Devices from "../../domain/surfaces/webAccess/Devices.ts"
import { shellHeader } from "../../domain/surfaces/web/shell.ts"
import { devicesFile } from "./devices.ts"
import { type PageFile, WebListener } from "../../services/WebListener.ts"
import { runPage, type Wishes } from "./page.ts"
import { makePushes } from "./pushes.ts"

export interface WebOptions {
  readonly port: number
  readonly readOnly: boolean
  /** Host names, in lower case, of proxies on this machine. */
  readonly names: ReadonlyArray<string>
  readonly wishes: Wishes
  /** Origins of push services in the local network that may be used. */
  readonly pushOrigins: ReadonlyArray<string>
}

const pagesMost = 32
/** As long as browsers keep a cookie, in seconds. */
const cookieAge = 400 * 86_400
const wrongToken = "this is not the token that leap web printed, or an invitation that is over"
const notSignedIn = "open the address that leap web printed"
const otherName =
  "leap web does not know this name: it answers to 127.0.0.1 and localhost; 'leap web --host NAME' adds the name " +
  "under which a tunnel or proxy on its machine passes requests on"
const bodyMost = ByteSize.bytes(1024)

const encoder = new TextEncoder()
/** Compares secrets in constant time. */
const same = (a: string, b: string): boolean => Mac.timingSafeEqual(encoder.encode(a), encoder.encode(b))

const TokenBody = Schema.fromJsonString(Schema.Struct({ token: Schema.String }))
const say = (status: number, text: string) => HttpServerResponse.text(`${text}\n`, { status })

/**
 * Serves the page and its sockets until the scope ends; returns the address with the token that opens it.
 *
 * A browser with the token, or an invitation's, gets a cookie, which no script can read, and a key. A page's socket
 * needs both, because browsers send the cookie, but not the key, to other servers on this machine: cookies ignore
 * ports. Both belong to the browser and hold until it is revoked; those of a read-only server end with it.
 */
export const serveWeb = Effect.fn("serveWeb")(function* ({ names, port, pushOrigins, readOnly, wishes }: WebOptions) {
  const listener = yield* WebListener
  const page = yield* listener.page
  const file = yield* devicesFile
  const token = yield* listener.secret
  const listening = yield* listener.listen(port)
  const cookie = `leap-web-${listening.port}`
  const pushes = yield* makePushes({ file, port: listening.port, readOnly, origins: pushOrigins })
  const places = yield* Semaphore.make(pagesMost)
  /** Browsers known until this server ends: guests of a read-only server, and those that could not be stored. */
  let guests = Devices.noDevices
  // an unreadable file lets nobody in
  const kept = Effect.orElseSucceed(file.read, () => Devices.noDevices)

  const known = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const given = request.cookies[cookie] ?? ""
    if (given === "") return null
    const [digest, now] = [yield* listener.digest(given), yield* Clock.currentTimeMillis]
    const found = Devices.deviceOf(guests, digest, now) ?? Devices.deviceOf(yield* kept, digest, now)
    return found === null || !readOnly ? found : { ...found, rights: found.rights.filter((right) => right === "read") }
  })

  const takeIn = Effect.fnUntraced(function* (
    given: string,
    device: Omit<Devices.Device, "rights" | "since" | "seen">,
    before: Devices.Device | null
  ) {
    if (!same(given, token)) {
      const digest = yield* listener.digest(given)
      if (!(yield* kept).invitations.some((one) => one.token === digest)) return false
      const devices = yield* file.change((all, now) => Devices.accepted(all, digest, device, now) ?? all)
      return devices.devices.some((one) => one.cookie === device.cookie)
    }
    const own = (all: Devices.Devices, now: number) =>
      Devices.admitted(Devices.without(all, before?.cookie), { ...device, rights: readOnly ? ["read"] : rights }, now)
    const asGuest = Effect.map(Clock.currentTimeMillis, (now) => {
      guests = own(guests, now)
    })
    yield* readOnly ? asGuest : Effect.catchTag(file.change(own), "StoreError", () => asGuest)
    return true
  })

  /** The text of a short JSON body; else the answer. */
  const bodyOf = Effect.fnUntraced(function* (request: HttpServerRequest) {
    if (request.headers["content-type"] !== "application/json") return say(415, "expected JSON")
    const body = yield* Effect.option(Effect.provideService(request.text, HttpIncomingMessage.MaxBodySize, bodyMost))
    return Option.getOrElse(body, () => say(400, "expected a short body"))
  })

  const open = Effect.fnUntraced(
    function* (request: HttpServerRequest) {
      const text = yield* bodyOf(request)
      if (typeof text !== "string") return text
      const body = Schema.decodeOption(TokenBody)(text)
      if (Option.isNone(body)) return say(400, "expected a token")
      const [secret, key] = [yield* listener.secret, yield* listener.secret]
      const device = {
        name: Devices.browserName(request.headers["user-agent"] ?? ""),
        cookie: yield* listener.digest(secret),
        key: yield* listener.digest(key)
      }
      if (!(yield* takeIn(body.value.token, device, yield* known(request)))) return say(403, wrongToken)
      const secure = request.headers["origin"]?.startsWith("https:") === true ? " Secure;" : ""
      const its = `${cookie}=${secret}; Path=/; Max-Age=${cookieAge};${secure} HttpOnly; SameSite=Strict`
      return HttpServerResponse.jsonUnsafe({ key }, { headers: { "set-cookie": its } })
    },
    Effect.catchTag("StoreError", ({ message }) => Effect.succeed(say(503, message)))
  )

  /** An action of a notification, which has no page. */
  const pushed = Effect.fnUntraced(function* (request: HttpServerRequest) {
    const device = yield* known(request)
    if (device === null) return say(401, notSignedIn)
    const text = yield* bodyOf(request)
    if (typeof text !== "string") return text
    const { isDone, said } = yield* pushes.answer(device, text, same)
    return HttpServerResponse.jsonUnsafe({ isDone, said })
  })

  const scope = yield* Effect.scope
  const socket = Effect.fnUntraced(function* (request: HttpServerRequest, device: Devices.Device) {
    if (request.headers["upgrade"]?.toLowerCase() !== "websocket") return say(426, "expected a WebSocket")
    const upgraded = yield* request.upgrade
    const now = yield* Clock.currentTimeMillis
    if (Devices.withSeen(yield* kept, device.cookie, now) !== null) {
      yield* Effect.ignore(file.change((all, now) => Devices.withSeen(all, device.cookie, now) ?? all))
    }
    yield* runPage(upgraded, {
      rights: device.rights,
      wishes,
      scope,
      isKey: (given) => Effect.map(listener.digest(given), (digest) => same(digest, device.key)),
      isKnown: Effect.map(known(request), (now) => now?.key === device.key),
      places,
      pushes: {
        state: pushes.stateOf(device),
        subscribe: (address) => pushes.subscribe(device, address, request.headers["origin"] ?? ""),
        unsubscribe: pushes.unsubscribe(device),
        test: pushes.test(device)
      }
    })
    return HttpServerResponse.empty()
  })

  const fileAnswer = ({ body, type }: PageFile, method: string) => {
    if (method !== "GET" && method !== "HEAD") return say(405, "this can only be read")
    const its = { contentType: type, headers: { [shellHeader]: "1" } }
    return typeof body === "string" ? HttpServerResponse.text(body, its) : HttpServerResponse.uint8Array(body, its)
  }

  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest
    const { headers, method, url } = request
    const host = headers["host"]
    if (!isOwnHost(host, names)) return say(421, otherName)
    const found = page.get(url)
    if (found !== undefined) return fileAnswer(found, method)
    const isOwn = isOwnOrigin(headers["origin"], host, names)
    if (url === "/session" && method === "POST") return isOwn ? yield* open(request) : say(403, "another site asks")
    // lets the page check its access, because a browser hides why a socket failed
    if (url === "/session" && method === "GET")
      return HttpServerResponse.empty({ status: (yield* known(request)) === null ? 401 : 204 })
    if (url === "/push" && method === "POST") return isOwn ? yield* pushed(request) : say(403, "another site asks")
    if (url === "/socket" && method === "GET") {
      if (!isOwn) return say(403, "another site asks")
      const device = yield* known(request)
      return device === null ? say(401, notSignedIn) : yield* socket(request, device)
    }
    return say(404, "there is nothing here")
  }).pipe(
    // a browser that disconnects during the answer is no error
    Effect.catchCause((cause) =>
      Effect.as(Cause.hasDies(cause) ? Effect.logWarning(cause) : Effect.void, say(500, "this could not be answered"))
    ),
    Effect.map(HttpServerResponse.setHeaders(securityHeaders))
  )
  const context = yield* Effect.context<Exclude<Effect.Services<typeof answer>, HttpServerRequest>>()
  // the server runs handlers uninterruptibly: a page's socket would keep leap from ending
  yield* listening.server.serve(Effect.interruptible(Effect.provideContext(answer, context)))
  return `http://127.0.0.1:${listening.port}/#token=${token}`
})
