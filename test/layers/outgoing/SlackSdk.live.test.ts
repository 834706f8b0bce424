import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Queue, Stream } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { lineMessage } from "../../../src/domain/surfaces/outgoing/slackMessage.ts"
import type { SlackSettings } from "../../../src/domain/store/settings/OutSettings.ts"
import * as SlackLazy from "../../../src/layers/outgoing/SlackLazy.ts"
import { Slack, type SlackDelivery } from "../../../src/services/Slack.ts"
import { System } from "../../../src/services/System.ts"
import { temporary } from "../../support/data/recordStore.ts"
import { serveSlack, type SlackAnswer } from "../../support/out/slackServer.ts"
import { patience } from "../../support/run/patience.ts"
import { live } from "../../support/run/effects.ts"
import { rowsOf } from "../../support/data/fields.ts"

const settings: SlackSettings = {
  channel: "C01",
  users: ["U01"],
  botTokenEnv: "SLACK_BOT_TOKEN",
  appTokenEnv: "SLACK_APP_TOKEN",
  texts: true
}
const tokens = { SLACK_BOT_TOKEN: "xoxb-BOTSECRET", SLACK_APP_TOKEN: "xapp-APPSECRET" }

const systemWith = (env: Readonly<Record<string, string>>) =>
  Layer.mock(System, { env, cwd: "/", pid: 1, version: "1", node: "24", platform: "linux", self: [] })

/** A channel as a process with this environment has it. */
const open = (own: SlackSettings, env: Readonly<Record<string, string>>) =>
  Effect.flatMap(Slack, (slack) => slack.open(own)).pipe(
    Effect.provide(SlackLazy.layer.pipe(Layer.provide(systemWith(env))))
  )

/** A channel of a Slack on this machine. */
const connected = Effect.fnUntraced(function* (answer?: Parameters<typeof serveSlack>[0]) {
  const slack = yield* serveSlack(answer)
  return { slack, channel: yield* open(settings, { ...tokens, LEAP_SLACK_API_URL: slack.url }) }
})

const reply = (ts: string, text: string) => ({
  event: { type: "message", channel: "C01", ts, thread_ts: "1.0", user: "U01", text }
})

describe("Slack, by its own libraries", () => {
  live("is posted to, told changes, and told one person alone, with the bot's token", function* () {
    const { channel, slack } = yield* connected()
    assert.strictEqual(yield* channel.post(null, lineMessage("<!channel> one")), "1700000001.000100")
    yield* channel.post("1.0", lineMessage("two"))
    yield* channel.update("2.0", lineMessage("three"))
    yield* channel.whisper("1.0", "U01", lineMessage("four"))
    yield* channel.react("2.0", "inbox_tray")
    const [first, second] = slack.of("chat.postMessage")
    assert.deepInclude(first?.form, {
      channel: "C01",
      text: "&lt;!channel&gt; one",
      parse: "none",
      link_names: "false",
      unfurl_links: "false",
      unfurl_media: "false"
    })
    assert.deepStrictEqual(JSON.parse(first?.form["blocks"] ?? ""), lineMessage("<!channel> one").blocks)
    assert.notProperty(first?.form, "thread_ts")
    assert.strictEqual(second?.form["thread_ts"], "1.0")
    assert.deepInclude(slack.of("chat.update")[0]?.form, { channel: "C01", ts: "2.0", text: "three" })
    assert.deepInclude(slack.of("chat.postEphemeral")[0]?.form, { user: "U01", thread_ts: "1.0", text: "four" })
    assert.deepInclude(slack.of("reactions.add")[0]?.form, { channel: "C01", timestamp: "2.0", name: "inbox_tray" })
    for (const { authorization } of slack.calls) assert.strictEqual(authorization, "Bearer xoxb-BOTSECRET")
  })

  live("is asked once a call, and what it says is told without the tokens", function* () {
    const answers: Array<SlackAnswer | null> = [
      { status: 429, headers: { "retry-after": "30" } },
      { body: { ok: false, error: "invalid_auth" } },
      { body: { ok: false, error: "xoxb-BOTSECRET is <wrong>" } },
      { status: 503 },
      null
    ]
    const { channel, slack } = yield* connected(() => answers.shift()!)
    const failing = Effect.flip(channel.post("1.0", lineMessage("one")))
    const told = [yield* failing, yield* failing, yield* failing, yield* failing, yield* failing]
    assert.deepStrictEqual(rowsOf(told, "kind", "code", "afterMs"), [
      ["limited", "ratelimited", 30_000],
      ["refused", "invalid_auth", null],
      ["refused", "unknown_error", null],
      ["down", null, null],
      ["down", null, null]
    ])
    assert.lengthOf(slack.calls, 5)
    assert.notInclude(JSON.stringify(told) + told.map(String).join(""), "SECRET")
  })

  it.live("tells what people do until it closes the connection, and hears what was acknowledged", () =>
    Effect.gen(function* () {
      const { channel, slack } = yield* connected()
      const seen = yield* Queue.unbounded<SlackDelivery>()
      let opened = 0
      const listening = yield* Effect.scoped(
        Effect.flatMap(channel.listen(Effect.sync(() => void opened++)), (deliveries) =>
          Stream.runForEach(deliveries, (delivery) => Queue.offer(seen, delivery))
        )
      ).pipe(Effect.forkScoped)
      while (opened === 0) yield* Effect.sleep("5 millis")
      assert.strictEqual(slack.of("apps.connections.open")[0]?.authorization, "Bearer xapp-APPSECRET")
      slack.send("E0", "events_api", { event: { type: "reaction_added" } })
      slack.send("E1", "events_api", reply("2.0", "hello &amp; more"))
      const first = yield* Queue.take(seen)
      assert.deepInclude(first.incoming, { _tag: "Reply", text: "hello & more", thread: "1.0" })
      // what is nothing to leap is acknowledged at once, the rest when it is done
      while (slack.acknowledged.length === 0) yield* Effect.sleep("5 millis")
      assert.deepStrictEqual(slack.acknowledged, ["E0"])
      yield* first.acknowledge
      while (slack.acknowledged.length === 1) yield* Effect.sleep("5 millis")
      assert.deepStrictEqual(slack.acknowledged, ["E0", "E1"])
      slack.refresh()
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(listening)))
      assert.strictEqual(yield* Queue.size(seen), 0)
    }).pipe(Effect.scoped, Effect.timeout(patience))
  )

  it.live("ends what is listened to when the connection breaks, and is listened to anew", () =>
    Effect.gen(function* () {
      const { channel, slack } = yield* connected()
      for (const times of [1, 2]) {
        let opened = false
        const listening = yield* Effect.scoped(
          Effect.flatMap(channel.listen(Effect.sync(() => void (opened = true))), Stream.runDrain)
        ).pipe(Effect.forkScoped)
        while (!opened) yield* Effect.sleep("5 millis")
        assert.strictEqual(slack.connections(), times)
        slack.cut()
        yield* Fiber.await(listening)
      }
    }).pipe(Effect.scoped, Effect.timeout(patience))
  )

  live("cannot be listened to where it refuses, or is not there", function* () {
    const answers: Array<SlackAnswer | null> = [{ body: { ok: false, error: "not_allowed_token_type" } }, null]
    const { channel } = yield* connected(() => answers.shift()!)
    const failing = Effect.flip(Effect.scoped(channel.listen(Effect.void)))
    assert.deepInclude(yield* failing, { kind: "refused", code: "not_allowed_token_type" })
    assert.deepInclude(yield* failing, { kind: "down" })
  })

  live("has its tokens in files that are their owner's alone", function* () {
    const dir = yield* temporary
    const file = path.join(dir, "bot")
    fs.writeFileSync(file, "xoxb-BOTSECRET\n", { mode: 0o640 })
    const own = { ...settings, botTokenFile: file }
    const error = yield* Effect.flip(open(own, tokens))
    assert.strictEqual(error.kind, "missing")
    assert.include(error.message, `chmod 600 ${file}`)
    const missing = yield* Effect.flip(open(settings, { SLACK_BOT_TOKEN: "xoxb-1" }))
    assert.include(missing.message, "the app's token: there is no secret in $SLACK_APP_TOKEN")
    fs.chmodSync(file, 0o600)
    const slack = yield* serveSlack()
    const channel = yield* open(own, { ...tokens, SLACK_BOT_TOKEN: "", LEAP_SLACK_API_URL: slack.url })
    yield* channel.post(null, lineMessage("one"))
    assert.strictEqual(slack.calls[0]?.authorization, "Bearer xoxb-BOTSECRET")
  })
})
