import { matches, type TextGlob, textGlob } from "./TextGlob.ts"

/** An address pattern, read: scheme, host and what follows are matched apart, so that no `*` in a host reaches beyond it. */
export interface UrlPattern {
  readonly whole: TextGlob
  readonly scheme: TextGlob
  readonly host: TextGlob
  /** Null for any. */
  readonly rest: TextGlob | null
}

const parts = /^([a-z][a-z0-9+.*?-]*):\/\/([^/\\#]*?)([/\\#].*|\?.*)?$/is
const ports: Readonly<Record<string, string>> = { "http:": ":80", "https:": ":443", "ws:": ":80", "wss:": ":443" }

/** Reads a pattern, with or without a scheme; null for a malformed one. Without a path it means every path. */
export const urlPattern = (pattern: string): UrlPattern | null => {
  const whole = textGlob(pattern)
  if (whole === null) return null
  const [, scheme = "*", host = "", rest] = /^([^:/]*):\/\/([^/]*)(\/.*)?$/s.exec(pattern) ?? ["", "*", ...(/^([^/]*)(\/.*)?$/s.exec(pattern)?.slice(1) ?? [])]
  // `https://example.com*` is meant for its paths, not for example.com.of.somebody.else
  const open = rest === undefined && /[^*.]\*$/.test(host)
  const globs = [textGlob(scheme === "" ? "*" : scheme.toLowerCase()), textGlob((open ? host.slice(0, -1) : host).toLowerCase())] as const
  const after = rest === undefined ? null : textGlob(rest)
  if (globs[0] === null || globs[1] === null || rest !== undefined && after === null) return null
  return { whole, scheme: globs[0], host: globs[1], rest: after }
}

interface Address {
  readonly scheme: string
  readonly host: string
  readonly rest: string
  /** It has a user name, a backslash or a character that programs read in several ways. */
  readonly odd: boolean
}

const read = (url: string): Address | null => {
  const found = parts.exec(url.trim())
  if (found === null) return null
  const [, scheme = "", authority = "", rest = ""] = found
  const at = authority.lastIndexOf("@")
  const port = ports[`${scheme.toLowerCase()}:`] ?? ""
  const named = authority.slice(at + 1).toLowerCase()
  const host = (port !== "" && named.endsWith(port) ? named.slice(0, -port.length) : named).replace(/\.(?=$|:\d+$)/, "")
  return {
    scheme: scheme.toLowerCase(),
    host,
    rest: rest.startsWith("/") ? rest : `/${rest}`,
    odd: at >= 0 || /[\\\s\u0000-\u001f]/.test(url) || /[^a-z0-9.:_[\]-]/.test(host) || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$|[?#])/i.test(rest)
  }
}

const hits = (pattern: UrlPattern, address: Address): boolean =>
  matches(pattern.scheme, address.scheme) && matches(pattern.host, address.host) && (pattern.rest === null || matches(pattern.rest, address.rest))

/** Whether an address is certainly one that the pattern means. */
export const urlAllowed = (pattern: UrlPattern, url: string): boolean => {
  const address = read(url)
  return address !== null && !address.odd && hits(pattern, address)
}

/** Whether an address is, or may be read as, one that the pattern means. */
export const urlFound = (pattern: UrlPattern, url: string): boolean => {
  const address = read(url)
  return matches(pattern.whole, url) || address !== null && hits(pattern, address)
}
