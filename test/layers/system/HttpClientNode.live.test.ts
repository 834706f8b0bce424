import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient } from "effect/http"
import * as HttpClientNode from "../../../src/layers/system/HttpClientNode.ts"
import { chatServer, send } from "../../support/headless/chatServer.ts"
import { live } from "../../support/run/effects.ts"

const post = (url: string, env: Record<string, string>) =>
  HttpClient.HttpClient.pipe(
    Effect.flatMap((client) => client.post(url)),
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
  })
})
