import { Effect, Layer, Scope } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { readFileSync } from "node:fs"
import type { AgentOptions } from "node:https"
import { getCACertificates } from "node:tls"
import { proxyRoute } from "../../domain/words/environment/ProxyRoute.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { BlockList, isIP } from "node:net"

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** Whether an address is in a network; `bits`: the length of its prefix. False if one of them is none. */
export const isWithin = (address: string, network: string, bits: number): boolean => {
  const family = familyOf(network)
  if (isIP(address) === 0 || isIP(network) === 0 || bits > (family === "ipv6" ? 128 : 32)) return false
  const networks = new BlockList()
  networks.addSubnet(network, bits, family)
  return networks.check(address, familyOf(address))
}

type Environment = Readonly<Record<string, string | undefined>>

/** This environment's certificates in addition to Node's own, which already include `NODE_EXTRA_CA_CERTS`. */
const authorities = (env: Environment): Pick<AgentOptions, "ca"> => {
  const file = env["SSL_CERT_FILE"]?.trim() ?? ""
  return file === "" ? {} : { ca: [...getCACertificates("default"), readFileSync(file, "utf8")] }
}

const failure = (request: HttpClientRequest.HttpClientRequest, why: string) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, cause: new Error(why) })
  })

type Answer = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

const clientWith = (options: AgentOptions) =>
  Effect.provideServiceEffect(NodeHttpClient.makeNodeHttp, NodeHttpClient.HttpAgent, NodeHttpClient.makeAgent(options))

const routedClient = (
  env: Environment,
  options: AgentOptions
): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const clients = new Map<string, HttpClient.HttpClient>()
    /** The client of a proxy, or of none (""); for HTTPS with the certificates of the environment. */
    const clientOf = (proxy: string, secure: boolean) =>
      Effect.gen(function* () {
        const key = `${secure} ${proxy}`
        const known = clients.get(key)
        if (known !== undefined) return known
        const trust = secure ? yield* Effect.try({ try: () => authorities(env), catch: errorTextOf }) : {}
        const proxyEnv = proxy === "" ? {} : { proxyEnv: { http_proxy: proxy, https_proxy: proxy } }
        const own = proxy === "" ? options : {}
        const made = yield* Effect.provideService(clientWith({ ...own, ...trust, ...proxyEnv }), Scope.Scope, scope)
        clients.set(key, made)
        return made
      })
    const send = (request: HttpClientRequest.HttpClientRequest): Answer => {
      const url = URL.parse(request.url)
      const route = url === null ? null : proxyRoute(url, env, isWithin)
      if (route?._tag === "Refused") return failure(request, route.why)
      return clientOf(route?._tag === "Through" ? route.proxy : "", url?.protocol === "https:").pipe(
        Effect.mapError((why) => failure(request, `SSL_CERT_FILE cannot be read: ${why}`)),
        Effect.flatMap((client) => client.postprocess(Effect.succeed(request)))
      )
    }
    type Failure = HttpClientError.HttpClientError
    return HttpClient.makeWith<Failure, never, Failure, never>((effect) => Effect.flatMap(effect, send), Effect.succeed)
  })

/**
 * HTTP by Node's own client, through the environment's proxy (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`),
 * trusting the certificates in `SSL_CERT_FILE` too. It has no timeouts of its own. `options`: of connections that go
 * through no proxy.
 */
export const layerOf = (env: Environment, options: AgentOptions = {}): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(HttpClient.HttpClient, routedClient(env, options))

/** With the environment of this process. */
export const layer: Layer.Layer<HttpClient.HttpClient> = layerOf(process.env)
