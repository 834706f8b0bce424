import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CliProcess } from "../../../src/programs/host/CliProcess.ts"
import * as HostedPty from "../../../src/programs/host/HostedPty.ts"
import * as Outbox from "../../../src/programs/host/Outbox.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { publisherOf, recorderOf } from "../../support/host/parts.ts"
import * as PtyFake from "../../support/fakes/PtyFake.ts"
import { effect } from "../../support/run/effects.ts"

const processes = Layer.effect(
  CliProcess,
  Effect.map(Pty, (pty) => ({
    start: (size, args) =>
      Effect.map(pty.spawn({ command: "cli", args, cwd: "/work", env: {}, size }), (handle) => ({
        ...handle,
        startedAt: 5_000
      }))
  }))
)
const session = Effect.gen(function* () {
  const publisher = yield* publisherOf()
  const context = yield* Layer.build(
    HostedPty.layer.pipe(
      Layer.provideMerge(Layer.provide(Outbox.layer, recorderOf().layer)),
      Layer.provide(processes),
      Layer.provideMerge(PtyFake.layer),
      Layer.provide(publisher.layer)
    )
  )
  return {
    pty: Context.get(context, HostedPty.HostedPty),
    outbox: Context.get(context, Outbox.Outbox),
    fake: Context.get(context, PtyFake.PtyFake),
    publisher
  }
})
const size = { cols: 80, rows: 24 }

describe("the hosted pseudo-terminal", () => {
  effect("is empty before the CLI is started, and takes no size then", function* () {
    const { fake, pty } = yield* session
    assert.isNull(pty.child())
    pty.resize({ cols: 1, rows: 1 })
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(fake.children(), [])
  })

  effect("takes the CLI's process as it is to be started; it is published, and gets what had waited", function* () {
    const { fake, outbox, pty, publisher } = yield* session
    outbox.write("first", "user")
    const child = yield* pty.start(size, [])
    outbox.write("second", "leap")
    yield* TestClock.adjust(1)
    const far = yield* fake.next
    assert.deepStrictEqual(far.options.size, size)
    assert.deepStrictEqual(far.writes(), ["first", "second"])
    assert.deepStrictEqual([child.pid, child.startedAt, pty.child()?.pid], [far.pid, 5_000, far.pid])
    assert.deepStrictEqual(publisher.pids, [far.pid])
    pty.resize({ cols: 100, rows: 30 })
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(far.sizes().at(-1), { cols: 100, rows: 30 })
  })

  effect("ends the CLI with the scope", function* () {
    const { fake, pty } = yield* session
    yield* Effect.scoped(pty.start(size, []))
    const far = yield* fake.next
    assert.deepStrictEqual([far.released(), far.signals()], [true, ["SIGHUP"]])
    assert.deepStrictEqual((yield* pty.child()!.exit).signal, "SIGHUP", "how it ended can still be asked for")
  })

  effect("stays empty when the CLI cannot be started", function* () {
    const { fake, pty, publisher } = yield* session
    yield* fake.failNext("no such file")
    assert.strictEqual((yield* Effect.flip(pty.start(size, []))).why, "no such file")
    assert.deepStrictEqual([pty.child(), publisher.pids], [null, []])
  })
})
