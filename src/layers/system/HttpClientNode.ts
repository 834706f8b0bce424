import { Layer } from "effect"
import { HttpClient } from "effect/http"
import { routedClient } from "./routedClient.ts"

/**
 * HTTP by Node's own client, through the environment's proxy (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`),
 * trusting the certificates in `SSL_CERT_FILE` too. It has no timeouts of its own.
 */
export const layerOf = (env: Readonly<Record<string, string | undefined>>): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(HttpClient.HttpClient, routedClient(env))

/** With the environment of this process. */
export const layer: Layer.Layer<HttpClient.HttpClient> = layerOf(process.env)
