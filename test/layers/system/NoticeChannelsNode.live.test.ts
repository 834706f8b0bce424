import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { Notice } from "../../../src/domain/surfaces/notify/Notice.ts"
import type { PushTarget } from "../../../src/domain/store/settings/PushTarget.ts"
import * as NoticeChannelsNode from "../../../src/layers/system/NoticeChannelsNode.ts"
import { giveNotice, reachesNobody } from "../../../src/programs/client/giveNotice.ts"
import { NoticeChannels } from "../../../src/services/NoticeChannels.ts"
import { httpReceiver } from "../../support/processes/httpReceiver.ts"
import { each } from "../../support/data/fields.ts"
import { live } from "../../support/run/effects.ts"

const notice: Notice = {
  kind: "needs",
  tag: "one",
  title: "one needs you",
  text: "Write; $(touch x) `y` <b>?",
  options: [{ number: 1, label: "Yes" }]
}

/** A server on this machine, at an address that is a secret: what it was asked, and what it answers; null: nothing. */
const serve = (answer: (count: number) => number | null) =>
  Effect.map(
    httpReceiver((count) => {
      const status = answer(count)
      return status === null ? null : { status, headers: status === 302 ? { Location: "/elsewhere" } : {} }
    }),
    ({ requests, url }) => ({ requests, port: new URL(url).port, url: `${url}/SECRET` })
  )

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-notice-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

const channelsIn = (env: Readonly<Record<string, string>>, platform = "linux") =>
  NoticeChannelsNode.layerFrom(env, platform)
const give = (push: ReadonlyArray<PushTarget>, env: Readonly<Record<string, string>> = {}) =>
  giveNotice(notice, { desktop: false, push }).pipe(Effect.provide(channelsIn(env)))
const posted = (target: PushTarget, env: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(NoticeChannels, (channels) => channels.post(notice, target)).pipe(
    Effect.result,
    Effect.provide(channelsIn(env))
  )

describe("a notice", () => {
  describe("that is posted", () => {
    live("carries headers of the user's and a token from a file, which nothing else shows", function* () {
      const server = yield* serve(() => 200)
      const dir = yield* temporary
      fs.writeFileSync(path.join(dir, "token"), "tk_1\n", { mode: 0o600 })
      const target = { url: server.url, format: "ntfy", tokenFile: "~/token", headers: { "X-Key": "$KEY" } } as const
      assert.deepStrictEqual(yield* give([target], { HOME: dir, KEY: "k1" }), [
        { channel: `127.0.0.1:${server.port}`, why: null }
      ])
      const [{ body, headers, url } = assert.fail("no request")] = server.requests
      assert.strictEqual(url, "/SECRET")
      assert.deepInclude(headers, { authorization: "Bearer tk_1", "x-key": "k1", title: "one needs you" })
      assert.notProperty(headers, "traceparent")
      assert.strictEqual(body, "Write; $(touch x) `y` <b>?\n1. Yes")
      // without the variable, or the file, nothing goes out
      for (const env of [{ HOME: dir }, { HOME: "/nowhere", KEY: "k1" }] as const) {
        const result = yield* posted(target, env)
        assert.isTrue(Result.isFailure(result) && !result.failure.again)
      }
      assert.strictEqual(server.requests.length, 1)
    })

    live(
      "is posted again to a server that fails twice, and not to one that refuses it or sends elsewhere",
      function* () {
        const fails = yield* serve((count) => (count < 3 ? 500 : 200))
        const refuses = yield* serve(() => 403)
        const redirects = yield* serve(() => 302)
        const given = yield* give([fails, refuses, redirects].map(({ url }) => ({ url, format: "json" as const })))
        assert.deepStrictEqual(each(given, "why"), [null, "the server answered 403", "the server answered 302"])
        assert.deepStrictEqual(
          [fails, refuses, redirects].map(({ requests }) => requests.length),
          [3, 1, 1]
        )
        assert.notInclude(JSON.stringify(given), "SECRET")
      }
    )

    live("does not wait for one that hangs, or is down, longer than a few seconds", function* () {
      const hangs = yield* serve(() => null)
      const down = yield* Effect.scoped(serve(() => 200))
      const results = yield* Effect.all(
        [hangs, down].map(({ url }) => posted({ url, format: "ntfy" })),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(
        results.map((result) => (Result.isFailure(result) ? [result.failure.why, result.failure.again] : null)),
        [
          ["the server did not answer in time", true],
          ["the server cannot be reached", true]
        ]
      )
      assert.notInclude(JSON.stringify(results), "SECRET")
    })
  })

  describe("on a desktop", () => {
    const desktop = (env: Readonly<Record<string, string>>, platform?: string) =>
      Effect.flatMap(NoticeChannels, (channels) => channels.desktop(notice)).pipe(
        Effect.result,
        Effect.provide(channelsIn(env, platform))
      )
    /** A program that writes down what it is given. */
    const scripted = (dir: string, name: string, more = "") => {
      fs.writeFileSync(path.join(dir, name), `#!/bin/sh\nprintf '%s\\0' "$@" > '${dir}/${name}.args'\n${more}\n`, {
        mode: 0o755
      })
      return () =>
        fs
          .readFileSync(path.join(dir, `${name}.args`), "utf8")
          .split("\0")
          .slice(0, -1)
    }

    live("is given to its program in arguments of its own, that no shell and no markup reads", function* () {
      const dir = yield* temporary
      const linux = scripted(dir, "notify-send")
      const mac = scripted(dir, "osascript")
      const env = { PATH: `${dir}:/usr/bin:/bin`, DISPLAY: ":9" }
      assert.isTrue(Result.isSuccess(yield* desktop(env)))
      assert.deepStrictEqual(linux(), [
        "--app-name=leap",
        "--urgency=critical",
        "--",
        "one needs you",
        "Write; $(touch x) `y` &lt;b&gt;?\n1. Yes"
      ])
      assert.isTrue(Result.isSuccess(yield* desktop({ PATH: env.PATH }, "darwin")))
      assert.deepStrictEqual(mac().slice(-2), ["one needs you", "Write; $(touch x) `y` <b>?\n1. Yes"])
    })

    live("is given unasked where the session was started on one that shows it", function* () {
      const dir = yield* temporary
      const has = (env: Readonly<Record<string, string>>, platform?: string) =>
        Effect.map(reachesNobody({ desktop: "auto", push: [] }), (nobody) => nobody === null).pipe(
          Effect.provide(channelsIn(env, platform))
        )
      assert.isFalse(yield* has({ PATH: dir, DISPLAY: ":9" }), "no program shows it")
      const linux = scripted(dir, "notify-send")
      const mac = scripted(dir, "osascript")
      const far = { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }
      const places: ReadonlyArray<readonly [env: Readonly<Record<string, string>>, shows: boolean, system?: string]> = [
        [{ PATH: dir, DISPLAY: ":9" }, true],
        [{ PATH: `:/nowhere:${dir}`, WAYLAND_DISPLAY: "w" }, true],
        [{ PATH: dir }, false],
        [{ PATH: dir, DISPLAY: ":9", ...far }, false],
        [{ PATH: dir }, true, "darwin"],
        [{ PATH: dir, ...far }, false, "darwin"]
      ]
      for (const [env, shows, system] of places) {
        assert.strictEqual(yield* has(env, system), shows, JSON.stringify(env))
        const given = giveNotice(notice, { desktop: "auto", push: [] }).pipe(Effect.provide(channelsIn(env, system)))
        assert.deepStrictEqual(yield* given, shows ? [{ channel: "desktop", why: null }] : [])
      }
      assert.deepStrictEqual([linux().at(-2), mac().at(-2)], ["one needs you", "one needs you"])
    })

    live("says why it is not shown", function* () {
      const dir = yield* temporary
      const why = (env: Readonly<Record<string, string>>) =>
        Effect.map(desktop(env), (result) => (Result.isFailure(result) ? result.failure.why : ""))
      assert.match(yield* why({ PATH: dir }), /on no desktop/)
      assert.match(yield* why({ PATH: dir, DISPLAY: ":9" }), /notify-send is not installed/)
      scripted(dir, "notify-send", "exit 3")
      assert.match(yield* why({ PATH: `${dir}:/usr/bin:/bin`, DISPLAY: ":9" }), /exit code 3/)
    })
  })
})
