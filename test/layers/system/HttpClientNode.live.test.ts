import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient, type HttpClientError } from "effect/http"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:https"
import { createServer as createPlainServer, type Server as PlainServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { fileURLToPath } from "node:url"
import { transportFault } from "../../../src/domain/cli/headless/http/HttpFailure.ts"
import * as HttpClientNode from "../../../src/layers/system/HttpClientNode.ts"
import { chatServer, send } from "../../support/headless/chatServer.ts"
import { live } from "../../support/run/effects.ts"

const pathOf = (name: string) => fileURLToPath(new URL(`../../weather/tls/${name}`, import.meta.url))
const causeOf = (error: unknown) => (error as HttpClientError.HttpClientError).reason.cause

/** A server whose certificate is its own, and names weather.test. */
const secureServer = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly server: Server }>((resume) => {
    const files = { cert: readFileSync(pathOf("self-signed.pem")), key: readFileSync(pathOf("self-signed.key")) }
    const server = createServer(files, (_, response) => response.end("secure"))
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` }))
    )
  }),
  ({ server }) => Effect.sync(() => void server.close())
).pipe(Effect.map(({ url }) => url))

/** A proxy that connects whoever asks to this port, whatever is asked for. */
const tunnel = (port: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: PlainServer; readonly asked: Array<string | undefined> }>((resume) => {
        const asked: Array<string | undefined> = []
        const server = createPlainServer()
        server.on("connect", (request, socket) => {
          asked.push(request.url)
          const other = connect(port, "127.0.0.1", () => {
            socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
            other.pipe(socket).pipe(other)
          })
          for (const end of [other, socket]) end.on("error", () => undefined)
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, asked })))
      }),
      ({ server }) => Effect.sync(() => void server.close())
    ),
    ({ asked, server }) => ({ asked, proxy: (server.address() as AddressInfo).port })
  )

const post = (url: string, env: Record<string, string>, headers: Record<string, string> = {}) =>
  HttpClient.HttpClient.pipe(
    Effect.flatMap((client) => client.post(url, { headers })),
    Effect.flatMap((response) => response.text),
    Effect.provide(HttpClientNode.layerOf(env))
  )

describe("HTTP through a proxy", () => {
  live("others are reached through it, this machine and those that it is not for directly", function* () {
    const answer = (text: string) => send(200, text)
    const proxy = yield* chatServer(answer("by proxy"))
    const server = yield* chatServer(answer("direct"))
    const address = proxy.url.replace("/v1", "")
    assert.strictEqual(yield* post("http://api.example.test/v1", { http_proxy: address }), "by proxy")
    assert.strictEqual(proxy.requests[0]?.path, "http://api.example.test/v1")
    for (const env of [
      { http_proxy: address },
      { HTTP_PROXY: address, NO_PROXY: "example.test" },
      { http_proxy: address, no_proxy: "" }
    ]) {
      assert.strictEqual(yield* post(server.url, env), "direct")
    }
    assert.strictEqual(yield* post(server.url.replace("127.0.0.1", "localhost"), { http_proxy: address }), "direct")
    assert.strictEqual(proxy.requests.length, 1)
    // without a scheme
    assert.strictEqual(
      yield* post("http://api.example.test/v1", { HTTP_PROXY: address.replace("http://", "") }),
      "by proxy"
    )
  })

  live("one that is not spoken to is told, and no server is asked past it", function* () {
    const told = yield* Effect.flip(post("http://api.example.test/v1", { ALL_PROXY: "socks5://127.0.0.1:1" }))
    assert.match(transportFault(causeOf(told), []).why, /^ALL_PROXY names a proxy by socks5, /)
  })
})

describe("certificates of the environment", () => {
  live("are trusted beside Node's own; a file that cannot be read is told", function* () {
    const url = yield* secureServer
    const answer = (env: Record<string, string>) =>
      Effect.match(post(url, env, { host: "weather.test" }), {
        onFailure: (error) => transportFault(causeOf(error), []).why,
        onSuccess: (text) => text
      })
    assert.match(yield* answer({}), /certificate/)
    assert.strictEqual(yield* answer({ SSL_CERT_FILE: pathOf("self-signed.pem") }), "secure")
    assert.match(yield* answer({ SSL_CERT_FILE: "/nowhere.pem" }), /^SSL_CERT_FILE cannot be read: .*\/nowhere.pem/)
  })

  live("are those of a server behind a proxy too, which only ever sees what is encrypted", function* () {
    const url = yield* secureServer
    const { asked, proxy } = yield* tunnel(Number(new URL(url).port))
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy}`, SSL_CERT_FILE: pathOf("self-signed.pem") }
    assert.strictEqual(yield* post("https://weather.test/v1", env), "secure")
    assert.deepStrictEqual(asked, ["weather.test:443"])
  })
})
