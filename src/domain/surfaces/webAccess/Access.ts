const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])
/** A name with any port: a tunnel may use another one. */
const withPort = /^([a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/

/** A server's name in an address, without its port. */
export const isHostName = (name: string): boolean =>
  name.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])$/i.test(name)

/** Whether a request uses a name of this machine: loopback, or one of `names`. Rejects rebound DNS names. */
export const isOwnHost = (host: string | undefined, names: ReadonlyArray<string>): host is string => {
  const name = withPort.exec(host?.toLowerCase() ?? "")?.[1]
  return name !== undefined && (loopback.has(name) || names.includes(name))
}

/** Whether this server's own page asks: origin and port match. Only proxies under a user's own name may speak TLS. */
export const isOwnOrigin = (origin: string | undefined, host: string, names: ReadonlyArray<string>): boolean => {
  const [from, to] = [origin?.toLowerCase(), host.toLowerCase()]
  return from === `http://${to}` || (from === `https://${to}` && !isOwnHost(to, []) && isOwnHost(to, names))
}

/** Headers of every answer: the page runs and shows nothing but its own files. */
export const securityHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
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
