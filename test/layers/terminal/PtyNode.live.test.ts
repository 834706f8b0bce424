import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Option, Stream, Schedule } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { problem, problemOf } from "../../../src/layers/terminal/PtyNode.ts"
import * as PtyNode from "../../support/ptyNode.ts"
import { Pty, type PtyHandle, type PtyOptions } from "../../../src/services/Pty.ts"
import { outputOf, suite, transcript } from "../../suites/PtySuite.ts"
import { patience } from "../../support/run/patience.ts"
import { liveWith } from "../../support/run/effects.ts"

const base = {
  cwd: os.tmpdir(),
  env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TERM: "xterm-256color" },
  size: { cols: 80, rows: 24 }
}
const sh = (script: string, change: Partial<PtyOptions> = {}): PtyOptions => ({
  ...base,
  command: "sh",
  args: ["-c", script],
  ...change
})
const bytes = (text: string) => new TextEncoder().encode(text)
const all = (child: PtyHandle) => Effect.timeout(outputOf(child), patience)
const spawn = (options: PtyOptions) => Effect.flatMap(Pty, (pty) => pty.spawn(options))
const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-pty-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true }))
)
/** Whether a process runs; one that is dead and not yet reaped does not. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z"
  } catch {
    return false
  }
}

// a shell that prints and exits as told, a line an order; what the terminal echoes has no angle brackets
suite(
  "PtyNode",
  PtyNode.layer,
  Effect.succeed({
    options: sh('while read -r order text; do case $order in p) printf "<%s>" "$text";; x) exit "$text";; esac; done'),
    print: (child, text) => child.write(bytes(`p ${text.slice(1, -1)}\n`)),
    exit: (child, code) => child.write(bytes(`x ${code}\n`))
  })
)

/** A test with pseudo-terminals of its own. */
const spawned = liveWith(PtyNode.layer)

describe("PtyNode, real processes", () => {
  spawned("is a terminal of the size asked for, which follows a resize", function* () {
    const child = yield* spawn(
      sh("test -t 0 && test -t 1 && stty size; read x; stty size", { size: { cols: 91, rows: 17 } })
    )
    const reading = yield* Effect.forkScoped(all(child))
    yield* Effect.yieldNow
    yield* child.resize({ cols: 133, rows: 44 })
    yield* child.write(bytes("\n"))
    assert.match((yield* Fiber.join(reading)).toString(), /44 133/)
  })

  spawned(
    "continues what is stopped of its group, behind a launcher too, and tells whether anything was",
    function* () {
      const state = (pid: string) => fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0]
      const wait = (test: () => boolean) =>
        Effect.suspend(() => (test() ? Effect.void : Effect.fail("not yet"))).pipe(
          Effect.retry(Schedule.spaced("5 millis")),
          Effect.timeout(patience)
        )
      for (const launcher of ["", "; exit $?"]) {
        const child = yield* spawn(sh(`sh -c 'echo "<$$>"; kill -STOP $$; echo on; read x'${launcher}`))
        const seen = yield* transcript(child)
        const [, pid = ""] = yield* seen.until(/<(\d+)>/)
        yield* wait(() => state(pid) === "T")
        assert.isTrue(yield* child.resume)
        yield* seen.until(/on/)
        assert.isFalse(yield* child.resume)
      }
    }
  )

  spawned("tells of a child that was stopped, as the system does", function* () {
    const child = yield* spawn(sh("printf '<up>'; read x"))
    // one that is stopped before it leads its group is not of it
    yield* (yield* transcript(child)).until(/<up>/)
    // another child, of a test before, may be what is told of first
    const resumed = yield* child.stirs.pipe(
      Stream.mapEffect(() => child.resume),
      Stream.filter((wasStopped) => wasStopped),
      Stream.runHead,
      Effect.forkChild({ startImmediately: true })
    )
    process.kill(child.pid, "SIGSTOP")
    assert.isTrue(Option.isSome(yield* Effect.timeout(Fiber.join(resumed), patience)))
  })

  spawned("starts in its directory with its environment and nothing else's", function* () {
    const dir = fs.realpathSync(yield* temporary)
    const child = yield* spawn(sh("pwd; env", { cwd: dir, env: { ...base.env, ONLY: "this one" } }))
    const text = (yield* all(child)).toString()
    assert.include(text, dir)
    assert.include(text, "ONLY=this one")
    assert.notInclude(text, "HOME=")
  })

  spawned(
    "has what is written at once in its order, also where the child did not take a write before it",
    function* () {
      const child = yield* spawn(sh("stty raw -echo; printf '<up>'; read -r go; cat"))
      const seen = yield* transcript(child)
      yield* seen.until(/<up>/)
      const sent = Array.from({ length: 30_000 }, (_, i) => `${i},`).join("")
      const at = child.writeNow(bytes(sent))
      assert.isAbove(at, 0)
      assert.isBelow(at, sent.length, "a terminal holds only so much")
      const rest = yield* Effect.forkScoped(child.write(bytes(sent.slice(at))), { startImmediately: true })
      assert.strictEqual(child.writeNow(bytes("never")), 0, "a write waits")
      yield* child.signal("SIGKILL")
      yield* Effect.timeout(Fiber.join(rest), patience)
      assert.strictEqual(child.writeNow(bytes("again")) > 0, true, "none waits any more")
    }
  )

  spawned("gives bytes, not text: what is no UTF-8 comes through, cut characters are not mended", function* () {
    const child = yield* spawn(sh("stty raw; printf '\\377\\302\\200\\303'"))
    assert.deepStrictEqual([...(yield* all(child))], [0xff, 0xc2, 0x80, 0xc3])
  })

  spawned("loses none of a large output, though the child is gone when it is read", function* () {
    const child = yield* spawn(
      sh('i=0; while [ $i -lt 20000 ]; do echo "line $i of many, long enough to fill a buffer"; i=$((i+1)); done')
    )
    const lines = (yield* all(child)).toString().split("\r\n")
    assert.strictEqual(lines.length, 20_001)
    assert.strictEqual(lines[19_999], "line 19999 of many, long enough to fill a buffer")
    assert.deepStrictEqual(yield* child.exit, { code: 0, signal: null })
  })

  liveWith(
    PtyNode.layerWith(async () => {
      const nodePty = await import("node-pty")
      return {
        spawn: (...args) => {
          const pty = nodePty.spawn(...args)
          const { _handle } = (
            pty as unknown as { readonly _socket: { readonly _handle: { readStart: () => number } } }
          )._socket
          _handle.readStart = () => 0
          return pty
        }
      }
    })
  )("loses nothing when the terminal is closed before it was read, as it is when the event loop stalls", function* () {
    const child = yield* spawn(sh("printf 'x%.0s' $(seq 3000); printf END"))
    yield* Effect.timeout(child.exit, patience)
    const text = (yield* all(child)).toString()
    assert.deepStrictEqual([text.length, text.slice(-3)], [3003, "END"])
  })

  spawned("delivers a megabyte of input whole and in order", function* () {
    const dir = yield* temporary
    const file = path.join(dir, "got")
    const sent = Buffer.alloc(1 << 20)
    for (let i = 0; i < sent.length; i += 8) sent.write((i / 8).toString(16).padStart(8, "0"), i, "latin1")
    const child = yield* spawn(sh(`stty raw -echo; printf go; head -c ${sent.length} >'${file}'; printf done`))
    yield* (yield* transcript(child)).until(/go/)
    const pieces = [sent.subarray(0, 300_000), sent.subarray(300_000, 300_001), sent.subarray(300_001)]
    yield* Effect.timeout(Effect.forEach(pieces, child.write, { discard: true }), patience)
    yield* Effect.timeout(child.exit, patience)
    assert.isTrue(fs.readFileSync(file).equals(sent))
  })

  spawned("a write to a child that reads nothing can be given up", function* () {
    const child = yield* spawn(sh("stty raw -echo; printf go; sleep 60"))
    yield* (yield* transcript(child)).until(/go/)
    const writing = yield* Effect.forkScoped(child.write(new Uint8Array(1 << 20)))
    yield* Effect.sleep("50 millis")
    assert.isUndefined(writing.pollUnsafe(), "the child read")
    assert.isTrue(Option.isSome(yield* Effect.timeoutOption(Fiber.interrupt(writing), patience)))
  })

  spawned("tells exit codes and the signal that killed", function* () {
    assert.deepStrictEqual(yield* (yield* spawn(sh("exit 42"))).exit, { code: 42, signal: null })
    assert.deepStrictEqual(yield* (yield* spawn(sh("kill -SEGV $$"))).exit, { code: null, signal: "SIGSEGV" })
    assert.deepStrictEqual(yield* (yield* spawn(sh("kill -KILL $$"))).exit, { code: null, signal: "SIGKILL" })
  })

  spawned("a release ends the whole process group, even one that ignores the hang-up", function* () {
    const pids: Array<number> = []
    yield* Effect.scoped(
      Effect.gen(function* () {
        const child = yield* spawn(
          sh(
            "trap '' HUP TERM INT; (trap '' HUP TERM INT; while :; do sleep 1; done) & printf \"pid=$!=\"; while :; do sleep 1; done"
          )
        )
        const [text, pid] = yield* (yield* transcript(child)).until(/pid=(\d+)=/)
        const grandchild = Number(pid)
        assert.isTrue(isAlive(child.pid) && isAlive(grandchild), text)
        pids.push(child.pid, grandchild)
      })
    )
    assert.deepStrictEqual(pids.map(isAlive), [false, false])
  })

  spawned("says why a command cannot be started", function* () {
    const dir = yield* temporary
    const plain = path.join(dir, "plain")
    fs.writeFileSync(plain, "#!/bin/sh\n")
    const why = (change: Partial<PtyOptions>) =>
      Effect.map(Effect.flip(spawn({ ...sh("true"), ...change })), (error) => error.message)
    assert.strictEqual(
      yield* why({ command: "no-such-command-here" }),
      "could not start no-such-command-here: it is not on PATH; install it, or give its full path"
    )
    assert.include(yield* why({ command: plain }), "is not an executable file (chmod +x makes it one)")
    assert.include(yield* why({ command: "plain", env: { PATH: dir } }), "is on PATH but not an executable file")
    assert.include(yield* why({ command: path.join(dir, "nothing") }), "does not exist")
    assert.include(yield* why({ command: dir }), "is not an executable file")
    assert.include(yield* why({ cwd: path.join(dir, "gone") }), "its working directory")
    assert.include(yield* why({ cwd: plain }), "is not a directory")
  })

  liveWith(PtyNode.layerWith(() => Promise.reject(new Error("no binary\nand much more"))))(
    "an addon that does not load is an error that tells what to do",
    function* () {
      const error = yield* Effect.flip(spawn(sh("true")))
      assert.strictEqual(error._tag, "PtySpawnError")
      assert.match(
        error.message,
        /^could not start sh: the terminal addon node-pty does not load on \S+ \(no binary\); reinstall/
      )
    }
  )

  liveWith(
    PtyNode.layerWith(
      () => Promise.reject(new Error("no ld")),
      () => true
    )
  )("on musl, for which there is no addon, the error says so", function* () {
    const error = yield* Effect.flip(spawn(sh("true")))
    assert.match(error.message, /node-pty does not load on \S+ \(no ld\); it has no binary for musl.*run leap on/)
  })

  spawned("is told of before anything is started, where it cannot", function* () {
    assert.isNull(yield* problem)
    const why = yield* problemOf(
      () => Promise.reject(new Error("no ld")),
      () => true
    )
    assert.match(why ?? "", /^the terminal addon node-pty does not load on \S+ \(no ld\); it has no binary for musl/)
  })

  spawned("finds a command on the child's PATH, relative directories included", function* () {
    const dir = yield* temporary
    fs.mkdirSync(path.join(dir, "bin"))
    fs.writeFileSync(path.join(dir, "bin", "mine"), "#!/bin/sh\nprintf found\n", { mode: 0o755 })
    for (const [command, PATH] of [
      ["mine", "bin"],
      ["bin/mine", "/bin"],
      ["mine", `/nowhere:${dir}/bin`]
    ] as const) {
      const child = yield* spawn({ ...base, command, args: [], cwd: dir, env: { PATH } })
      assert.strictEqual((yield* all(child)).toString(), "found")
    }
  })
})
