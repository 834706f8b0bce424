import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Layer } from "effect"
import type { HttpClient } from "effect/http"

/** A server on this machine is reached directly, whatever the proxy settings. */
const localHosts = "localhost,127.0.0.1,::1"

/**
 * HTTP by Node's own client, through the proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`;
 * Node 24). It has no time-outs of its own.
 */
export const layerOf = (env: Readonly<Record<string, string | undefined>>): Layer.Layer<HttpClient.HttpClient> => {
  const others = env["no_proxy"] || env["NO_PROXY"]
  return NodeHttpClient.layerNodeHttpOptions({
    proxyEnv: { ...env, no_proxy: others ? `${others},${localHosts}` : localHosts }
  })
}

/** With the environment of this process. */
export const layer: Layer.Layer<HttpClient.HttpClient> = layerOf(process.env)
