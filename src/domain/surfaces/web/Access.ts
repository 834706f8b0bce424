/**
 * Names under which a browser on this machine reaches a server on loopback, with any port: a tunnel may have another
 * one. A name that somebody else's server gives this address (DNS rebinding) is none of them.
 */
const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Whether a request was made to this machine by its own name. */
export const isLoopbackHost = (host: string | undefined): host is string => host !== undefined && loopback.test(host)

/** Whether a page of this server's makes the request: its origin is where the request goes, port and all. */
export const isOwnOrigin = (origin: string | undefined, host: string): boolean =>
  origin !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`

/** What browsers are told about every answer: the page runs and shows nothing but its own files. */
export const securityHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
  "cache-control": "no-store"
} as const
