import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Queue, Semaphore, Stream } from "effect"
import { TestClock } from "effect/testing"
import { make as makeSocket, type Reader, SocketCloseError, SocketError } from "effect/socket/Socket"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { runPage } from "../../../src/programs/web/page.ts"
import { WebSessions } from "../../../src/programs/web/WebSessions.ts"
import type { System } from "../../../src/services/System.ts"
import { effectWith } from "../../support/run/effects.ts"

const closed = new SocketError({ reason: new SocketCloseError({ code: 1006 }) })

/** A page's socket: what it sends is given, and nothing can be written once it is closed. */
const makePage = Effect.gen(function* () {
  const frames = yield* Queue.unbounded<string, SocketError>()
  let isOpen = true
  const written: Array<string> = []
  const write = (chunk: unknown) =>
    Effect.suspend(() =>
      isOpen
        ? Effect.sync(() => void written.push(typeof chunk === "string" ? chunk : JSON.stringify(chunk)))
        : Effect.fail(closed)
    )
  const reader: Reader = { pull: Queue.takeAll(frames), upgrade: () => Effect.void }
  return {
    written,
    send: (frame: object) => Queue.offer(frames, JSON.stringify(frame)),
    leave: Effect.suspend(() => {
      isOpen = false
      return Queue.fail(frames, closed)
    }),
    socket: makeSocket({
      reader: Effect.succeed(reader),
      writer: Effect.succeed({ write, writeAll: (all) => Effect.forEach(all, write, { discard: true }) })
    })
  }
})

const layer = Layer.merge(
  Layer.succeed(WebSessions, { frames: Stream.never }),
  SystemNode.layerWith({ version: "0.1.0", self: [] })
)

/** A page that has begun, whose wishes wait until `open`. */
const begin = Effect.gen(function* () {
  const page = yield* makePage
  const open = yield* Latch.make(false)
  const begun: Array<string> = []
  const granted: Array<string> = []
  const run = runPage(page.socket, {
    rights: ["manage"],
    wishes: {
      names: ["Resume"],
      grant: (tag) =>
        Effect.gen(function* () {
          begun.push(tag)
          yield* open.await
          granted.push(tag)
          return {}
        })
    },
    isKey: () => Effect.succeed(true),
    isKnown: Effect.succeed(true),
    pushes: {
      state: Effect.succeed({ _tag: "Pong" }),
      subscribe: () => Effect.succeed(""),
      unsubscribe: Effect.succeed(""),
      test: Effect.succeed("")
    },
    places: yield* Semaphore.make(1),
    scope: yield* Effect.scope
  })
  // no call of a session is asked for, so that none of the services is used
  const fiber = yield* Effect.forkChild(run as Effect.Effect<void, unknown, WebSessions | System>)
  yield* page.send({ _tag: "Begin", key: "k" })
  const wish = (tag: string) => page.send({ _tag: "Call", id: 1, tag, call: { _tag: "Resume" } })
  return { ...page, begun, fiber, granted, open, wish }
})

const tags = Array.from({ length: 20 }, (_, i) => `s${i}`)

describe("what a page has asked for", () => {
  effectWith(layer)("is done when it leaves, also what waits behind the rest, and what is unread yet", function* () {
    const page = yield* begin
    for (const tag of tags.slice(0, 12)) yield* page.wish(tag)
    yield* Effect.yieldNow
    for (const tag of tags.slice(12)) yield* page.wish(tag)
    yield* page.leave
    yield* Fiber.await(page.fiber)
    assert.deepStrictEqual(page.granted, [])
    yield* page.open.open
    yield* TestClock.adjust("1 second")
    assert.sameMembers(page.granted, tags)
  })

  effectWith(layer)("is done as far as it runs when the page is given up, and no further", function* () {
    const page = yield* begin
    for (const tag of tags) yield* page.wish(tag)
    yield* Effect.repeat(Effect.yieldNow, { until: () => page.begun.length > 0 })
    yield* Effect.repeat(Effect.yieldNow, { times: 100 })
    const running = [...page.begun]
    assert.isBelow(running.length, tags.length)
    yield* page.send({ _tag: "Begin", key: "k" })
    yield* Fiber.await(page.fiber)
    yield* page.open.open
    yield* TestClock.adjust("1 second")
    assert.sameMembers(page.granted, running)
    assert.sameMembers(page.begun, running)
    assert.include(page.written.at(-1), "it began twice")
  })
})
