import { assert, describe, it } from "@effect/vitest"
import { proxyRoute } from "../../../../src/domain/words/environment/ProxyRoute.ts"
import { isWithin } from "../../../../src/layers/system/HttpClientNode.ts"

const routed = (url: string, env: Record<string, string>): string => {
  const route = proxyRoute(new URL(url), env, isWithin)
  return route._tag === "Through" ? route.proxy : route._tag === "Refused" ? `refused: ${route.why}` : "direct"
}
const server = "http://api.example.test/v1"
const proxy = "http://proxy:3128/"

describe("the way to a server", () => {
  const ways: ReadonlyArray<readonly [name: string, env: Record<string, string>, way: string, url?: string]> = [
    ["no proxy", {}, "direct"],
    ["one of HTTP", { http_proxy: proxy }, proxy],
    ["capitals", { HTTP_PROXY: proxy }, proxy],
    ["small letters first", { http_proxy: proxy, HTTP_PROXY: "http://other/" }, proxy],
    ["an empty one", { http_proxy: "" }, "direct"],
    ["one for the other scheme", { https_proxy: proxy }, "direct"],
    ["one of HTTPS", { HTTPS_PROXY: proxy }, proxy, "https://api.example.test/v1"],
    ["one for all", { ALL_PROXY: proxy }, proxy],
    ["the nearer one", { all_proxy: "socks5://x:1", http_proxy: proxy }, proxy],
    ["no scheme", { HTTP_PROXY: "127.0.0.1:7890" }, "http://127.0.0.1:7890/"],
    ["no scheme, a name", { HTTP_PROXY: "proxy:3128" }, proxy],
    ["no scheme, a password", { HTTP_PROXY: "me:secret@proxy:3128" }, "http://me:secret@proxy:3128/"],
    ["no port", { HTTP_PROXY: "proxy" }, "http://proxy/"],
    ["a proxy by HTTPS", { HTTP_PROXY: "https://proxy:3128" }, "https://proxy:3128/"],
    ["NO_PROXY: all", { http_proxy: proxy, NO_PROXY: "*" }, "direct"],
    ["NO_PROXY: a name above", { http_proxy: proxy, NO_PROXY: "test" }, "direct"],
    ["NO_PROXY: with a dot", { http_proxy: proxy, NO_PROXY: ".test" }, "direct"],
    ["NO_PROXY: with a star", { http_proxy: proxy, NO_PROXY: "*.test" }, "direct"],
    ["NO_PROXY: the name itself", { http_proxy: proxy, NO_PROXY: "api.example.test" }, "direct"],
    ["NO_PROXY: the name itself, with a dot", { http_proxy: proxy, NO_PROXY: ".api.example.test" }, "direct"],
    ["NO_PROXY: in a list with spaces", { http_proxy: proxy, NO_PROXY: "a.b, EXAMPLE.TEST ,c" }, "direct"],
    ["NO_PROXY: its port", { http_proxy: proxy, NO_PROXY: "example.test:80" }, "direct"],
    ["NO_PROXY: another port", { http_proxy: proxy, NO_PROXY: "example.test:8080" }, proxy],
    ["NO_PROXY: an address of it", { http_proxy: proxy, NO_PROXY: "http://api.example.test/v1" }, "direct"],
    ["NO_PROXY: part of a name", { http_proxy: proxy, NO_PROXY: "ample.test" }, proxy],
    ["NO_PROXY: a name below", { http_proxy: proxy, NO_PROXY: "x.api.example.test" }, proxy],
    ["NO_PROXY: nothing", { http_proxy: proxy, NO_PROXY: " , ." }, proxy],
    ["NO_PROXY: small letters first", { http_proxy: proxy, no_proxy: "x", NO_PROXY: "*" }, proxy],
    ["NO_PROXY: an address", { http_proxy: proxy, NO_PROXY: "10.1.2.3" }, "direct", "http://10.1.2.3:8000/v1"],
    ["NO_PROXY: the end of one", { http_proxy: proxy, NO_PROXY: "2.3" }, proxy, "http://10.1.2.3:8000/v1"],
    ["NO_PROXY: a network", { http_proxy: proxy, NO_PROXY: "10.0.0.0/8" }, "direct", "http://10.1.2.3:8000/v1"],
    ["NO_PROXY: another network", { http_proxy: proxy, NO_PROXY: "10.0.0.0/16" }, proxy, "http://10.1.2.3:8000/v1"],
    ["NO_PROXY: no network", { http_proxy: proxy, NO_PROXY: "10.0.0.0/99" }, proxy, "http://10.1.2.3:8000/v1"],
    ["NO_PROXY: IPv6", { http_proxy: proxy, NO_PROXY: "fd00::/8" }, "direct", "http://[fd12::1]:8000/v1"],
    [
      "NO_PROXY: IPv6 and its port",
      { http_proxy: proxy, NO_PROXY: "[fd12::1]:8000" },
      "direct",
      "http://[fd12::1]:8000/"
    ],
    ["NO_PROXY: an IPv6 address", { http_proxy: proxy, NO_PROXY: "fd12::1" }, "direct", "http://[fd12::1]:8000/v1"],
    ["this machine", { http_proxy: proxy }, "direct", "http://127.0.0.1:8080/v1"],
    ["this machine by name", { http_proxy: proxy }, "direct", "http://localhost:8080/v1"],
    ["this machine by IPv6", { http_proxy: proxy }, "direct", "http://[::1]:8080/v1"],
    ["this machine, past a proxy that is refused", { ALL_PROXY: "socks5://x" }, "direct", "http://127.0.0.1:8080/v1"],
    ["past a proxy that is refused", { ALL_PROXY: "socks5://x", NO_PROXY: "test" }, "direct"]
  ]
  it.each(ways.map(([name, env, way, url = server]) => [name, env, way, url] as const))("%s", (_, env, way, url) =>
    assert.strictEqual(routed(url, env), way)
  )

  it.each<readonly [string, Record<string, string>, RegExp]>([
    ["SOCKS", { HTTP_PROXY: "socks5://me:secret@127.0.0.1:7890" }, /^refused: HTTP_PROXY names a proxy by socks5, /],
    ["SOCKS with names", { all_proxy: "socks5h://127.0.0.1:7890" }, /^refused: all_proxy names a proxy by socks5h, /],
    ["another", { http_proxy: "ftp://x" }, /^refused: http_proxy names a proxy by ftp, /],
    ["no address", { http_proxy: "http://" }, /^refused: http_proxy is no address of a proxy/],
    ["no port", { http_proxy: "proxy:port" }, /^refused: http_proxy is no address of a proxy/]
  ])("is refused, in a word without a password, rather than taken past the proxy: %s", (_, env, why) => {
    const told = routed(server, env)
    assert.match(told, why)
    assert.notInclude(told, "secret")
  })
})
