import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Webhook } from "../../../src/domain/store/settings/OutSettings.ts"
import { System } from "../../../src/services/System.ts"
import * as WebhooksNode from "../../../src/layers/outgoing/WebhooksNode.ts"
import { Webhooks } from "../../../src/services/Webhooks.ts"
import { httpReceiver, type Received } from "../../support/processes/httpReceiver.ts"
import { temporary } from "../../support/data/recordStore.ts"
import { live } from "../../support/run/effects.ts"

const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** A receiver on this machine, at an address that is a secret; null: it answers nothing. */
const serve = (answer: Parameters<typeof httpReceiver>[0]) =>
  Effect.map(httpReceiver(answer), ({ requests, url }) => ({ requests, url: `${url}/SECRET` }))

/** As a receiver checks a request: what it says, and why it is not taken. */
const checked = ({ body, headers }: Received, now: number): unknown => {
  const [id, at, given] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name]))
  if (Math.abs(now / 1_000 - Number(at)) > 300) return "too old"
  const own = createHmac("sha256", Buffer.from(key, "base64")).update(`${id}.${at}.${body}`).digest()
  const sent = Buffer.from(given!.replace(/^v1,/, ""), "base64")
  return own.length === sent.length && timingSafeEqual(own, sent) ? JSON.parse(body) : "not by leap"
}

const hook = (url: string, secret: Pick<Webhook, "secretEnv" | "secretFile">): Webhook => ({
  name: "ci",
  url,
  ...secret,
  texts: true
})
/** One attempt of a process with this environment. */
const post = (webhook: Webhook, id: string, body: string, env: Readonly<Record<string, string>>) =>
  Effect.flatMap(Webhooks, (webhooks) => webhooks.post(webhook, id, body)).pipe(
    Effect.provide(
      WebhooksNode.layer.pipe(
        Layer.provide(
          Layer.mock(System, { env, cwd: "/", pid: 1, version: "1", node: "24", platform: "linux", self: [] })
        )
      )
    )
  )
const inEnv = { secretEnv: "HOOK_SECRET" }
const env = { HOOK_SECRET: `whsec_${key}` }

describe("a webhook", () => {
  live("is posted to, signed so that a receiver can check it, and not repeated later or changed", function* () {
    const { requests, url } = yield* serve(() => ({ status: 204 }))
    const body = JSON.stringify({ type: "test", text: "ü€🎉" })
    const answer = yield* post(hook(url, inEnv), "test_1", body, env)
    assert.deepStrictEqual(answer, { status: 204, afterMs: null })
    const [request] = requests
    assert.strictEqual(request?.headers["content-type"], "application/json")
    assert.deepStrictEqual(checked(request!, Date.now()), JSON.parse(body))
    assert.strictEqual(checked(request!, Date.now() + 600_000), "too old")
    assert.strictEqual(checked({ ...request!, body: body.replace("test", "toast") }, Date.now()), "not by leap")
    const renamed = { ...request!.headers, "webhook-id": "test_2" }
    assert.strictEqual(checked({ ...request!, headers: renamed }, Date.now()), "not by leap")
  })

  live("has its secret in a file that is its owner's alone, read at each attempt", function* () {
    const { requests, url } = yield* serve(() => ({ status: 200 }))
    const dir = yield* temporary
    const file = path.join(dir, "secret")
    const attempt = Effect.map(
      Effect.exit(post(hook(url, { secretFile: "~/secret" }), "test_1", "{}", { HOME: dir })),
      String
    )
    assert.include(yield* attempt, "~/secret cannot be read (ENOENT)")
    fs.writeFileSync(file, `whsec_${key}\n`, { mode: 0o644 })
    assert.include(yield* attempt, "chmod 600")
    fs.chmodSync(file, 0o600)
    assert.include(yield* attempt, "Success")
    assert.deepStrictEqual(checked(requests[0]!, Date.now()), {})
    fs.writeFileSync(file, "")
    assert.include(yield* attempt, "there is no secret in")
    fs.writeFileSync(file, "short")
    assert.include(yield* attempt, "from 16 to 1024 are wanted")
    assert.lengthOf(requests, 1)
  })

  live("tells what it answered, and what it asks to wait; redirections are not followed", function* () {
    const answers = [
      { status: 429, headers: { "retry-after": "7" } },
      { status: 302, headers: { location: "/elsewhere" } },
      { status: 410 }
    ]
    const { requests, url } = yield* serve(() => answers.shift()!)
    const once = post(hook(url, inEnv), "test_1", "{}", env)
    assert.deepStrictEqual(yield* once, { status: 429, afterMs: 7_000 })
    assert.deepStrictEqual(yield* once, { status: 302, afterMs: null })
    assert.deepStrictEqual(yield* once, { status: 410, afterMs: null })
    assert.lengthOf(requests, 3)
  })

  live("that cannot be reached is told without its path or secret", function* () {
    const error = yield* Effect.flip(post(hook("http://127.0.0.1:1/SECRET", inEnv), "test_1", "{}", env))
    assert.strictEqual(error.message, "it cannot be reached")
    const missing = yield* Effect.flip(post(hook("http://127.0.0.1:1/SECRET", inEnv), "test_1", "{}", {}))
    assert.strictEqual(missing.message, "there is no secret in $HOOK_SECRET")
    const odd = yield* Effect.flip(
      post(hook("http://127.0.0.1:1/x", inEnv), "test_1", "{}", { HOOK_SECRET: "whsec_SECRET!" })
    )
    assert.notInclude(JSON.stringify([error, odd]), "SECRET!")
  })
})
