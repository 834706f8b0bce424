import { matches, type TextGlob, textGlob } from "./TextGlob.ts"

/** Scheme, host and the rest are matched separately, so that a `*` in a host stays within it. */
export interface UrlPattern {
  readonly whole: TextGlob
  readonly scheme: TextGlob
  readonly host: TextGlob
  /** Path, query and fragment. */
  readonly rest: TextGlob
  readonly anyPort: boolean
  /** The host without its leading wildcards; null if it has other wildcards or is no name. */
  readonly name: string | null
  /** It matches hosts below that name. */
  readonly below: boolean
}

const parts = /^([a-z][a-z0-9+.*?-]*):\/\/([^/\\#]*?)([/\\#].*|\?.*)?$/is
const ports: Readonly<Record<string, string>> = { "http:": ":80", "https:": ":443", "ws:": ":80", "wss:": ":443" }

/** A host's name as it is sent: `münchen.de` is `xn--mnchen-3ya.de`. Wildcards stay. */
const sentName = (host: string): string =>
  host.replace(
    /[^.*?[\]:]*[^\u0000-\u007f.*?[\]:][^.*?[\]:]*/g,
    (label) => URL.parse(`http://${label}`)?.hostname ?? label
  )

/** Parses a pattern, with or without a scheme; null if it is malformed. Without a path it matches every path. */
export const urlPattern = (pattern: string): UrlPattern | null => {
  const whole = textGlob(pattern)
  if (whole === null) return null
  const [, scheme = "*", written = "", rest] = /^(?:([^:/]*):\/\/)?([^/]*)(\/.*)?$/s.exec(pattern) ?? []
  const sent = sentName(written)
  // `https://example.com*` matches paths of example.com, and not the host example.com.evil.test.
  const open = rest === undefined && /[^*.]\*$/.test(sent)
  const named = (open ? sent.slice(0, -1) : sent).toLowerCase()
  const [before, host, after] = [textGlob(scheme.toLowerCase() || "*"), textGlob(named), textGlob(rest ?? "*")]
  if (before === null || host === null || after === null) return null
  const name = named.replace(/^(?:\*\*?\.?)+/, "")
  return {
    whole,
    scheme: before,
    host,
    rest: after,
    anyPort: !/:[^\]]*$/.test(sent.replace(/^\[[^\]]*\]/, "")),
    below: sent.startsWith("*"),
    name: /^[\w-]+(?:\.[\w-]+)+$/.test(name) ? name : null
  }
}

interface Address {
  readonly scheme: string
  readonly host: string
  readonly rest: string
  /** It has a user name, a backslash, or a character that programs read differently. */
  readonly ambiguous: boolean
}

const parseAddress = (url: string): Address | null => {
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
    ambiguous:
      at >= 0 ||
      /[\\\s\u0000-\u001f]/.test(url) ||
      /[^a-z0-9.:_[\]-]/.test(host) ||
      /(?:^|\/|%2f|%5c)(?:\.|%2e){1,2}(?:[/;?#]|%2f|%5c|$)/i.test(rest)
  }
}

const mapped = /^\[(?:(?:0*:)*:ffff|::):([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** `[::ffff:7f00:1]` is 127.0.0.1. */
const withoutMapping = (host: string): string => {
  const [, high, low] = mapped.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

/** An address as browsers read it (WHATWG), with normalized host names and numeric addresses; null for none. */
const parseStandard = (url: string): Address | null => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.hostname === "") return null
  const host = withoutMapping(parsed.hostname.replace(/\.$/, ""))
  return {
    scheme: parsed.protocol.slice(0, -1),
    host: parsed.port === "" ? host : `${host}:${parsed.port}`,
    rest: parsed.pathname + parsed.search + parsed.hash,
    ambiguous: false
  }
}

/** An address with or without its scheme (`evil.com/x`), in every reading that a program might use. */
const readings = (url: string): ReadonlyArray<Address> => {
  const bare = /^[\p{L}\p{N}_.-]+(?::\d+)?(?:[/?#]|$)|^\[[\da-f:.]+\]/iu.test(url.trim())
    ? [`http://${url.trim()}`]
    : []
  return [url, ...bare].flatMap((one) =>
    [parseAddress(one), parseStandard(one)].flatMap((address) => (address === null ? [] : [address]))
  )
}

const matchesAddress = (pattern: UrlPattern, address: Address): boolean =>
  matches(pattern.scheme, address.scheme) && matches(pattern.host, address.host) && matches(pattern.rest, address.rest)

/** Whether the pattern certainly matches an address, which must have only one reading. */
export const urlAllowed = (pattern: UrlPattern, url: string): boolean => {
  const address = parseAddress(url)
  const standard = parseStandard(url)
  return (
    address !== null &&
    standard !== null &&
    !address.ambiguous &&
    standard.scheme === address.scheme &&
    standard.host === address.host &&
    matchesAddress(pattern, address)
  )
}

/** Whether the pattern matches any reading of an address. A pattern without a port matches all ports. */
export const urlFound = (pattern: UrlPattern, url: string): boolean =>
  matches(pattern.whole, url) ||
  readings(url).some((address) => {
    const bare = address.host.replace(/:\d+$/, "")
    // a pattern may name the port that an address leaves out
    const other = bare === address.host ? bare + (ports[`${address.scheme}:`] ?? "") : pattern.anyPort ? bare : ""
    return [address.host, other].some((host) => matchesAddress(pattern, { ...address, host }))
  })

/** The host anywhere in a text: `u@evil.com`, `-connect evil.com:443`, `/dev/tcp/evil.com/80`. */
export const namesHost = ({ below, name }: UrlPattern, text: string): boolean => {
  if (name === null) return false
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(name); at >= 0; at = lower.indexOf(name, at + 1)) {
    const before = lower.slice(0, at)
    // An option's letters may precede it.
    const begins = !/[\w-]$/.test(before) || /^-\w+$/.test(before)
    if (begins && (below || !before.endsWith(".")) && !/^[\w-]|^\.\w/.test(lower.slice(at + name.length))) return true
  }
  return false
}

/** Whether no program reads the text as an address. */
export const isNoAddress = (url: string): boolean => readings(url).length === 0
