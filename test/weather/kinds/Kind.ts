import type { ProblemKind } from "../../../src/domain/words/session/Session.ts"
import type { Fault } from "../Fault.ts"
import type { Way } from "../Front.ts"

/** One kind of bad weather: what is injected, and what a session that meets it should say of its failed turn. */
export interface Kind {
  readonly name: string
  readonly injected: { readonly fault: Fault } | { readonly way: Exclude<Way, "open"> }
  /** Null: the turn comes to its end all the same. */
  readonly right: ProblemKind | null
  /** The reply is whole, if bad: behind a tool's result, a CLI may take it for an answer. */
  readonly ends?: true
}

export const status = (
  name: string,
  right: ProblemKind | null,
  code: number,
  body: string | object,
  headers?: Readonly<Record<string, string>>
): Kind => ({
  name,
  right,
  injected: { fault: { how: "status", status: code, body, ...(headers === undefined ? {} : { headers }) } }
})

export const events = (
  name: string,
  right: ProblemKind | null,
  list: ReadonlyArray<readonly [string | null, object]>,
  whole?: { readonly status: number; readonly body: object }
): Kind => ({
  name,
  right,
  injected: { fault: { how: "events", events: list, ...(whole === undefined ? {} : { whole }) } }
})

/** The rows of a table, one a line: words (`-` for null), and behind a bar what is said. */
export const rowsOf = (table: string): ReadonlyArray<readonly [words: ReadonlyArray<string>, said: string]> =>
  table
    .trim()
    .split("\n")
    .map((row) => {
      const bar = row.indexOf(" | ")
      return [row.slice(0, bar).trim().split(" "), row.slice(bar + 3)]
    })

const nginx = (code: number, words: string) =>
  `<html>\r\n<head><title>${code} ${words}</title></head>\r\n<body>\r\n<center><h1>${code} ${words}</h1></center>\r\n` +
  `<hr><center>nginx/1.27.2</center>\r\n</body>\r\n</html>\r\n`

const cloudflare = (code: number, words: string) =>
  `<!DOCTYPE html>\n<html lang="en-US">\n<head><title>api.vendor.example | ${code}: ${words}</title></head>\n` +
  `<body><div id="cf-wrapper"><h1>${words} <span>Error code ${code}</span></h1></div></body>\n</html>\n`

/** What a network says to whoever has not yet logged in to it. */
const portal =
  `<!DOCTYPE html>\n<html><head><title>Guest network</title>` +
  `<meta http-equiv="refresh" content="0; url=http://portal.example/hello"></head>` +
  `<body><p>Accept the terms of use to go on.</p></body></html>\n`

/** What any endpoint, and any way to one, can do. */
export const anywhere: ReadonlyArray<Kind> = [
  { name: "refused", right: "network", injected: { way: "refused" } },
  { name: "reset-connection", right: "network", injected: { way: "reset" } },
  { name: "closed-connection", right: "network", injected: { way: "closed" } },
  { name: "no-name", right: "network", injected: { way: "unresolved" } },
  { name: "certificate-of-its-own", right: "network", injected: { way: "self-signed" } },
  { name: "certificate-expired", right: "network", injected: { way: "expired" } },
  { name: "no-tls", right: "network", injected: { way: "plain" } },
  { name: "never-answered", right: "network", injected: { way: "silent" } },
  { name: "slow-way", right: null, injected: { way: "slow" } },
  { name: "slow-header", right: null, injected: { fault: { how: "slow-header" } } },
  { name: "slow-first-byte", right: null, injected: { fault: { how: "slow-first-byte" } } },
  { name: "stalled", right: "network", injected: { fault: { how: "stall" } } },
  { name: "cut-in-event", right: "network", injected: { fault: { how: "cut-in-event" } } },
  { name: "reset-in-header", right: "network", injected: { fault: { how: "reset-in-header" } } },
  status("portal", "network", 200, portal),
  status("empty-reply", "network", 200, ""),
  status("other-json", "network", 200, { status: "ok" }),
  { name: "reset-before-header", right: "network", injected: { fault: { how: "reset" } } },
  { name: "hang-up", right: "network", injected: { fault: { how: "hang-up" } } },
  { name: "reset-in-body", right: "network", injected: { fault: { how: "reset-in-body" } } },
  { name: "cut-in-body", right: "network", injected: { fault: { how: "cut-in-body" } } },
  { name: "cut-clean", right: "network", injected: { fault: { how: "cut-clean" } } },
  { name: "no-http", right: "network", injected: { fault: { how: "garbage" } } },
  status("gateway-401", "auth", 401, nginx(401, "Authorization Required")),
  status("gateway-402", "auth", 402, nginx(402, "Payment Required")),
  status("gateway-403", "auth", 403, nginx(403, "Forbidden")),
  status("gateway-404", "model", 404, nginx(404, "Not Found")),
  status("gateway-407", "auth", 407, nginx(407, "Proxy Authentication Required")),
  status("gateway-408", "overloaded", 408, nginx(408, "Request Time-out")),
  status("gateway-413", "context", 413, nginx(413, "Request Entity Too Large")),
  status("gateway-429", "rate_limited", 429, nginx(429, "Too Many Requests")),
  status("gateway-500", "overloaded", 500, nginx(500, "Internal Server Error")),
  status("gateway-502", "overloaded", 502, nginx(502, "Bad Gateway")),
  status("gateway-503", "overloaded", 503, nginx(503, "Service Temporarily Unavailable")),
  status("gateway-504", "overloaded", 504, nginx(504, "Gateway Time-out")),
  status("gateway-520", "overloaded", 520, cloudflare(520, "Web server is returning an unknown error")),
  status("gateway-522", "overloaded", 522, cloudflare(522, "Connection timed out")),
  status("gateway-524", "overloaded", 524, cloudflare(524, "A timeout occurred"))
]
