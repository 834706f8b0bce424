import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer, Option, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { lineClient } from "../../../src/programs/queueClient/lineClient.ts"
import { queueClient } from "../../../src/programs/queueClient/queueClient.ts"
import { Clipboard } from "../../../src/services/Clipboard.ts"
import { LinePrompt } from "../../../src/services/LinePrompt.ts"
import { Output } from "../../../src/services/Output.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { UserTerminal } from "../../../src/services/UserTerminal.ts"
import { needsOf } from "../../../src/domain/words/attention/needsOf.ts"
import { defaultNotify } from "../../../src/domain/store/settings/NotifySettings.ts"
import { NoticeChannelsFake } from "../../support/host/NoticeChannelsFake.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"
import * as Fake from "../../support/fakes/UserTerminalFake.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hostDemo, passing, settle, until, world } from "../../support/host/stage.ts"
import { tag } from "../../support/processes/Room.ts"
import { effectWith } from "../../support/run/effects.ts"
import { DesktopError } from "../../../src/services/DesktopError.ts"

/** Files that clients share, in memory. */
const files = Layer.sync(SharedFile, () => {
  const contents = new Map<string, Uint8Array>()
  return SharedFile.of({
    read: (file) => Effect.sync(() => contents.get(file) ?? null),
    change: (file, edit) =>
      Effect.suspend(() => {
        const result = edit(contents.get(file) ?? null)
        if (result._tag === "Success") contents.set(file, result.success)
        return result._tag === "Success" ? Effect.succeed(result.success) : Effect.fail(result.failure)
      })
  })
})

const folders: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/work/": ["src", "README.md", ".git", "node_modules"],
  "/work/src/": ["main.ts"],
  "/work/.demo/commands/": ["deploy.md"]
}

const around = Layer.mergeAll(
  files,
  Layer.mock(Providers, { all: [], get: () => Effect.succeed(demo), load: () => Effect.succeed([demo]) }),
  Layer.mock(Clipboard, {
    image: () =>
      Effect.fail(new DesktopError({ what: "no picture from the clipboard", why: "this terminal is on no desktop" }))
  }),
  FileSystem.layerNoop({
    readDirectory: (path) => Effect.succeed([...(folders[path] ?? [])]),
    stat: (path) =>
      Effect.succeed({
        type: path === "/work/src" ? "Directory" : "File",
        ino: Option.none()
      } as FileSystem.File.Info)
  })
)

const size = { cols: 80, rows: 24 }

/** A client in a terminal of its own. */
const openClient = Effect.fnUntraced(function* () {
  const context = yield* Layer.build(Layer.fresh(Fake.layer(size.cols, size.rows)))
  const terminal = yield* Effect.provideContext(Fake.UserTerminalFake, context)
  const notes: Array<string> = []
  const output = yield* Effect.provideContext(Output, context)
  const fiber = yield* queueClient(tag("one")).pipe(
    Effect.provideService(UserTerminal, yield* Effect.provideContext(UserTerminal, context)),
    Effect.provideService(Output, { ...output, note: (text) => Effect.sync(() => void notes.push(text)) }),
    Effect.forkScoped({ startImmediately: true })
  )
  yield* settle
  return {
    ...terminal,
    notes,
    fiber,
    press: (keys: string) => Effect.andThen(terminal.type(keys), settle),
    shows: (text: string) =>
      until(
        () => terminal.screen().includes(text),
        () => `“${text}” on the screen:\n${terminal.screen()}`
      )
  }
})

const all = Layer.mergeAll(world, around)

describe("the queue client", () => {
  effectWith(all)("queues what is entered, shows the queue as it goes out, and each answer once", function* () {
    const { cli } = yield* hostDemo()
    const client = yield* openClient()
    yield* client.shows("one ● idle")
    yield* client.press("hello there\r")
    yield* client.shows("▶")
    yield* client.press("second\r")
    yield* client.shows("1 queued")
    yield* until(() => cli.texts("turn_ended").length === 2, "both turns")
    yield* client.shows("You asked “second”")
    yield* TestClock.adjust("8 seconds")
    assert.strictEqual(client.screen().split("You asked “second”").length, 2)
    assert.deepStrictEqual(cli.texts("submitted"), ["hello there", "second"])
    yield* client.press("\x04")
    yield* passing(Fiber.join(client.fiber))
    assert.deepStrictEqual(client.left(), [])
    assert.deepStrictEqual(client.notes, ["[left; session 'one' goes on]"])
  })

  effectWith(all)(
    "shows a dialog with its options and answers it; nothing that is typed meanwhile is queued as an answer",
    function* () {
      const { cli } = yield* hostDemo()
      const client = yield* openClient()
      yield* client.press("please write a file\r")
      yield* client.shows("2 Yes, and don't ask again")
      yield* TestClock.adjust("2 seconds")
      yield* client.press("a longer remark\r")
      yield* client.shows("is none of its options")
      yield* client.press("\x1b")
      yield* TestClock.adjust("1 second")
      yield* client.press("\x15no\r")
      yield* client.shows("answered")
      yield* until(() => cli.texts("dialog_answered").length === 1, "the answer")
      assert.deepStrictEqual(cli.texts("submitted"), ["please write a file"])
    }
  )

  effectWith(all)("counts as looking at the session with each key, and for a moment behind it", function* () {
    const system = yield* SystemFake
    yield* system.setSettings({ notify: { ...defaultNotify, desktop: true } })
    const { given } = yield* NoticeChannelsFake
    const session = yield* hostDemo()
    const client = yield* openClient()
    yield* session.send("write a file")
    yield* client.press("\x1b[A")
    yield* client.shows("Write notes.md?")
    for (let i = 0; i < 8; i++) {
      yield* TestClock.adjust("6 seconds")
      yield* client.press("\x1b[A")
    }
    assert.deepStrictEqual(given, [])
    yield* TestClock.adjust("12 seconds")
    yield* until(() => given.length === 1, "told, once nobody looks")
  })

  effectWith(all)("line by line: counts as looking with each entry, and asks in the words of all", function* () {
    const system = yield* SystemFake
    yield* system.setSettings({ notify: { ...defaultNotify, desktop: true } })
    const { given } = yield* NoticeChannelsFake
    const session = yield* hostDemo()
    const typed = yield* Queue.unbounded<string>()
    const printed: Array<string> = []
    yield* lineClient(tag("one")).pipe(
      Effect.provideService(LinePrompt, {
        open: Effect.succeed({
          entries: Stream.fromQueue(typed),
          prompt: () => Effect.void,
          print: (line: string) => Effect.sync(() => void printed.push(line))
        })
      }),
      Effect.provide(Layer.fresh(Fake.layer(size.cols, size.rows))),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* session.send("write a file")
    const status = yield* session.status.until(({ state }) => state === "needs_permission", "the dialog")
    for (let i = 0; i < 8; i++) {
      yield* Queue.offer(typed, "1")
      yield* TestClock.adjust("6 seconds")
    }
    assert.deepStrictEqual(given, [])
    const [need = assert.fail("no need")] = needsOf(status)
    yield* until(
      () => printed.some((line) => line.startsWith(`? ${need.text}: answer with`)),
      () => printed.join("\n")
    )
    yield* TestClock.adjust("12 seconds")
    yield* until(() => given.length === 1, "told, once nobody looks")
  })

  effectWith(all)("changes the queue, beside another client; what one entered the next one finds", function* () {
    const { cli } = yield* hostDemo()
    const first = yield* openClient()
    yield* first.press("tool 150\r")
    yield* first.shows("▶")
    for (const text of ["alpha", "beta", "gamma"]) yield* first.press(`${text}\r`)
    yield* first.shows("gamma")
    const second = yield* openClient()
    yield* second.shows("beta")
    // the list: gamma before all, beta held, alpha changed
    yield* second.press("\tjjjKK")
    yield* until(() => /gamma[^]*alpha[^]*beta/.test(first.screen()), "gamma goes first")
    yield* second.press("jjh")
    yield* first.shows("1 message is held")
    yield* second.press("ke and more\r")
    yield* first.shows("alpha and more")
    yield* second.press("\x1b[A\x1b[A")
    yield* second.shows("› gamma")
    yield* until(() => cli.texts("turn_ended").length === 3, "all but what is held")
    assert.deepStrictEqual(cli.texts("submitted"), ["tool 150", "gamma", "alpha and more"])
    yield* first.press("!release\r")
    yield* until(() => cli.texts("submitted").length === 4, "what was held")
  })

  effectWith(all)("outlives its session: keeps the text, and joins the next host of the tag", function* () {
    const disk = yield* DiskFake
    const former = yield* hostDemo()
    const client = yield* openClient()
    yield* client.shows("● idle")
    yield* passing(former.client.Stop({ force: true }))
    yield* former.end
    yield* client.shows("not running")
    yield* client.press("kept text\r")
    yield* client.shows("not sent")
    assert.include(client.screen(), "› kept text")
    const next = yield* hostDemo({ cwd: "/work/elsewhere" })
    yield* client.shows("runs again, now in /work/elsewhere")
    yield* client.press("\r")
    yield* until(() => next.cli.texts("submitted").length === 1, "the text is sent")
    assert.deepStrictEqual(next.cli.texts("submitted"), ["kept text"])
    assert.isAbove(disk.statuses.size, 0)
  })

  effectWith(all)(
    "completes commands and files of the session's directory; says why there is no picture",
    function* () {
      yield* hostDemo()
      const client = yield* openClient()
      yield* client.press("/de")
      yield* client.shows("❯ /deploy")
      yield* client.press("\t")
      yield* client.shows("› /deploy")
      yield* client.press("\x15see @ma")
      yield* client.shows("❯ @src/main.ts")
      yield* client.press("\t")
      yield* client.shows("› see @src/main.ts")
      yield* client.press("@node")
      yield* settle
      assert.notInclude(client.screen(), "❯ @node_modules")
      yield* client.press("\x16")
      yield* client.shows("on no desktop")
    }
  )
})
