import { Clock, Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { lookup } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"
import { PostError } from "../../services/PostError.ts"
import type { Push } from "../../services/WebPush.ts"
import { encrypted, vapid } from "./pushEncryption.ts"

/** Seconds for which a signature is valid. */
const signedFor = 12 * 3600

/** Networks that are not the Internet: this machine, private and shared ones, and addresses of no single machine. */
const local = new BlockList()
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3]
] as const)
  local.addSubnet(network, bits)
for (const [network, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8]
] as const)
  local.addSubnet(network, bits, "ipv6")

/** Whether an address is outside of the Internet. */
export const isLocalAddress = (address: string): boolean => local.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")

/** Looks a name up; fails if one of its addresses is local, because a name can lead anywhere. */
const publicLookup: LookupFunction = (name, options, done) =>
  lookup(name, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found]
    if (error === null && addresses.some(isLocalAddress)) done(new Error("it leads into the local network"), [])
    else done(error, found, family)
  })

/** See `WebPush.post`. */
export const post = Effect.fn("WebPush.post")(function* ({
  address,
  contact,
  isLocal,
  isUrgent,
  keys,
  text,
  topic,
  ttl
}: Push) {
  const now = yield* Clock.currentTimeMillis
  const { endpoint } = address
  const { origin } = new URL(endpoint)
  const made = yield* Effect.try({
    try: () => ({
      body: encrypted(text, address),
      signature: vapid(keys, { service: origin, contact, expires: Math.floor(now / 1000) + signedFor })
    }),
    catch: () => new PostError({ why: "its keys cannot be used", again: false })
  })
  const request = HttpClientRequest.post(endpoint).pipe(
    HttpClientRequest.setHeaders({
      authorization: made.signature,
      "content-encoding": "aes128gcm",
      ttl: String(ttl),
      topic,
      urgency: isUrgent ? "high" : "normal"
    }),
    HttpClientRequest.bodyUint8Array(made.body, "application/octet-stream")
  )
  const { postOnce } = yield* Effect.promise(() => import("../system/postOnce.ts"))
  return yield* postOnce(request, "its push service", "10 seconds", isLocal ? {} : { lookup: publicLookup })
})
