import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Queue, Ref, Schema, Stream, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import { demoMessages } from "../../../src/domain/providers/demo/Show.ts"
import type { MessageStatus } from "../../../src/domain/words/session/Message.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { type DemoHost, type DemoTerminal, playDemo } from "../../../src/programs/demo/demo.ts"
import { Output } from "../../../src/services/Output.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { effect } from "../../support/run/effects.ts"

class HostError extends Schema.TaggedError<HostError>()("HostError", { message: Schema.String }) {}

/** A session in which each message takes a second; the second one waits for an answer. */
const makeHost = Effect.gen(function* () {
  const status = yield* SubscriptionRef.make(sessionStatus({ state: "starting" }))
  const did = yield* Ref.make<ReadonlyArray<string>>([])
  const answered = yield* Queue.unbounded<string>()
  const note = (what: string) => Ref.update(did, (all) => [...all, what])
  const change = (state: SessionStatus["state"], id?: string, step?: MessageStatus) =>
    SubscriptionRef.update(status, (now) => ({
      ...now,
      state,
      queue: now.queue.map((message) =>
        message.id === id && step !== undefined ? { ...message, status: step } : message
      )
    }))
  const deliver = Effect.fnUntraced(function* (id: string) {
    for (const step of ["typed", "submitted", "started"] as const) yield* change("running", id, step)
    yield* Effect.sleep("1 second")
    if (id === "2") {
      yield* change("needs_permission")
      yield* Queue.take(answered)
    }
    yield* change("idle", id, "done")
  })
  yield* Effect.sleep("1 second").pipe(
    Effect.andThen(Effect.forEach(demoMessages, (_, i) => deliver(String(i + 1)), { discard: true })),
    Effect.forkScoped
  )
  const host: DemoHost<HostError> = {
    tag: "demo",
    send: (text) =>
      SubscriptionRef.modify(status, (now) => {
        const id = String(now.queue.length + 1)
        const queue = [
          ...now.queue,
          { id, text, images: [], queuedAt: "", status: "queued" as const, force: false, why: null }
        ]
        return [id, { ...now, queue }]
      }).pipe(Effect.tap((id) => note(`send ${id}`))),
    answer: (answer) => Effect.andThen(note(`answer ${answer}`), Queue.offer(answered, answer)),
    watch: SubscriptionRef.changes(status),
    screen: Effect.map(SubscriptionRef.get(status), ({ state }) => `the CLI is ${state}`)
  }
  return { host, did: Ref.get(did), status }
})

const makeOutput = Effect.gen(function* () {
  const lines = yield* Ref.make<ReadonlyArray<string>>([])
  const raw = yield* Ref.make("")
  const layer = Layer.succeed(Output, {
    isTerminal: false,
    inputIsTerminal: false,
    piped: Effect.succeed(""),
    errorIsTerminal: false,
    outputClosed: Effect.never,
    sharedWith: Effect.succeed(null),
    colour: false,
    columns: Effect.succeed(80),
    line: (text) => Ref.update(lines, (all) => [...all, text]),
    raw: (text) => Ref.update(raw, (all) => all + text),
    note: () => Effect.void,
    stdin: Effect.succeed(""),
    stdinText: Stream.empty
  })
  return { layer, text: Effect.map(Ref.get(lines), (all) => all.join("\n")), raw: Ref.get(raw) }
})

/** Plays until it ends by itself, a second of test time after another. */
const play = Effect.fnUntraced(function* (
  host: DemoHost<HostError>,
  terminal: Option.Option<DemoTerminal>,
  layer: Layer.Layer<Output>
) {
  const fiber = yield* playDemo(host, { terminal, pace: 1 }).pipe(Effect.provide(layer), Effect.forkChild)
  for (let i = 0; i < 150 && fiber.pollUnsafe() === undefined; i++) {
    yield* Effect.repeat(Effect.yieldNow, { times: 20 })
    yield* TestClock.adjust("1 second")
  }
  return yield* Fiber.join(fiber)
})

describe("leap demo", () => {
  effect("plain lines: three messages delivered, the dialog answered", function* () {
    const { did, host } = yield* makeHost
    const output = yield* makeOutput
    assert.strictEqual(yield* play(host, Option.none(), output.layer), 0)
    assert.deepStrictEqual(yield* did, ["send 1", "send 2", "send 3", "answer 1"])
    const text = yield* output.text
    for (const said of [
      "● starting",
      "● running",
      "● needs permission",
      "answered for you: 1",
      "message 3 done",
      "all three were delivered"
    ]) {
      assert.include(text, said)
    }
    assert.isBelow(text.indexOf("answered for you"), text.indexOf("message 3 typed"))
  })

  effect(
    "on a terminal: draws the CLI's screen, takes the user's answer, restores the terminal, then prints the story",
    function* () {
      const { did, host, status } = yield* makeHost
      const output = yield* makeOutput
      const keys = SubscriptionRef.changes(status).pipe(
        Stream.filter(({ state }) => state === "needs_permission"),
        Stream.mapEffect(() => Effect.as(Effect.sleep("1 second"), "2"))
      )
      const terminal = { size: Effect.succeed({ cols: 80, rows: 24 }), keys }
      assert.strictEqual(yield* play(host, Option.some(terminal), output.layer), 0)
      assert.include(yield* did, "answer 2")
      assert.notInclude(yield* did, "answer 1")
      const raw = yield* output.raw
      assert.include(raw, "the CLI is needs_permission")
      assert.include(raw, "● running")
      assert.isTrue(raw.endsWith("\u001b[?1049l"))
      assert.include(yield* output.text, "you answered: 2")
    }
  )

  effect("Ctrl+C ends the show", function* () {
    const { host } = yield* makeHost
    const output = yield* makeOutput
    const terminal = { size: Effect.succeed({ cols: 80, rows: 24 }), keys: Stream.make("\u0003") }
    assert.strictEqual(yield* play(host, Option.some(terminal), output.layer), 130)
    assert.isTrue((yield* output.raw).endsWith("\u001b[?1049l"))
  })

  effect("a host that fails is said, and the exit code is 1", function* () {
    const { host } = yield* makeHost
    const output = yield* makeOutput
    const broken = { ...host, send: () => Effect.fail(new HostError({ message: "the host went away" })) }
    assert.strictEqual(yield* play(broken, Option.none(), output.layer), 1)
    assert.include(yield* output.text, "the host went away")
  })
})
