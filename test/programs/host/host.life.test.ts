import { assert, describe } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { GitViewFake } from "../../support/host/GitViewFake.ts"
import { HookInboxFake } from "../../support/host/HookInboxFake.ts"
import { pathsOf } from "../../support/host/parts.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, refusal, settle, startHost, until, watch } from "../../support/host/stage.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

const done = ({ queue, ready }: SessionStatus) =>
  ready && queue.every(({ status }) => status === "done" || status === "failed")
const started = ({ queue }: SessionStatus) => queue.some(({ status }) => status === "started")
const texts = ({ queue }: SessionStatus, ...wanted: ReadonlyArray<string>) =>
  queue.flatMap(({ status, text }) => (wanted.includes(status) ? [text] : []))

describe("a session's start", () => {
  hosted(
    "with nobody waiting: the CLI is started as asked, then it is announced, with its status on disk",
    function* () {
      const disk = yield* DiskFake
      const { announced, child, paths } = yield* hostDemo({ args: ["--fast"], cwd: "/elsewhere" })
      assert.deepStrictEqual(announced, [{ ready: true, pid: 7 }])
      const { args, command, cwd, env, size } = child.options
      assert.deepStrictEqual(
        [command, args, cwd, size],
        ["leap", ["__demo-cli", "--fast"], "/elsewhere", { cols: 80, rows: 24 }]
      )
      assert.deepInclude(env, {
        LEAP_TAG: "one",
        LEAP_SIGNAL_DIR: paths.spool,
        TERM: "xterm-256color",
        HOME: "/home/me"
      })
      assert.deepStrictEqual([...disk.pids], [[child.pid, paths.spool]])
      const written = disk.statuses.get(paths.status)
      assert.deepInclude(written?.status, { pid: child.pid, hostPid: 7, cli: "demo", cwd: "/elsewhere", attached: 0 })
      assert.isFalse(written?.durable)
    }
  )

  hosted(
    "with a screen that its reader knows nothing of: the status says so, and nothing is typed into it",
    function* () {
      const host = yield* startHost()
      const child = yield* host.child
      yield* child.print("\x1b[?1049h\x1b[HAnother program\r\n\r\n--------------------\r\n> \r\n--------------------")
      const client = yield* host.connect
      const status = yield* watch(client)
      const known = yield* status.until(({ layout }) => layout === "unknown", "an unknown layout")
      assert.isFalse(known.ready)
      yield* client.Send({ text: "hello", images: [], front: false, force: false })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(status.last(), { ready: false, state: "idle", layout: "unknown" })
      assert.match(status.last()?.reason ?? "", /not known to leap/)
      assert.notInclude(child.written(), "hello")
    }
  )

  hosted(
    "in a repository: the status has its branch, and another one once somebody has changed it at work",
    function* () {
      const repository = yield* GitViewFake
      repository.branch = "main"
      const { client, status } = yield* hostDemo()
      yield* status.until(({ branch, ready }) => ready && branch === "main", "the branch")
      repository.branch = "fix"
      yield* client.Send({ text: "hello", images: [], front: false, force: false })
      yield* status.until((now) => now.branch === "fix" && done(now), "the other branch")
      assert.strictEqual(status.last()?.branch, "fix")
    }
  )

  hosted("in a repository: what its directory's work tree has changed is told, else why it is not", function* () {
    const repository = yield* GitViewFake
    const { client } = yield* hostDemo({ cwd: "/work" })
    assert.strictEqual((yield* refusal(client.Changes({ against: null }))).message, "/work is in no git work tree")
    repository.branch = "main"
    const { against, directory, files } = yield* client.Changes({ against: "v1" })
    assert.deepStrictEqual([directory, against.name, files.length], ["/work", "v1", 1])
  })

  hosted(
    "in a repository: its work tree is noted at its start and as each turn begins, and no message waits for it",
    function* () {
      const repository = yield* GitViewFake
      const { send, status } = yield* hostDemo({ cwd: "/work" })
      const turns = () => repository.noted.map(({ moment }) => moment)
      assert.deepStrictEqual(turns(), [":start"])
      yield* send("hello")
      const begun = (yield* status.until(started, "its turn")).queue[0]?.status
      assert.deepStrictEqual([begun, turns()], ["started", [":start", ":turn"]])
      yield* status.until(done, "its end")
      assert.deepStrictEqual(turns(), [":start", ":turn"])
      // one note takes long: the turns go on, and of those that began meanwhile the last one is noted
      let isSlow = true
      repository.noting = Effect.gen(function* () {
        while (isSlow) yield* Effect.sleep("1 second")
      })
      for (const text of ["second", "third", "fourth"]) {
        yield* send(text)
        yield* status.until((now) => done(now) && now.lastMessage === text, text)
      }
      assert.deepStrictEqual(turns(), [":start", ":turn", ":turn"])
      isSlow = false
      yield* until(() => turns().length === 4, "the last turn")
      yield* TestClock.adjust("1 minute")
      const [, first, second, last] = repository.noted
      assert.deepStrictEqual(turns(), [":start", ":turn", ":turn", ":turn"])
      assert.isTrue(first!.began < second!.began && second!.began + 1_000 < last!.began)
      // what is sent into a turn begins none
      repository.noting = Effect.void
      yield* send("write a file")
      const asking = yield* status.until(({ state }) => state === "needs_permission", "the dialog")
      assert.strictEqual(turns().length, 5)
      assert.strictEqual(asking.state, "needs_permission")
    }
  )

  hosted("whose CLI goes to another directory: shown, with its branch", function* () {
    const repository = yield* GitViewFake
    repository.branch = "main"
    repository.others.set("/work/trees/x", "worktree-x")
    const { paths, status } = yield* hostDemo({ cwd: "/work" })
    const inbox = yield* HookInboxFake
    const says = (cwd: unknown) =>
      inbox.call(paths.spool, "SessionStart", { session_id: "demo-session", source: "turn", cwd }, { nested: false })
    assert.strictEqual((yield* status.until(({ branch }) => branch === "main", "the branch")).cwd, "/work")
    yield* says("/work/trees/x")
    yield* status.until(({ branch, cwd }) => cwd === "/work/trees/x" && branch === "worktree-x", "where it went")
    yield* says("/work")
    yield* status.until(({ branch, cwd }) => cwd === "/work" && branch === "main", "back")
  })

  hosted("that asks to write a file: the status names it, for those who watch several", function* () {
    const { send, status } = yield* hostDemo({ cwd: "/work" })
    yield* send("write a file")
    const asking = yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    assert.deepStrictEqual(
      asking.writes?.map(({ path }) => path),
      ["/work/notes.md"]
    )
  })

  hosted("for a terminal: the CLI starts at once, what it prints waits for that terminal", function* () {
    const host = yield* startHost({ waitForViewer: true })
    const child = yield* host.child
    yield* child.print("\x1b[c first words")
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual([host.announced.length, child.written()], [1, ""])
    const viewer = yield* attach(yield* host.connect, "v", { cols: 91, rows: 29 })
    yield* settle
    // asked of the terminal, and not answered by the host
    assert.include(viewer.text(), "\x1b[c first words")
    assert.deepStrictEqual([child.written(), child.sizes().at(-1)], ["", { cols: 91, rows: 29 }])
    assert.strictEqual(host.announced.length, 1)
  })

  hosted("for a terminal that never comes: what the CLI printed is taken after three seconds", function* () {
    const host = yield* startHost({ waitForViewer: true })
    const child = yield* host.child
    yield* child.print("first words")
    const screen = Effect.flatMap(host.connect, (client) => client.Screen())
    yield* TestClock.adjust("2900 millis")
    assert.notInclude((yield* screen).text, "first words")
    yield* TestClock.adjust("200 millis")
    assert.include((yield* screen).text, "first words")
  })

  hosted(
    "after an earlier host: what that left running is ended, its messages are held until they are released",
    function* () {
      const disk = yield* DiskFake
      const system = yield* SystemFake
      const former = yield* hostDemo().pipe(
        Effect.tap(({ send }) => Effect.andThen(send("a long one"), settle)),
        Effect.tap(({ send, status }) =>
          Effect.andThen(status.until(started, "its turn"), Effect.andThen(send("second"), settle))
        ),
        // the host is gone without a word
        Effect.scoped
      )
      system.leftovers.add(former.child.pid)
      const { cli, client, status } = yield* hostDemo()
      assert.deepStrictEqual([...system.leftovers], [])
      assert.deepStrictEqual(texts(yield* client.Status(), "held"), ["second"])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(cli.texts("submitted"), [])
      assert.deepInclude(yield* client.QueueRelease({ id: null }), { released: 1 })
      yield* status.until(done, "the rest is sent")
      assert.deepStrictEqual(cli.texts("submitted"), ["second"])
      assert.strictEqual(disk.statuses.size, 1)
    }
  )

  hosted("at a terminal: the hooks that were held ahead of the rules are let go by those", function* () {
    const { deciding } = yield* HookInboxFake
    const held: Array<number> = []
    const { child, paths } = yield* startHost({ waitForViewer: true })
    yield* child
    yield* until(
      () => (held.push(deciding(paths.spool).length), held.at(-1) === 0),
      () => `no hook waits: ${held.join(" ")}`
    )
    assert.deepStrictEqual(deciding(paths.spool), [])
  })

  hosted("after a host that was killed before it had a status: its CLI, which is registered, is ended", function* () {
    const disk = yield* DiskFake
    const system = yield* SystemFake
    disk.pids.set(4711, pathsOf("one").spool).set(4712, pathsOf("other").spool)
    system.leftovers.add(4711).add(4712)
    yield* hostDemo()
    assert.deepStrictEqual([...system.leftovers], [4712])
  })

  hosted("with an earlier session of the CLI: its status names that before the CLI does", function* () {
    const host = yield* startHost({ resumes: { sessionId: "earlier", transcriptPath: "/t" } })
    yield* host.child
    const { sessionId, transcriptPath } = yield* (yield* host.connect).Status()
    assert.deepStrictEqual([sessionId, transcriptPath], ["earlier", "/t"])
  })

  hosted("in one process with other sessions: none shares anything with another", function* () {
    const one = yield* hostDemo({ tag: "one" })
    const two = yield* hostDemo({ tag: "two" })
    yield* one.send("for one")
    yield* two.send("for two")
    yield* one.status.until(done, "one")
    yield* two.status.until(done, "two")
    assert.deepStrictEqual([one.cli.texts("submitted"), two.cli.texts("submitted")], [["for one"], ["for two"]])
    assert.deepStrictEqual([(yield* one.client.Hello()).tag, (yield* two.client.Hello()).tag], ["one", "two"])
    yield* passing(one.client.Stop({ force: true }))
    yield* one.end
    yield* two.send("still there")
    yield* two.status.until(done, "two goes on")
    assert.deepStrictEqual(two.cli.texts("submitted"), ["for two", "still there"])
  })
})

describe("a session's terminal", () => {
  hosted(
    "is drawn whole to who attaches; output reaches every viewer and the emulator; the first keys are theirs",
    function* () {
      const { child, cli, client, status } = yield* hostDemo()
      const first = yield* attach(client, "first")
      yield* status.until(({ attached }) => attached === 1, "attached")
      assert.strictEqual(first.frames()[0]?.kind, "Repaint")
      assert.include(first.frames()[0]?.text, "ask anything")
      const second = yield* attach(client, "second", { readOnly: true })
      yield* status.until(({ attached }) => attached === 2, "both are attached")
      yield* first.type("hi there")
      yield* until(() => second.text().includes("hi there"), "the draft is seen")
      assert.include(first.text(), "hi there")
      assert.include((yield* client.Screen()).text, "hi there")
      yield* second.type(" and more")
      yield* first.type("\r")
      yield* until(() => cli.texts("submitted").length > 0, "a turn")
      assert.deepStrictEqual(cli.texts("submitted"), ["hi there"], "who only reads types nothing")
      yield* second.detach
      yield* status.until(({ attached }) => attached === 1, "one has left")
      assert.notInclude(child.written(), "and more")
    }
  )

  hosted("of a CLI that stops itself at a key is continued at once, and this is told for a while", function* () {
    const { child, client, status } = yield* hostDemo()
    const viewer = yield* attach(client, "first")
    yield* status.until(({ attached }) => attached === 1, "attached")
    child.stop()
    yield* viewer.type("\u001a")
    yield* TestClock.adjust("150 millis")
    assert.deepStrictEqual(child.signals(), ["SIGCONT"])
    yield* status.until(({ problem }) => problem?.kind === "stuck", "it is told")
    yield* status.until(({ problem }) => problem === null, "and no longer")
    // by another's hand, without a key
    const before = child.signals().length
    child.stop()
    yield* TestClock.adjust(0)
    assert.strictEqual(child.signals().length, before + 1, "continued again, at once")
    yield* status.until(({ problem }) => problem?.kind === "stuck", "it is told")
    yield* status.until(({ problem }) => problem === null, "and no longer")
  })

  hosted(
    "of a CLI that is stopped without a word is looked at in a turn and when somebody asks, else never",
    function* () {
      const { child, client, send, status } = yield* hostDemo()
      child.stop("silently")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(child.signals(), [], "nothing is looked at where nothing happens")
      assert.strictEqual((yield* client.Status()).problem?.kind, "stuck", "whoever asks is not told that it is idle")
      assert.deepStrictEqual(child.signals(), ["SIGCONT"])
      yield* status.until(({ problem }) => problem === null, "it was told for a while")
      yield* send("tool 30")
      yield* status.until(({ state }) => state === "running", "a turn")
      child.stop("silently")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(child.signals(), ["SIGCONT", "SIGCONT"])
    }
  )

  hosted("is not looked at over and over where a look itself stirs, as the end of `ps` does", function* () {
    const { child } = yield* hostDemo()
    child.lookByProgram()
    const before = child.looks()
    child.stop()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(child.signals(), ["SIGCONT"])
    yield* TestClock.adjust("1 minute")
    assert.isAtMost(child.looks() - before, 4)
    child.stop()
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(child.signals(), ["SIGCONT", "SIGCONT"], "the next stop is found")
  })

  hosted(
    "of a CLI that waits to be continued after Ctrl+Z, although nothing could stop it, is continued",
    function* () {
      const { child, client, status } = yield* hostDemo()
      const viewer = yield* attach(client, "first")
      yield* status.until(({ attached }) => attached === 1, "attached")
      yield* viewer.type("x")
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(child.signals(), [])
      yield* viewer.type("\u001b[122;5u")
      yield* until(() => child.signals().includes("SIGCONT"), "continued")
    }
  )

  hosted("has the size of the viewer that was active last", function* () {
    const { child, client } = yield* hostDemo()
    const one = yield* attach(client, "one", { cols: 100, rows: 30 })
    yield* settle
    yield* attach(client, "two", { cols: 60, rows: 20 })
    yield* settle
    yield* one.resize(110, 35)
    yield* settle
    yield* one.type("x")
    yield* settle
    yield* one.resize(120, 36)
    yield* settle
    assert.deepStrictEqual(
      child.sizes().map(({ cols, rows }) => `${cols}x${rows}`),
      ["80x24", "100x30", "60x20", "110x35", "120x36"]
    )
    const { cols, rows } = yield* client.Screen()
    assert.deepStrictEqual([cols, rows], [120, 36])
  })

  hosted(
    "answers queries itself while nobody is attached, and leaves them to the primary viewer's terminal then",
    function* () {
      const { child, client } = yield* hostDemo()
      const answered = () => child.written().length
      const before = answered()
      yield* child.print("\x1b[6n")
      yield* settle
      assert.match(child.written().slice(before), /^\x1b\[\d+;\d+R$/)
      const viewer = yield* attach(client, "v")
      yield* settle
      const count = answered()
      yield* child.print("\x1b[6n")
      yield* until(() => viewer.text().includes("\x1b[6n"), "the query has reached the viewer")
      assert.strictEqual(answered(), count)
      yield* viewer.type("\x1b[7;7R")
      yield* settle
      assert.strictEqual(child.written().slice(count), "\x1b[7;7R")
    }
  )

  hosted("passes a lone escape on as the Escape key", function* () {
    const { child, cli, client, send, status } = yield* hostDemo()
    yield* send("a long one")
    yield* status.until(started, "a turn")
    const viewer = yield* attach(client, "v")
    yield* settle
    yield* passing(viewer.type("\x1b"))
    yield* status.until(({ state }) => state === "interrupted", "interrupted")
    assert.deepStrictEqual(cli.texts("turn_interrupted"), ["a long one"])
    assert.include(child.writes(), "\x1b")
  })

  hosted("is recorded: what went in and out, what hooks said, what leap made of it", function* () {
    const { client, send, status } = yield* hostDemo()
    yield* send("hello")
    yield* status.until(done, "done")
    const frames = yield* Stream.runCollect(client.Record({ past: true, follow: false }))
    assert.deepInclude(frames[0], { _tag: "Begun", cli: "demo", version: "1.2.3", cols: 80, rows: 24 })
    const lines = frames.flatMap((frame) => (frame._tag === "Lines" ? frame.lines : []))
    const markers = lines.flatMap(({ code, data }) => (code === "m" ? [data] : []))
    for (const wanted of [/^hook:SessionStart \{/, /^send$/, /^by:leap$/, /^hook:Stop \{/, /^leap:\{"state":"running"/])
      assert.isTrue(
        markers.some((marker) => wanted.test(marker)),
        String(wanted)
      )
    const typed = lines.flatMap(({ code, data }) => (code === "i" ? [data] : [])).join("")
    assert.include(typed, "\x1b[200~hello\x1b[201~")
    assert.isTrue(lines.some(({ code, data }) => code === "o" && data.includes("ask anything")))
    const fresh = yield* Stream.runCollect(client.Record({ past: false, follow: false }))
    const begun = fresh.flatMap((frame) => (frame._tag === "Lines" ? frame.lines : []))
    const drawn = begun.find(({ code }) => code === "o")
    assert.match(drawn?.data ?? "", /You asked[^]*\x1b\]7501;[^\x1b]*state=done/, "the status that holds goes with it")
  })
})

describe("a session's signals", () => {
  hosted("a hook changes the state; one of another process inside it does not", function* () {
    const inbox = yield* HookInboxFake
    const { paths, status } = yield* hostDemo()
    yield* inbox.call(paths.spool, "UserPromptSubmit", { prompt: "nested" }, { nested: true })
    yield* TestClock.adjust("1 second")
    assert.strictEqual(status.last()?.state, "idle")
    yield* inbox.call(paths.spool, "UserPromptSubmit", { prompt: "by hook" })
    yield* status.until(({ state }) => state === "running", "the hook's turn")
    assert.strictEqual(status.last()?.lastMessage, "by hook")
  })

  hosted("hooks that cannot be read change nothing", function* () {
    const inbox = yield* HookInboxFake
    const { cli, paths, send, status } = yield* hostDemo()
    for (const payload of [null, 5, "text", [], { tool_name: 5 }])
      for (const event of ["Stop", "PermissionRequest", "No/Such\nEvent"])
        yield* inbox.call(paths.spool, event, payload)
    yield* TestClock.adjust("2 seconds")
    yield* send("works")
    yield* status.until(done, "it works on")
    assert.deepStrictEqual(cli.texts("submitted"), ["works"])
  })
})

describe("a session's messages", () => {
  hosted(
    "three queued during a turn arrive whole, once, in order, each after the turn before; a dialog holds them",
    function* () {
      const { cli, client, send, status } = yield* hostDemo()
      const messages = [
        "one: “quotes”, 日本語, and a tab\there",
        "two: please write a file\nwith a second line\nand a third, $HOME `x` \\ 'y'",
        "three: the last | of them"
      ]
      yield* send("a long first turn")
      yield* status.until(started, "the first turn")
      for (const text of messages) yield* send(text)
      const asking = yield* status.until(({ state }) => state === "needs_permission", "the second one's dialog")
      assert.deepStrictEqual([asking.ready, asking.dialog, texts(asking, "queued")], [false, true, [messages[2]]])
      const refused = yield* refusal(passing(client.Answer({ answer: "9" })))
      assert.deepInclude(refused, { exitCode: 5 })
      const answered = yield* passing(client.Answer({ answer: "1" }))
      assert.deepStrictEqual(answered, { dialog: "Write notes.md?", answer: "Yes" })
      yield* status.until((it) => done(it) && it.state === "idle", "all done")

      assert.deepStrictEqual(cli.texts("submitted"), ["a long first turn", ...messages])
      assert.deepStrictEqual(cli.texts("turn_ended"), ["a long first turn", ...messages])
      let busy = 0
      let dialog = false
      for (const { event, text } of cli.log) {
        if (event === "submitted") assert.isTrue(busy === 0 && !dialog, `${text} came too early`)
        if (event === "turn_started") busy++
        if (event === "turn_ended") busy--
        if (event === "dialog_opened") dialog = true
        if (event === "dialog_answered") dialog = false
        if (event === "key_in_dialog") assert.strictEqual(text, "1")
      }
      const { recent } = yield* client.Queue()
      assert.deepStrictEqual(each(recent, "status"), ["done", "done", "done", "done"])
    }
  )

  hosted("a receipt names each step, and the answer belongs to its message", function* () {
    const { client, send } = yield* hostDemo()
    const { id } = yield* send("what is it?")
    const steps = yield* passing(Stream.runCollect(client.Receipt({ id })))
    assert.deepStrictEqual(
      steps.map((message) => message.status).filter((status) => status !== "submitted"),
      ["queued", "typed", "started", "done"]
    )
    assert.deepStrictEqual(yield* passing(client.Response({ id })), {
      text: "You asked “what is it?”. That is my answer."
    })
    assert.deepInclude(yield* refusal(client.Response({ id: "NONE" })), { exitCode: 3 })
  })

  hosted("is on disk before its first byte is typed, and its receipt leaves the status after a while", function* () {
    const disk = yield* DiskFake
    const { child, paths, send, status } = yield* hostDemo()
    disk.faults.add("queue append")
    const refused = yield* refusal(send("never accepted"))
    assert.match(refused.why, /^nothing was changed: /)
    disk.faults.delete("queue append")
    const { id } = yield* send("accepted")
    assert.isTrue(disk.queues.get(paths.queue)?.some((record) => record._tag === "Accepted"))
    disk.faults.add("queue append")
    yield* TestClock.adjust("5 seconds")
    assert.notInclude(child.written(), "accepted", "nothing is typed that could not be recorded")
    disk.faults.delete("queue append")
    yield* status.until(done, "typed at last")
    assert.deepStrictEqual(
      status.last()?.queue.map((message) => message.id),
      [id]
    )
    yield* TestClock.adjust("6 seconds")
    assert.deepStrictEqual(status.last()?.queue, [])
  })

  hosted("the user's unsent text holds the queue and is never touched", function* () {
    const { child, cli, client, send, status } = yield* hostDemo()
    const viewer = yield* attach(client, "v")
    yield* viewer.type("half a thought")
    yield* status.until(({ ready }) => !ready, "the draft is seen")
    yield* send("queued meanwhile")
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(cli.texts("submitted"), [])
    assert.include((yield* client.Screen()).text, "half a thought")
    assert.notInclude(child.written(), "queued meanwhile")
    yield* viewer.type("\x15")
    yield* status.until(done, "sent")
    assert.deepStrictEqual(cli.texts("submitted"), ["queued meanwhile"])
  })

  hosted("after an interrupt none goes out by itself; one that is forced does", function* () {
    const { cli, client, send, status } = yield* hostDemo()
    assert.match(
      (yield* refusal(passing(client.Interrupt()))).why,
      /^there is no turn to interrupt: 'one' is idle \(\w/
    )
    yield* send("a long one")
    yield* status.until(started, "running")
    yield* send("next")
    yield* passing(client.Interrupt())
    const stopped = yield* status.until(({ state }) => state === "interrupted", "interrupted")
    assert.isFalse(stopped.ready)
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(cli.texts("submitted"), ["a long one"])
    yield* send("now this", { force: true, front: true })
    yield* until(() => cli.texts("submitted").includes("now this"), "the forced one")
    assert.strictEqual(cli.texts("submitted")[1], "now this")
  })

  hosted("that wait can be edited, moved, removed and cleared", function* () {
    const { cli, client, send, status } = yield* hostDemo()
    yield* send("a long one")
    yield* status.until(started, "running")
    const [a, b, c] = [yield* send("a"), yield* send("b"), yield* send("c")]
    yield* client.QueueEdit({ id: a.id, text: "A" })
    yield* client.QueueMove({ id: c.id, position: 1 })
    yield* client.QueueRemove({ id: b.id })
    const waiting = (yield* client.Queue()).queue.filter((message) => message.status === "queued")
    assert.deepStrictEqual(each(waiting, "text"), ["c", "A"])
    assert.deepInclude(yield* refusal(client.QueueEdit({ id: "NONE", text: "x" })), { exitCode: 3 })
    assert.deepInclude(yield* client.QueueClear(), { removed: 2 })
    yield* status.until(({ state }) => state === "idle", "the turn is over")
    yield* TestClock.adjust("3 seconds")
    assert.deepStrictEqual(cli.texts("submitted"), ["a long one"])
  })
})

describe("a session's permissions", () => {
  const always = { modes: { autoSend: "always" } } as const
  const pause = { modes: { autoSend: "pause" } } as const

  hosted(
    "always: the hook allows a tool and no dialog is left for the user; a question waits for an answer",
    function* () {
      const disk = yield* DiskFake
      const inbox = yield* HookInboxFake
      const { cli, client, paths, send, status } = yield* hostDemo()
      assert.deepStrictEqual(yield* client.SetModes(always), { autoSend: "always", churn: "wait" })
      yield* until(() => inbox.deciding(paths.spool).includes("PermissionRequest"), "hooks wait")
      const from = status.seen().length
      yield* send("write a file")
      yield* status.until((it) => done(it) && it.lastResponse !== null, "the turn is over")
      assert.notInclude(each(status.seen().slice(from), "state"), "needs_permission")
      assert.deepStrictEqual([cli.texts("key_in_dialog"), cli.texts("dialog_answered")], [[], ["Yes"]])
      assert.deepStrictEqual(rowsOf(disk.audit, "verdict", "by", "told"), [["allow", "mode", "hook"]])
      yield* send("ask me")
      yield* status.until(({ state }) => state === "needs_input", "the question")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(status.last()?.state, "needs_input")
      yield* passing(client.Answer({ answer: "1" }))
      yield* status.until(done, "answered")
    }
  )

  hosted("pause: the dialog waits, until the mode is always: then a key answers it", function* () {
    const disk = yield* DiskFake
    const inbox = yield* HookInboxFake
    const { cli, client, paths, send, status } = yield* hostDemo()
    yield* send("permission, please")
    yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(status.last()?.state, "needs_permission")
    yield* client.SetModes(always)
    yield* status.until(done, "the dialog is answered")
    assert.deepStrictEqual(cli.texts("key_in_dialog"), ["1"])
    const last = disk.audit.at(-1)
    assert.deepStrictEqual(
      [last?.event, last?.verdict, last?.by, last?.told, last?.request?.tool],
      ["screen", "allow", "mode", "key", "Write"]
    )
    yield* client.SetModes(pause)
    yield* until(() => inbox.deciding(paths.spool).length === 0, "hooks wait no more")
    assert.strictEqual(disk.modes.get("one")?.autoSend, "pause")
  })

  hosted("a deny rule refuses with its reason; a person's answer is written down as theirs", function* () {
    const disk = yield* DiskFake
    const system = yield* SystemFake
    const policy = { deny: [{ path: "**/notes.md", reason: "notes are mine" }], ask: [], allow: [] }
    yield* system.setSettings({ policy, modes: { autoSend: "always", churn: "wait" } })
    const { client, send, status } = yield* hostDemo()
    yield* send("write a file")
    yield* status.until(done, "the turn is over")
    assert.include((yield* client.Screen()).text, "Write notes.md: not allowed")
    const [entry] = disk.audit
    assert.deepStrictEqual([entry?.verdict, entry?.by, entry?.told], ["deny", "rule", "hook"])
    assert.include(entry?.why ?? "", "notes are mine")

    yield* system.setSettings({ policy: { deny: [], ask: [{ tool: "Write" }], allow: [] } })
    yield* client.SetModes(pause)
    yield* send("write a file")
    yield* status.until(({ state }) => state === "needs_permission", "the dialog")
    yield* passing(client.Answer({ answer: "No" }))
    yield* status.until(done, "the turn is over")
    const last = disk.audit.at(-1)
    assert.deepStrictEqual([last?.verdict, last?.by, last?.told], ["deny", "user", "key"])
  })

  hosted("while the audit log cannot be written nothing is decided: the user is asked", function* () {
    const disk = yield* DiskFake
    const { client, send, status } = yield* hostDemo()
    yield* client.SetModes(always)
    disk.faults.add("audit")
    yield* send("write a file")
    // what is decided before the fault is known is kept, and written as soon as it can be
    yield* status.until(done, "the first turn is over")
    yield* send("write a file")
    yield* status.until(({ state }) => state === "needs_permission", "the user is asked")
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual([status.last()?.state, disk.audit.length], ["needs_permission", 0])
    disk.faults.delete("audit")
    yield* status.until(done, "decided again")
    assert.deepStrictEqual(
      disk.audit.map(({ verdict }) => verdict).filter((it) => it === "allow"),
      ["allow", "allow"]
    )
  })
})

describe("why a session is in its state", () => {
  hosted("is told with the rule that decided", function* () {
    const { client, status } = yield* hostDemo()
    const why = yield* client.Why()
    assert.deepStrictEqual([why.ready, why.decided.state], [true, status.last()?.state])
    assert.isTrue(why.evidence.length > 0)
    const first = yield* client.Watch().pipe(Stream.runHead)
    assert.deepInclude(Option.getOrThrow(first), { state: "idle" })
    assert.deepInclude(yield* (yield* watch(client)).until(({ ready }) => ready, "ready"), { tag: "one" })
  })
})
