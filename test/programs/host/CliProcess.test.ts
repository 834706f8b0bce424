import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { defaultSettings, type Settings } from "../../../src/domain/store/settings/Settings.ts"
import * as CliProcess from "../../../src/programs/host/CliProcess.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import * as DiskFake from "../../support/host/DiskFake.ts"
import * as HookInboxFake from "../../support/host/HookInboxFake.ts"
import * as SystemFake from "../../support/host/SystemFake.ts"
import { commandOf, contextOf, pathsOf } from "../../support/host/parts.ts"
import * as PtyFake from "../../support/fakes/PtyFake.ts"
import { effect } from "../../support/run/effects.ts"

const size = { cols: 80, rows: 24 }
const { spool } = pathsOf("one")

/** A session whose CLI's process has been started ahead; `fails`: why it could not be. */
const session = Effect.fnUntraced(function* (
  start: { readonly settings?: Partial<Settings>; readonly fails?: string; readonly waitForViewer?: boolean } = {}
) {
  const world = yield* Layer.build(Layer.mergeAll(PtyFake.layer, DiskFake.layer, HookInboxFake.layer, SystemFake.layer))
  const fake = Context.get(world, PtyFake.PtyFake)
  if (start.settings !== undefined) yield* Context.get(world, SystemFake.SystemFake).setSettings(start.settings)
  if (start.fails !== undefined) yield* fake.failNext(start.fails)
  yield* TestClock.setTime(5_000)
  const cli = Context.get(
    yield* Layer.build(
      CliProcess.layer.pipe(
        Layer.provide(Layer.succeedContext(world)),
        Layer.provide([
          contextOf({ cwd: "/work", waitForViewer: start.waitForViewer ?? true, ...size }),
          commandOf({ HOME: "/h" }),
          Layer.succeed(CLIProvider, demo)
        ])
      )
    ),
    CliProcess.CliProcess
  )
  return {
    cli,
    fake,
    disk: Context.get(world, DiskFake.DiskFake),
    hooks: Context.get(world, HookInboxFake.HookInboxFake)
  }
})

describe("the process of a session's CLI", () => {
  effect("is started ahead and registered; who starts it takes it, with what it has written", function* () {
    const { cli, disk, fake } = yield* session()
    const far = yield* fake.next
    assert.deepStrictEqual(far.options, { command: "cli", args: [], cwd: "/work", env: { HOME: "/h" }, size })
    assert.deepStrictEqual([...disk.pids], [[far.pid, spool]])
    yield* far.print("early")
    yield* TestClock.adjust("1 second")
    const child = yield* cli.start(size, [])
    assert.deepStrictEqual([child.pid, child.startedAt, fake.children().length], [far.pid, 5_000, 1])
    const seen: Array<string> = []
    yield* Effect.forkScoped(child.follow((chunk) => void seen.push(Buffer.from(chunk).toString())))
    yield* TestClock.adjust(1)
    assert.deepStrictEqual([seen, far.sizes()], [["early"], [size]])
  })

  effect("is started with the rest of the host where no terminal waits for it", function* () {
    const { cli, fake, hooks } = yield* session({ waitForViewer: false })
    assert.deepStrictEqual([fake.children(), hooks.deciding(spool)], [[], []])
    const child = yield* cli.start(size, ["--flag"])
    assert.deepStrictEqual((yield* fake.next).options.args, ["--flag"])
    assert.strictEqual(child.startedAt, 5_000)
  })

  effect("has the size of the terminal that has come meanwhile", function* () {
    const { cli, fake } = yield* session()
    yield* cli.start({ cols: 100, rows: 30 }, [])
    assert.deepStrictEqual((yield* fake.next).sizes().at(-1), { cols: 100, rows: 30 })
  })

  effect("ends with the scope that took it, and is forgotten; the next is started anew", function* () {
    const { cli, disk, fake } = yield* session()
    yield* Effect.scoped(cli.start(size, ["--flag"]))
    const first = yield* fake.next
    assert.deepStrictEqual([first.released(), disk.pids.size], [true, 0])
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* cli.start(size, ["--bare"])
        assert.deepStrictEqual((yield* fake.next).options.args, ["--bare"])
        assert.strictEqual(disk.pids.size, 1)
      })
    )
    assert.strictEqual(disk.pids.size, 0)
  })

  effect("ends with the session where nobody has taken it", function* () {
    const fake = yield* Effect.scoped(Effect.map(session(), ({ fake }) => fake))
    assert.deepStrictEqual(
      fake.children().map((child) => child.released()),
      [true]
    )
  })

  effect("that cannot be started says why to who starts it", function* () {
    const { cli, disk } = yield* session({ fails: "no such file" })
    assert.strictEqual((yield* Effect.flip(Effect.scoped(cli.start(size, [])))).why, "no such file")
    assert.strictEqual(disk.pids.size, 0)
    yield* cli.start(size, [])
  })

  effect("holds each hook that may get a decision, whatever the mode, before it runs", function* () {
    const { hooks } = yield* session()
    const decided = demo.permissions.decisions.filter(({ verdicts }) => verdicts.includes("allow"))
    assert.isAtLeast(decided.length, 1)
    assert.deepStrictEqual(
      hooks.deciding(spool),
      decided.map(({ event }) => event)
    )
    const strict = yield* session({
      settings: { policy: { ...defaultSettings.policy, deny: [{ command: "rm *" }] } }
    })
    assert.deepStrictEqual(
      strict.hooks.deciding(spool),
      demo.permissions.decisions.map(({ event }) => event)
    )
  })
})
