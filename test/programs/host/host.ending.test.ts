import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { demoInput } from "../../../src/domain/providers/demo/Input.ts"
import { exitText } from "../../../src/domain/words/session/exitText.ts"
import { ExitStatus } from "../../../src/domain/words/session/Session.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { ControlSocketFake } from "../../support/host/ControlSocketFake.ts"
import { DirectoryWatchFake } from "../../support/host/DirectoryWatchFake.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { HookInboxFake } from "../../support/host/HookInboxFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, refusal, settle, startHost, until, watch, world } from "../../support/host/stage.ts"
import { PtyFake } from "../../support/fakes/PtyFake.ts"
import { effectWith } from "../../support/run/effects.ts"

/** Pseudo-terminals that take a second to start what runs on them. */
const slowStart = Layer.effect(
  Pty,
  Effect.map(Pty, ({ spawn }) => Pty.of({ spawn: (options) => Effect.delay(spawn(options), "1 second") }))
)

describe("a session's end", () => {
  hosted("is told to watchers and viewers with its exit status, when it is on disk; then the host goes", function* () {
    const disk = yield* DiskFake
    const sockets = yield* ControlSocketFake
    const { child, client, end, finished, paths, status } = yield* hostDemo()
    const viewer = yield* attach(client, "v")
    yield* settle
    yield* viewer.type("/exit\r")
    yield* until(() => {
      const isTold = viewer.frames().some(({ kind }) => kind === "Exited")
      assert.isTrue(!isTold || disk.statuses.get(paths.status)?.durable === true, "told before it is on disk")
      return viewer.isOver()
    }, "the viewer's end")
    assert.deepStrictEqual(viewer.frames().at(-1), { kind: "Exited", text: '{"code":0,"signal":null}' })
    assert.include(viewer.frames().at(-2)?.text, "\x1b[?1049l", "the CLI's last bytes come before its end")
    yield* end
    assert.deepStrictEqual(status.last()?.exit, { code: 0, signal: null })
    assert.isNull(status.last()?.pid)
    const last = disk.statuses.get(paths.status)
    assert.deepStrictEqual([last?.durable, last?.status.state, last?.status.problem], [true, "exited", null])
    assert.isTrue(disk.screens.has(paths.screen))
    assert.deepStrictEqual(finished, ["finished"])
    assert.deepStrictEqual([sockets.open(), [...disk.locks], [...disk.pids]], [[], [], []])
    assert.isTrue(child.released())
  })

  hosted(
    "gives everything back in order: the lock last, for as long as it is held nobody else may touch the files",
    function* () {
      const disk = yield* DiskFake
      const { child, end } = yield* hostDemo()
      yield* child.exit(3)
      yield* end
      assert.deepStrictEqual(disk.journal, [
        "lock taken",
        "queue opened",
        "last status written",
        "queue closed",
        "lock given back"
      ])
    }
  )

  hosted("comes when its directory is deleted: nobody would find it any more; who is attached reads why", function* () {
    const { take } = yield* DirectoryWatchFake
    const { child, client, end, isOver, paths, status } = yield* hostDemo()
    const viewer = yield* attach(client, "v")
    yield* settle
    yield* take("/state/another")
    yield* TestClock.adjust("1 minute")
    assert.isFalse(isOver())
    yield* take(paths.dir)
    yield* end
    assert.include(
      viewer.text(),
      `the directory of session 'one' was deleted or moved (${paths.dir}): the session ends`
    )
    const told = viewer.frames().at(-1)
    assert.strictEqual(told?.kind, "Exited")
    const exit = Schema.decodeUnknownSync(ExitStatus)(JSON.parse(told?.text ?? ""))
    assert.strictEqual(exitText(exit), "its directory was deleted or moved (exit code 0)")
    assert.strictEqual(exitText({ ...exit, why: "a later one" }), "a later one (exit code 0)")
    assert.deepStrictEqual(status.last()?.exit, exit)
    assert.isTrue(child.released())
  })

  hosted("by a signal is told as it was, with what the CLI left on the screen", function* () {
    const disk = yield* DiskFake
    const { child, end, paths, status } = yield* hostDemo()
    yield* child.print("\x1b[?1049lSegmentation fault\r\n")
    yield* child.exit({ code: null, signal: "SIGSEGV" })
    yield* end
    assert.deepStrictEqual(status.last()?.exit, { code: null, signal: "SIGSEGV" })
    assert.include(disk.screens.get(paths.screen), "Segmentation fault")
  })

  hosted(
    "gives out what was kept as the beginning of a sequence, and waits for no viewer longer than a second",
    function* () {
      const { child, client, finished, isOver } = yield* hostDemo()
      // a viewer that stays
      const viewer = yield* attach(client, "v")
      yield* settle
      yield* child.print("last words\x1b[3")
      yield* child.exit(0)
      yield* until(() => finished.length > 0, "the last status")
      yield* until(() => viewer.frames().some(({ kind }) => kind === "Exited"), "the end")
      assert.match(viewer.text(), /last words\x1b\[3\{/)
      yield* TestClock.adjust("1100 millis")
      assert.isTrue(isOver())
    }
  )

  hosted("is written down with the CLI's own session, so that it can be resumed", function* () {
    const disk = yield* DiskFake
    const inbox = yield* HookInboxFake
    const host = yield* startHost({ cli: "claude" }, claude)
    const child = yield* host.child
    const status = yield* watch(yield* host.connect)
    yield* inbox.call(host.paths.spool, "SessionStart", { session_id: "s", transcript_path: "/t", source: "startup" })
    yield* status.until(({ sessionId }) => sessionId === "s", "the session's id")
    yield* settle
    const seen = { cli: "claude", base: "claude", sessionId: "s", transcriptPath: "/t", cwd: "/work" }
    assert.deepStrictEqual(disk.records, [seen])
    yield* child.exit(0)
    yield* host.end
    assert.deepStrictEqual(disk.records, [seen, seen], "seen for the last time")
  })

  hosted("refuses what comes after it", function* () {
    const { child, client, send, status } = yield* hostDemo()
    const viewer = yield* attach(client, "v")
    yield* child.exit(0)
    yield* status.until(({ state }) => state === "exited", "the exit")
    for (const late of [send("late"), client.Answer({ answer: "1" }), client.Interrupt()]) {
      const { exitCode, why } = yield* refusal(Effect.asVoid<unknown, never, never>(late as Effect.Effect<unknown>))
      assert.deepStrictEqual([exitCode, why], [3, "session 'one' has ended"])
    }
    assert.isTrue((yield* client.Hello()).ended)
    yield* viewer.detach
  })
})

describe("a CLI that ends over a flag of leap's", () => {
  const flagged: Provider = {
    ...demo,
    ownFlags: [{ flag: "--extra" }],
    launch: (options) => ({
      ...demo.launch(options),
      args: options.without?.includes("--extra") === true ? options.args : ["--extra", ...options.args]
    })
  }
  const refusal = "error: unexpected argument '--extra' found\r\n"

  hosted("is started again without it, and the user is told", function* () {
    const pty = yield* PtyFake
    const host = yield* startHost({ args: ["mine"] }, flagged)
    const first = yield* host.child
    const status = yield* watch(yield* host.connect)
    const viewer = yield* attach(yield* host.connect, "v")
    assert.deepStrictEqual(first.options.args, ["--extra", "mine"])
    yield* first.print(refusal)
    yield* first.exit(2)
    const second = yield* host.child
    assert.deepStrictEqual(second.options.args, ["mine"])
    assert.isTrue(first.released())
    yield* settle
    assert.include(viewer.text(), "rejected --extra, which leap had added, and ended: leap started it again without it")
    assert.strictEqual(status.last()?.pid, second.pid)
    assert.notStrictEqual(status.last()?.state, "exited")
    assert.isFalse(host.isOver())
    yield* viewer.type("x")
    yield* until(() => second.written().includes("x"), "keys go to the second one")
    yield* second.exit(0)
    yield* host.end
    assert.deepStrictEqual(status.last()?.exit, { code: 0, signal: null })
    assert.strictEqual(pty.children().length, 2)
  })

  it.effect.each([
    ["it named the flag and ended well", refusal, 0, {}],
    ["it ended over another thing", "error: not logged in\r\n", 1, {}],
    ["the flag was not there", refusal, 2, { withoutFlags: ["--extra"] }]
  ] as const)("is not started again where %s", ([, text, code, own]) =>
    Effect.gen(function* () {
      const pty = yield* PtyFake
      const host = yield* startHost(own, flagged)
      const child = yield* host.child
      yield* child.print(text)
      yield* child.exit(code)
      yield* host.end
      assert.strictEqual(pty.children().length, 1)
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  hosted("is not started a third time", function* () {
    const pty = yield* PtyFake
    const host = yield* startHost({}, flagged)
    for (let n = 0; n < 2; n++) {
      const child = yield* host.child
      yield* child.print(refusal)
      yield* child.exit(2)
    }
    yield* host.end
    assert.strictEqual(pty.children().length, 2)
  })
})

describe("a session that is stopped", () => {
  hosted("ends by its CLI's own quit keys, a running turn is interrupted first", function* () {
    const { child, cli, client, end, send, status } = yield* hostDemo()
    yield* send("a long one")
    yield* status.until(({ queue }) => queue.some((message) => message.status === "started"), "its turn")
    assert.deepStrictEqual(yield* passing(client.Stop({ force: false })), { code: 0, signal: null })
    yield* end
    assert.deepStrictEqual(cli.texts("turn_interrupted"), ["a long one"])
    assert.deepStrictEqual(child.writes().slice(-2), ["\x1b", "\x04"])
    assert.deepStrictEqual(child.signals(), [])
  })

  hosted("by force is killed at once", function* () {
    const { child, client, end } = yield* hostDemo()
    const before = child.writes().length
    assert.deepStrictEqual(yield* passing(client.Stop({ force: true })), { code: null, signal: "SIGKILL" })
    yield* end
    assert.deepStrictEqual([child.signals(), child.writes().length], [["SIGKILL"], before])
  })

  hosted(
    "is hung up when the keys do nothing, and killed when the hang-up does nothing, each in its time",
    function* () {
      const pty = yield* PtyFake
      yield* pty.ignoreSignals(["SIGHUP"])
      // a CLI that draws nothing and takes no keys, and wants its quit key twice
      const deaf = { ...demo, input: { ...demoInput, quit: ["\x03", "\x03"] } }
      const host = yield* startHost({}, deaf)
      const child = yield* host.child
      const client = yield* host.connect
      const stopping = yield* Effect.forkChild(client.Stop({ force: false }), { startImmediately: true })
      yield* TestClock.adjust("400 millis")
      assert.deepStrictEqual(child.writes(), ["\x03"], "the second key waits for what the first one does")
      yield* TestClock.adjust("4400 millis")
      assert.deepStrictEqual([child.writes(), child.signals()], [["\x03", "\x03"], []])
      yield* TestClock.adjust("400 millis")
      assert.deepStrictEqual(child.signals(), ["SIGHUP"])
      yield* TestClock.adjust("1600 millis")
      assert.deepStrictEqual(child.signals(), ["SIGHUP"])
      yield* TestClock.adjust("400 millis")
      assert.deepStrictEqual(child.signals(), ["SIGHUP", "SIGKILL"])
      yield* host.end
      assert.deepStrictEqual(yield* Fiber.join(stopping), { code: null, signal: "SIGKILL" })
    }
  )

  hosted("before its terminal has come ends the CLI, and has ended all the same", function* () {
    const disk = yield* DiskFake
    const host = yield* startHost({ waitForViewer: true })
    const child = yield* host.child
    const client = yield* host.connect
    const status = yield* watch(client)
    const ended = { code: null, signal: "SIGHUP" }
    assert.deepStrictEqual(yield* passing(client.Stop({ force: false })), ended)
    yield* host.end
    assert.deepStrictEqual([child.released(), host.announced.length], [true, 1])
    assert.deepStrictEqual(status.last()?.exit, ended)
    assert.isTrue(disk.statuses.get(host.paths.status)?.durable)
  })

  for (const force of [true, false])
    effectWith(Layer.provideMerge(slowStart, world))(
      `${force ? "by force " : ""}while its CLI is being started ends as soon as it runs`,
      function* () {
        const host = yield* startHost({ waitForViewer: true })
        yield* settle
        const client = yield* host.connect
        yield* attach(client, "v")
        yield* TestClock.adjust("500 millis")
        const exit = yield* passing(client.Stop({ force }))
        yield* host.end
        assert.deepStrictEqual(exit, { code: null, signal: force ? "SIGKILL" : "SIGHUP" })
      }
    )

  hosted("because the host is asked to end (SIGTERM) is closed properly", function* () {
    const { ask, child, end, status } = yield* hostDemo()
    yield* ask
    yield* end
    assert.deepStrictEqual(status.last()?.exit, { code: 0, signal: null, why: "signal" })
    assert.include(child.writes(), "\x04")
  })

  hosted(
    "because the host is made to end (a second SIGTERM) takes its CLI with it, before the lock is given back",
    function* () {
      const disk = yield* DiskFake
      const { child, interrupt } = yield* hostDemo()
      yield* interrupt
      assert.isTrue(child.released())
      assert.deepStrictEqual(child.signals(), ["SIGHUP"])
      assert.deepStrictEqual(disk.journal, ["lock taken", "queue opened", "queue closed", "lock given back"])
    }
  )
})
