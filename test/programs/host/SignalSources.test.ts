import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { PermissionResponder } from "../../../src/programs/host/PermissionResponder.ts"
import type { HostedChild } from "../../../src/programs/host/CliProcess.ts"
import * as SignalSources from "../../../src/programs/host/SignalSources.ts"
import { UsageTracker } from "../../../src/programs/host/UsageTracker.ts"
import { noUsageView } from "../../../src/programs/host/sessionStatus.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import * as FileTailFake from "../../support/host/FileTailFake.ts"
import * as HookInboxFake from "../../support/host/HookInboxFake.ts"
import { commandOf, contextOf, pathsOf, publisherOf, recorderOf, RuntimeFake } from "../../support/host/parts.ts"
import * as SystemFake from "../../support/host/SystemFake.ts"
import { effect } from "../../support/run/effects.ts"

const spool = pathsOf("one").spool
const child = { pid: 9, startedAt: 0 } as HostedChild
const signal = { _tag: "Ignored", why: "test" } as const

/** A CLI in which every source says one thing, and only lines with a mark are worth a word. */
const provider = {
  ...claude,
  detection: {
    ...claude.detection,
    readHook: () => [signal],
    readOwnStatus: () => [signal, signal],
    readTranscript: (line: unknown) => (JSON.stringify(line)?.includes("mark") ? [signal] : [])
  }
}

const session = Effect.gen(function* () {
  const runtime = new RuntimeFake()
  const recorder = recorderOf()
  const publisher = yield* publisherOf({ sessionId: null, transcriptPath: null })
  const order: Array<string> = []
  const context = yield* Layer.build(
    SignalSources.layer.pipe(
      Layer.provideMerge([FileTailFake.layer, HookInboxFake.layer, SystemFake.layer]),
      Layer.provide([
        contextOf(),
        commandOf({ HOME: "/home/me" }),
        runtime.layer,
        recorder.layer,
        publisher.layer,
        Layer.succeed(CLIProvider, provider),
        Layer.succeed(PermissionResponder, {
          onHook: ({ event }) => Effect.sync(() => void order.push(`approvals ${event} ${runtime.events.length}`)),
          placed: Effect.void,
          asked: Effect.succeed({ dialog: null, request: null, kept: null }),
          answered: () => Effect.void,
          execute: () => Effect.succeed(null)
        }),
        Layer.succeed(UsageTracker, {
          view: () => noUsageView,
          views: Stream.empty,
          onHook: ({ event }) => void order.push(`usage ${event} ${runtime.events.length}`),
          flush: Effect.void,
          follow: Effect.void
        })
      ])
    )
  )
  yield* Context.get(context, SignalSources.SignalSources).follow(child)
  yield* TestClock.adjust(1)
  return {
    events: Effect.map(TestClock.adjust(1), () =>
      runtime.take().map((event) => (event._tag === "Signal" ? `${event.source}: ${event.signal._tag}` : event._tag))
    ),
    inbox: Context.get(context, HookInboxFake.HookInboxFake),
    notes: () => recorder.notes.splice(0),
    order,
    publisher,
    system: Context.get(context, SystemFake.SystemFake),
    tail: Context.get(context, FileTailFake.FileTailFake)
  }
})

describe("what a CLI reports of itself", () => {
  effect("in a hook goes to approvals and usage first, then to record and machine", function* () {
    const { events, inbox, notes, order } = yield* session
    yield* inbox.call(spool, "Stop", { a: 1 })
    assert.deepStrictEqual(yield* events, ["hook Stop: Ignored"])
    assert.deepStrictEqual(notes(), ['m hook:Stop {"a":1}'])
    assert.deepStrictEqual(order, ["approvals Stop 0", "usage Stop 0"])
  })

  effect("in a hook of another process inside it is recorded, and says nothing of the session", function* () {
    const { events, inbox, notes } = yield* session
    yield* inbox.call(spool, "Stop", { a: 1 }, { nested: true })
    assert.deepStrictEqual(yield* events, [])
    assert.deepStrictEqual(notes(), ['m nested:Stop {"a":1}'])
  })

  effect(
    "of what it is about to write is published, whatever its paths are relative to; of what it reads nothing",
    function* () {
      const { events, inbox, publisher } = yield* session
      const about = (tool: string, file: string) => ({
        tool_name: tool,
        tool_input: { file_path: file },
        cwd: "/work"
      })
      yield* inbox.call(spool, "PreToolUse", about("Read", "/work/r.ts"))
      yield* inbox.call(spool, "PreToolUse", about("Edit", "a.ts"), { nested: true })
      yield* inbox.call(spool, "PostToolUse", about("Edit", "done.ts"))
      yield* events
      assert.deepStrictEqual(publisher.writes, [])
      yield* inbox.call(spool, "PreToolUse", about("Edit", "a.ts"))
      yield* inbox.call(spool, "PermissionRequest", about("Write", "/work/b.ts"))
      yield* events
      assert.deepStrictEqual(
        publisher.writes.map((writes) => writes.map(({ path }) => path)),
        [["/work/a.ts"], ["/work/a.ts", "/work/b.ts"]]
      )
    }
  )

  effect("in its own status file is taken at each change", function* () {
    const { events, notes, system } = yield* session
    yield* system.setOwnStatus({ state: "busy" })
    assert.deepStrictEqual(yield* events, ["session file: Ignored", "session file: Ignored"])
    assert.deepStrictEqual(notes(), ['m session:{"state":"busy"}'])
  })

  effect("in its transcript is taken from the present one, as far as it says anything", function* () {
    const { events, notes, publisher, tail } = yield* session
    yield* tail.append("/t", '{"mark":"before anybody follows"}')
    yield* publisher.set({ transcriptPath: "/t" })
    yield* TestClock.adjust(1)
    yield* tail.append("/t", '{"mark":1}', '{"talk":1}', "{ no json")
    assert.deepStrictEqual(yield* events, ["transcript: Ignored"])
    assert.deepStrictEqual(notes(), ['m transcript:{"mark":1}'])
    yield* publisher.set({ transcriptPath: "/other" })
    yield* TestClock.adjust(1)
    yield* tail.append("/t", '{"mark":2}')
    yield* tail.append("/other", '{"mark":3}')
    assert.deepStrictEqual(yield* events, ["transcript: Ignored"])
    assert.deepStrictEqual(notes(), ['m transcript:{"mark":3}'])
  })
})
