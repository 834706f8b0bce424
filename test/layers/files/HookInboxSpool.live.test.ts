import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as HookInboxSpool from "../../../src/layers/files/HookInboxSpool.ts"
import { isBellUsed } from "../../../src/layers/files/HookInboxSpoolBell.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import { DirectoryWatch } from "../../../src/services/DirectoryWatch.ts"
import { HookInbox } from "../../../src/services/HookInbox.ts"
import { callHook, type HookCall, script, shells, startHook } from "../../support/wiring/hookScript.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { live, liveWith } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

const layers = HookInboxSpool.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer]))

const directory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-hooks-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

const call = (options: HookCall) => Effect.promise(() => callHook(options))

/** A watched spool of this process: its own children's hooks are the session's. */
const session = Effect.gen(function* () {
  const spool = path.join(yield* directory, "spool")
  const inbox = yield* HookInbox
  yield* inbox.clear(spool)
  const stream = yield* inbox.watch({ spool, cliPid: process.pid })
  // Every wait has a bound: the test's own.
  const take = (count: number) => Stream.runCollect(Stream.take(stream, count))
  const left = () => fs.readdirSync(spool).filter((name) => name !== "bell")
  return { spool, inbox, stream, take, left }
})

/** Waits until it holds; the test's time-out is the bound. */
const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep("10 millis"), until(holds))))

const json = (n: number) =>
  JSON.stringify({ session_id: "outer", n, text: "line\u2028 \"quoted\" 'x' $HOME \\n \0".repeat(n % 7) })

// the ordinary test command takes one of them
const tried = isThorough ? shells : shells.slice(0, 1)

describe.each(tried.map((shell) => [shell.join(" "), shell] as const))("leap-hook.sh in %s", (_, shell) => {
  const hook = (options: HookCall) => call({ shell, ...options })

  liveWith(layers)("loses nothing: one after the other, in order", function* () {
    const { left, spool, take } = yield* session
    const count = isThorough ? 200 : 30
    const calls = Effect.forEach(
      Array.from({ length: count }, (_, n) => n),
      (n) =>
        Effect.map(hook({ spool, event: `E${n}`, payload: json(n) }), ({ code, stderr, stdout }) =>
          assert.deepStrictEqual([code, stdout, stderr], [0, "", ""])
        )
    )
    const [events] = yield* Effect.all([take(count), calls], { concurrency: 2 })
    assert.deepStrictEqual(
      each(events, "event"),
      Array.from({ length: count }, (_, n) => `E${n}`)
    )
    assert.deepStrictEqual(
      each(events, "raw"),
      Array.from({ length: count }, (_, n) => json(n))
    )
    assert.deepStrictEqual(
      each(events, "payload"),
      Array.from({ length: count }, (_, n) => JSON.parse(json(n)) as unknown)
    )
    assert.deepStrictEqual(
      each(events, "sequence"),
      Array.from({ length: count }, (_, n) => n + 1)
    )
    assert.isTrue(events.every(({ callerPid, nested }) => callerPid === process.pid && !nested))
    assert.isTrue(events.every(({ at }, i) => i === 0 || at >= (events[i - 1]?.at ?? 0)))
    yield* until(() => left().length === 0)
  })

  liveWith(layers)("loses nothing: many at once", function* () {
    const { left, spool, take } = yield* session
    const all = Array.from({ length: isThorough ? 200 : 60 }, (_, n) => n)
    const calls = Effect.forEach(all, (n) => hook({ spool, payload: json(n) }), {
      concurrency: "unbounded",
      discard: true
    })
    const [events] = yield* Effect.all([take(all.length), calls], { concurrency: 2 })
    const numbers = events.map(({ payload }) => (payload as { n: number }).n)
    assert.deepStrictEqual(
      numbers.sort((a, b) => a - b),
      all
    )
    assert.deepStrictEqual(
      each(events, "sequence"),
      all.map((n) => n + 1)
    )
    yield* until(() => left().length === 0)
  })

  liveWith(layers)("delivers payloads of every kind", function* () {
    const { spool, take } = yield* session
    const large = JSON.stringify({ session_id: "outer", text: "x".repeat(5 << 20) })
    const payloads: ReadonlyArray<string | Uint8Array | null> = [
      '{"a": [1, ',
      "",
      null,
      "plain words",
      Uint8Array.of(0x7b, 0xff, 0xfe, 0x00, 0x7d),
      Buffer.from('{"a":"\xe9"}', "latin1"),
      large
    ]
    const calls = Effect.forEach(payloads, (payload, n) => hook({ spool, event: `E${n}`, payload }))
    const [events, ends] = yield* Effect.all([take(payloads.length), calls], { concurrency: 2 })
    assert.deepStrictEqual(
      rowsOf(ends, "code", "stdout", "inputError"),
      payloads.map(() => [0, "", null])
    )
    assert.deepStrictEqual(
      each(events, "event"),
      payloads.map((_, n) => `E${n}`)
    )
    assert.deepStrictEqual(rowsOf(events.slice(0, 5), "payload", "raw"), [
      [null, '{"a": [1, '],
      [null, ""],
      [null, ""],
      [null, "plain words"],
      [null, "{\ufffd\ufffd\0}"]
    ])
    // A byte that is no UTF-8 does not cost the whole payload.
    assert.deepStrictEqual(events[5]?.payload, { a: "\ufffd" })
    assert.deepStrictEqual(events[6]?.payload, JSON.parse(large))
    assert.isAtMost(events[6]?.raw.length ?? 0, 1 << 16)
    assert.isTrue(events.every(({ nested }) => !nested))
  })

  live("is silent and reads all of its input when there is nobody to tell", function* () {
    const dir = yield* directory
    const file = path.join(dir, "file")
    fs.writeFileSync(file, "")
    const large = "x".repeat(1 << 20)
    for (const spool of [null, "", path.join(dir, "gone"), file, "/proc/self", "/dev/null/x"]) {
      for (const event of ["Stop", "", "../../etc/x", "a b", ".hidden", "-n"]) {
        assert.deepStrictEqual(
          yield* hook({ spool, event, payload: large }),
          { code: 0, stdout: "", stderr: "", inputError: null },
          `${spool} ${event}`
        )
      }
      for (const payload of ["{}", null]) {
        const { code, stderr, stdout } = yield* hook({ spool, args: ["{}"], payload })
        assert.deepStrictEqual([code, stdout, stderr], [0, "{}\n", ""])
      }
    }
    assert.deepStrictEqual(fs.readdirSync(dir), ["file"])
    // A name that could lead out of the spool is not taken.
    assert.strictEqual((yield* hook({ spool: dir, event: "../escaped", payload: "{}" })).code, 0)
    assert.deepStrictEqual(fs.readdirSync(dir), ["file"])
  })

  live("writes files that only the user can read", function* () {
    const dir = yield* directory
    yield* hook({ spool: dir, payload: "{}" })
    const files = fs.readdirSync(dir)
    assert.strictEqual(files.length, 2)
    for (const file of files) assert.strictEqual(fs.statSync(path.join(dir, file)).mode & 0o777, 0o600)
  })

  live("never writes over an event that was not taken yet", function* () {
    const dir = yield* directory
    // The shell that execs the script gives it its pid: an earlier process with that pid has left an event.
    const end = yield* Effect.promise(() =>
      callHook({
        shell: [
          "sh",
          "-c",
          'for n in 0 1; do : >"$LEAP_SIGNAL_DIR/Stop,$$,$PPID,$n"; done; exec "$@"',
          "hook",
          ...shell
        ],
        spool: dir,
        payload: '{"new":true}'
      })
    )
    assert.strictEqual(end.code, 0)
    const marks = fs
      .readdirSync(dir)
      .filter((name) => !name.startsWith("."))
      .sort()
    assert.strictEqual(marks.length, 3)
    assert.include(fs.readFileSync(path.join(dir, `.${marks[2]}`), "utf8"), '{"new":true}')
  })
})

describe("HookInboxSpool", () => {
  liveWith(layers)("hears of events in any way: by its bell, by marks, and after a while by neither", function* () {
    const { left, spool, take } = yield* session
    const bell = path.join(spool, "bell")
    /** Above the largest pid that Linux and macOS give out. */
    const nobody = 2 ** 22
    const put = (name: string) =>
      fs.writeFileSync(path.join(spool, `.${name}`), `leap-hook 1 ${name.split(",")[0]} 2\n{"of":"${name}"}`)
    const ring = (text: string) => {
      if (isBellUsed) fs.appendFileSync(bell, text)
      else
        for (const name of text.split("\n"))
          if (fs.existsSync(path.join(spool, `.${name}`))) fs.writeFileSync(path.join(spool, name), "")
    }
    if (isBellUsed) yield* until(() => fs.existsSync(bell))
    for (const name of [
      `Rung,${nobody + 1},2,0`,
      `Marked,${nobody + 2},2,0`,
      `Both,${nobody + 3},2,0`,
      `Cut,${nobody + 4},2,0`,
      `Halved,${nobody + 5},2,0`
    ])
      put(name)
    fs.writeFileSync(path.join(spool, `Both,${nobody + 3},2,0`), "")
    fs.writeFileSync(path.join(spool, `Marked,${nobody + 2},2,0`), "")
    // Lines that are none, of events that are not there, and one whose end never comes.
    ring(
      `\nRung,${nobody + 1},2,0\n\nBoth,${nobody + 3},2,0\n\nBoth,${nobody + 3},2,0\n\0\xff\n../../etc/passwd\nGone,${nobody + 9},2,0\ntaken,Rung,${nobody + 1},2,0\nCut,4`
    )
    const events = yield* take(5)
    assert.sameMembers(each(events, "event"), ["Rung", "Marked", "Both", "Cut", "Halved"])
    for (const { event, payload } of events) assert.match((payload as { of: string }).of, new RegExp(`^${event},`))
    // The bell taken away, or another put in its place, and the events still come once each.
    for (const again of [
      () => fs.rmSync(bell, { force: true }),
      () => fs.writeFileSync(`${bell}.new`, ""),
      () => fs.truncateSync(bell)
    ]) {
      if (!isBellUsed) break
      again()
      if (fs.existsSync(`${bell}.new`)) fs.renameSync(`${bell}.new`, bell)
      yield* until(() => fs.existsSync(bell))
      const [[event]] = yield* Effect.all([take(1), call({ spool, event: "Next", payload: "{}" })], {
        concurrency: 2
      })
      assert.strictEqual(event?.event, "Next")
    }
    yield* until(() => left().length === 0)
  })

  liveWith(Layer.merge(layers, DirectoryWatchNode.layer))(
    "hears of an event without a notice once its CLI stirs: in a directory in whose place another was put, above",
    function* () {
      const { spool, take } = yield* session
      const { stir } = yield* DirectoryWatch
      stir()
      const [[first]] = yield* Effect.all([take(1), call({ spool, event: "First", payload: "{}" })], {
        concurrency: 2
      })
      assert.strictEqual(first?.event, "First")
      // what is tidied up after it, and the check that follows the stir
      yield* Effect.sleep("2500 millis")
      const parent = path.dirname(spool)
      fs.renameSync(parent, `${parent}-old`)
      fs.mkdirSync(spool, { recursive: true })
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(`${parent}-old`, { recursive: true, force: true })))
      const early = call({ spool, event: "Early", payload: "{}" }).pipe(Effect.andThen(Effect.sync(stir)))
      const [[event]] = yield* Effect.all([take(1), early], { concurrency: 2 })
      assert.strictEqual(event?.event, "Early")
      const [[next]] = yield* Effect.all([take(1), call({ spool, event: "Next", payload: "{}" })], { concurrency: 2 })
      assert.strictEqual(next?.event, "Next", "the new directory is watched")
    }
  )

  liveWith(layers)("tells a nested CLI's hooks from the session's own", function* () {
    const { spool, take } = yield* session
    const inner = { spool, through: ["timeout", "60"], detached: true }
    const calls = Effect.gen(function* () {
      // Before the session has had a hook of its own, and after.
      yield* call({ ...inner, event: "Early", payload: '{"session_id":"inner"}' })
      yield* call({ spool, event: "SessionStart", payload: '{"session_id":"outer"}' })
      yield* call({ ...inner, event: "Late", payload: '{"session_id":"outer"}' })
      yield* call({
        spool,
        shell: ["sh", "-c", `"$@"; :`, "hook", "sh"],
        event: "ThroughShell",
        payload: '{"session_id":"outer"}'
      })
      yield* call({ spool, event: "Cleared", payload: '{"session_id":"another"}' })
    })
    const [events] = yield* Effect.all([take(5), calls], { concurrency: 2 })
    assert.deepStrictEqual(rowsOf(events, "event", "nested"), [
      ["Early", true],
      ["SessionStart", false],
      ["Late", true],
      ["ThroughShell", false],
      ["Cleared", false]
    ])
    assert.strictEqual(events[3]?.callerPid, process.pid)
    assert.notStrictEqual(events[2]?.callerPid, process.pid)
  })

  liveWith(layers)("delivers what came before it watched, oldest first, but nothing of before the CLI", function* () {
    const spool = path.join(yield* directory, "deep", "spool")
    const inbox = yield* HookInbox
    yield* inbox.clear(spool)
    yield* call({ spool, event: "OfAnEarlierHost", payload: "{}" })
    yield* inbox.clear(spool)
    assert.deepStrictEqual(fs.readdirSync(spool), [])
    assert.strictEqual(fs.statSync(spool).mode & 0o777, 0o700)
    for (const event of ["First", "Second"]) yield* call({ spool, event, payload: "{}" })
    const events = yield* Stream.runCollect(Stream.take(yield* inbox.watch({ spool, cliPid: process.pid }), 2))
    assert.deepStrictEqual(rowsOf(events, "event", "sequence"), [
      ["First", 1],
      ["Second", 2]
    ])
  })

  liveWith(layers)("goes on when its directory is deleted or replaced", function* () {
    const { spool, take } = yield* session
    for (let round = 0; round < 3; round++) {
      fs.rmSync(spool, { recursive: true, force: true })
      if (round > 0) yield* until(() => fs.existsSync(spool))
      else fs.mkdirSync(spool)
      const [[event]] = yield* Effect.all([take(1), call({ spool, event: `Round${round}`, payload: "{}" })], {
        concurrency: 2
      })
      assert.strictEqual(event?.event, `Round${round}`)
    }
    assert.strictEqual(fs.statSync(spool).mode & 0o777, 0o700)
  })

  liveWith(layers)("is not upset by what else lies in its directory", function* () {
    const { left, spool, take } = yield* session
    fs.mkdirSync(path.join(spool, "Stop,1,2,0"))
    fs.symlinkSync("/etc/passwd", path.join(spool, ".Link,3,2,0"))
    fs.writeFileSync(path.join(spool, "Link,3,2,0"), "")
    execFileSync("mkfifo", [path.join(spool, ".Fifo,4,2,0")])
    fs.writeFileSync(path.join(spool, "Fifo,4,2,0"), "")
    fs.writeFileSync(path.join(spool, "Alone,5,2,0"), "")
    fs.writeFileSync(path.join(spool, "t.signal"), '{"state":"idle"}')
    fs.writeFileSync(path.join(spool, ".half"), "leap-hook")
    fs.writeFileSync(path.join(spool, "decision"), "ask\n")
    const [events] = yield* Effect.all([take(5), call({ spool, event: "Real", payload: '{"a":1}' })], {
      concurrency: 2
    })
    const of = (event: string) => events.find((it) => it.event === event)
    assert.deepStrictEqual(of("Real")?.payload, { a: 1 })
    for (const event of ["Link", "Fifo", "Alone"])
      assert.deepStrictEqual([of(event)?.payload, of(event)?.raw], [null, ""], event)
    yield* until(() => left().length <= 4)
    assert.sameMembers(left(), ["Stop,1,2,0", "t.signal", ".half", "decision"])
  })

  liveWith(layers)("takes an event whose writer was killed in the middle", function* () {
    const { left, spool, take } = yield* session
    const child = startHook({ spool, event: "Cut" })
    child.stdin?.write('{"session_id":"outer","cut":')
    yield* until(() => left().length === 1)
    child.kill("SIGKILL")
    const [event] = yield* take(1)
    assert.strictEqual(event?.event, "Cut")
    assert.isNull(event?.payload)
    assert.isFalse(event?.nested)
    yield* until(() => left().length === 0)
    child.stdin?.end()
  })

  liveWith(layers)("does not wait for a CLI that keeps the pipe open, and delivers once", function* () {
    const { left, spool, take } = yield* session
    const child = startHook({ spool, event: "Open" })
    child.stdin?.write('{"whole":true}')
    const [event] = yield* take(1)
    assert.deepStrictEqual([event?.event, event?.payload], ["Open", { whole: true }])
    child.stdin?.end()
    yield* until(() => left().length === 0)
    const [[next]] = yield* Effect.all([take(1), call({ spool, event: "Next", payload: "{}" })], { concurrency: 2 })
    assert.deepStrictEqual([next?.event, next?.sequence], ["Next", 2])
  })

  liveWith(layers)("ends its stream with its scope, and hooks go on without it", function* () {
    const spool = path.join(yield* directory, "spool")
    const inbox = yield* HookInbox
    yield* inbox.clear(spool)
    const stream = yield* Effect.scoped(inbox.watch({ spool, cliPid: process.pid }))
    assert.deepStrictEqual(yield* Stream.runCollect(stream), [])
    assert.deepStrictEqual(yield* call({ spool, payload: "{}" }), {
      code: 0,
      stdout: "",
      stderr: "",
      inputError: null
    })
    assert.strictEqual(fs.readdirSync(spool).length, 2)
  })

  /** A file system of a few pages, mounted where nobody else sees it. */
  const onFullDisk = (commands: string) => {
    const disk = fs.mkdtempSync(path.join(os.tmpdir(), "leap-disk-"))
    try {
      return execFileSync(
        "unshare",
        [
          "-rm",
          "sh",
          "-ec",
          `
    mount -t tmpfs -o size=64k,nr_inodes=64 tmpfs "$1"
    ${commands}`,
          "sh",
          disk,
          script
        ],
        { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] } }
      )
    } finally {
      fs.rmdirSync(disk)
    }
  }
  const canMount = (() => {
    try {
      onFullDisk(":")
      return true
    } catch {
      return false
    }
  })()
  it.skipIf(!canMount).each([
    ["no bell", ":", ""],
    ["a bell", ': >"$1/spool/bell"', "bell\n"]
  ])("a full disk cuts the payload, not the event: %s", (_, make, shown) => {
    const printed = onFullDisk(`
      mkdir "$1/spool"; ${make}; head -c 100000 /dev/zero >"$1/fill" 2>/dev/null || :
      head -c 300000 /dev/zero | LEAP_SIGNAL_DIR="$1/spool" "$2" Stop '{}'; echo "exit $?"
      ls "$1/spool"`)
    const [, ...listed] = printed.split("exit 0\n")
    assert.strictEqual(printed.slice(0, 10), "{}\nexit 0\n")
    assert.strictEqual(listed.join("").replace(/^Stop,\d+,\d+,0\n/m, ""), shown)
    assert.match(printed, /^Stop,\d+,\d+,0$/m)
  })
})
