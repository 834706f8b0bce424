// What the user's own collector gets of a session, and what never leaves it.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { httpReceiver } from "../support/processes/httpReceiver.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"

/** A collector that takes all it is sent. */
const collector = httpReceiver(() => ({ status: 200, headers: { "content-type": "application/json" }, body: "{}" }))

const settle = (room: Room, settings: object): void => {
  fs.mkdirSync(room.env["LEAP_HOME"]!, { recursive: true })
  fs.writeFileSync(path.join(room.env["LEAP_HOME"]!, "settings.json"), JSON.stringify(settings))
}

/**
 * A session that takes one message, with what `leap doctor --json` tells of its host; then it is stopped. `isTold`: it
 * asks something before, until the user was told of that.
 */
const live = Effect.fnUntraced(function* (room: Room, isTold: (() => boolean) | null = null) {
  yield* startDemo(room, "one")
  if (isTold !== null) {
    yield* room.leap(["send", "one", "please write a file"])
    yield* eventually(isTold, "the user is told that it asks")
    yield* room.leap(["answer", "one", "1"])
  }
  yield* room.leap(["send", "one", "the word is pineapple"])
  yield* room.until("one", ({ queue, ready }) => ready && queue.every(({ status }) => status === "done"), "its answer")
  const { stdout } = yield* room.leap(["doctor", "--json"])
  yield* room.leap(["stop", "one"])
  const { hosts } = JSON.parse(stdout) as {
    readonly hosts: ReadonlyArray<{
      readonly tag: string
      readonly figures: ReadonlyArray<{ readonly name: string; readonly of: string | null; readonly value: number }>
    }>
  }
  return hosts
})

describe("a session's spans and figures", () => {
  it.live("go to the collector that the settings name, without a word of what was said or who is told", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom("0.02", { hosts: "apart" })
      Object.assign(room.env, { OTEL_EXPORTER_OTLP_HEADERS: "x-token=abc%20d" })
      const { requests, url } = yield* collector
      settle(room, { telemetry: `${url}/`, notify: { push: [{ url: `${url}/topic-secret` }] } })
      const hosts = yield* live(room, () => requests.some(({ url }) => url === "/topic-secret"))
      const [{ figures, tag } = assert.fail("no host tells")] = hosts
      assert.strictEqual(tag, "one")
      const value = (name: string, of: string | null) =>
        figures.find((figure) => figure.name === name && figure.of === of)?.value
      assert.strictEqual(value("leap.deliveries", "completed"), 2)
      assert.strictEqual(value("leap.queue.length", null), 0)
      assert.isAbove(value("leap.machine.events", "Signal") ?? 0, 2)
      assert.isAbove(value("leap.screen.look", null) ?? 0, 2)
      assert.isAbove(value("leap.signals", "hook Stop") ?? 0, 0)

      const sent = () => requests.filter(({ url }) => url !== "/topic-secret")
      const paths = () => new Set(sent().map(({ url }) => url))
      yield* eventually(() => paths().has("/v1/metrics") && paths().has("/v1/traces"), "both are sent")
      assert.deepStrictEqual([...paths()].toSorted(), ["/v1/metrics", "/v1/traces"])
      assert.isTrue(sent().every(({ headers }) => headers["x-token"] === "abc d"))
      const all = sent()
        .map(({ body }) => body)
        .join("\n")
      for (const name of ["leap.machine.events", "leap.deliveries", "leap.screen.look", "leap.session"])
        assert.include(all, `"${name}"`)
      for (const secret of ["pineapple", "topic-secret"]) assert.notInclude(all, secret)
    }).pipe(Effect.scoped)
  )

  it.live("stay where they are without that setting, whatever the environment says for the CLIs", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* collector
      const room = yield* makeRoom("0.02", { hosts: "apart" })
      Object.assign(room.env, { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: "otlp" })
      settle(room, {})
      const hosts = yield* live(room)
      assert.lengthOf(hosts, 1)
      yield* eventually(
        () => !fs.existsSync(path.join(room.session("one"), "host.sock")),
        "its host is gone, with all that it would have sent"
      )
      assert.deepStrictEqual(requests, [])
    }).pipe(Effect.scoped)
  )

  it.live("cost a session nothing where the collector does not answer, or its headers cannot be read", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom("0.02", { hosts: "apart" })
      settle(room, { telemetry: "http://127.0.0.1:9" })
      assert.lengthOf(yield* live(room), 1)
      yield* room.leap(["forget", "one"])
      Object.assign(room.env, { OTEL_EXPORTER_OTLP_HEADERS: "x-token=%E0%A4%A" })
      assert.lengthOf(yield* live(room), 1)
    }).pipe(Effect.scoped)
  )
})
