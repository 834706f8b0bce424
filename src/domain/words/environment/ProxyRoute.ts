/** How a request reaches its server. `Refused`: this is unclear, and leap never bypasses a proxy by mistake. */
export type ProxyRoute =
  | { readonly _tag: "Direct" }
  | { readonly _tag: "Through"; readonly proxy: string }
  | { readonly _tag: "Refused"; readonly why: string }

type Environment = Readonly<Record<string, string | undefined>>

const direct: ProxyRoute = { _tag: "Direct" }
const refused = (why: string): ProxyRoute => ({ _tag: "Refused", why })

/** A server on this machine is reached directly, whatever the proxy settings. */
const isLocal = (host: string): boolean => /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host)

/** The first of these variables that is set, lower case first by convention. */
const firstSet = (env: Environment, names: ReadonlyArray<string>): readonly [name: string, value: string] | null => {
  for (const name of names.flatMap((name) => [name, name.toUpperCase()])) {
    const value = env[name]?.trim() ?? ""
    if (value !== "") return [name, value]
  }
  return null
}

const bare = (host: string): string =>
  host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase()

/**
 * Whether a `NO_PROXY` excludes a server: by `*`, by a name, also with a dot or `*.` before it (it includes all names
 * below it), by an address, or by a network (`10.0.0.0/8`). All but networks may have a port.
 */
const isExcepted = (
  url: URL,
  list: string,
  isWithin: (address: string, network: string, bits: number) => boolean
): boolean => {
  const host = bare(url.hostname)
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true
    const [, network, bits] = /^([\d.]+|[\da-f:.]*:[\da-f:.]*)\/(\d{1,3})$/i.exec(entry) ?? []
    if (network !== undefined) return isWithin(host, network, Number(bits))
    const plain = entry.replace(/^[a-z]+:\/\//i, "").replace(/\/.*$/, "")
    const [, name = plain, only] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(plain) ?? []
    if (only !== undefined && only !== port) return false
    // No names are below an address.
    const domain = bare(name).replace(/^\*?\./, "")
    return domain !== "" && (host === domain || (!isWithin(host, host, 0) && host.endsWith(`.${domain}`)))
  })
}

/**
 * The route to a server by the environment. A proxy's address without a scheme is HTTP, as for curl. A proxy with an
 * unknown protocol is refused. `isWithin`: whether the host is an address within that network.
 */
export const proxyRoute = (
  url: URL,
  env: Environment,
  isWithin: (address: string, network: string, bits: number) => boolean
): ProxyRoute => {
  if (isLocal(bare(url.hostname))) return direct
  const set = firstSet(env, [url.protocol === "https:" ? "https_proxy" : "http_proxy", "all_proxy"])
  if (set === null || isExcepted(url, firstSet(env, ["no_proxy"])?.[1] ?? "", isWithin)) return direct
  const [name, value] = set
  const proxy = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`)
  if (proxy === null || proxy.hostname === "") return refused(`${name} is no address of a proxy`)
  // The message must not contain the user's name and password for the proxy.
  return proxy.protocol === "http:" || proxy.protocol === "https:"
    ? { _tag: "Through", proxy: proxy.href }
    : refused(
        `${name} names a proxy by ${proxy.protocol.slice(0, -1)}, and leap goes through proxies by HTTP alone; ` +
          "many listen for both: name it as http://…, or except the server in NO_PROXY"
      )
}
