import { Schema } from "effect"

/** A browser's address for pushes, as it states it: at its push service, with its keys in base64url. */
export const PushAddress = Schema.Struct({
  endpoint: Schema.String.check(Schema.isMaxLength(1024)),
  /** A point of P-256, uncompressed. */
  p256dh: Schema.String.check(Schema.isPattern(/^B[\w-]{86}$/)),
  auth: Schema.String.check(Schema.isPattern(/^[\w-]{22}$/))
})
export type PushAddress = typeof PushAddress.Type

/** A device's subscription. Times are milliseconds since the epoch. */
export const PushSubscription = Schema.Struct({
  ...PushAddress.fields,
  /** The server's port, and the page's origin: servers on other ports send it nothing. */
  port: Schema.Int,
  origin: Schema.String,
  since: Schema.Finite,
  /** Why the last push failed; null if it did not. */
  failure: Schema.NullOr(Schema.Struct({ at: Schema.Finite, why: Schema.String }))
})
export type PushSubscription = typeof PushSubscription.Type

/** Names that only a local network knows, and addresses, which no push service has for a name. */
const localHost = /^[^.]*\.?$|\.(?:localhost|local|internal|lan|home\.arpa|\d+)\.?$|^\[/

/**
 * Why nothing is sent to a push service, null if it may be. The address comes from a browser, and must not lead into
 * the local network. `allowed`: origins that the user allows all the same.
 */
export const endpointProblem = (endpoint: string, allowed: ReadonlyArray<string>): string | null => {
  const url = URL.parse(endpoint)
  if (url === null || url.username !== "" || url.password !== "") return "its push service's address cannot be used"
  if (allowed.includes(url.origin)) return null
  if (url.protocol !== "https:") return "its push service does not speak https"
  return localHost.test(url.hostname)
    ? `its push service is in the local network: 'leap web --push-origin ${url.origin}' allows it`
    : null
}

/** The origin that is named to push services as their contact (RFC 8292): Apple's accepts only a name that exists. */
export const pushContact = (origin: string): string => (origin.startsWith("https://") ? origin : "https://example.com")
