import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import type { Readable } from "node:stream"
import { spawn, spawnSync } from "node:child_process"
import { alive, endsWell, eventually, kill, makeRoom, startDemo } from "../support/processes/Room.ts"
import { patience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"
import { each } from "../support/data/fields.ts"

const send = (text: string) => ({ text, images: [], front: false, force: false })
const mode = (file: string) => fs.statSync(file).mode & 0o777

describe("a session's host", () => {
  live(
    "killed mid-queue loses nothing, types nothing twice, and says what it holds; its files are its own",
    function* () {
      const room = yield* makeRoom(undefined, { hosts: "apart" })
      const before = yield* startDemo(room, "crash")
      // its files are closed to others
      const dir = room.session("crash")
      for (const name of ["", "spool"]) assert.strictEqual(mode(path.join(dir, name)), 0o700, name)
      for (const name of ["host.sock", "lock", "queue.ndjson", "status.json", "host.log"])
        assert.strictEqual(mode(path.join(dir, name)), 0o600, name)
      yield* Effect.gen(function* () {
        const client = yield* room.connect("crash")
        yield* client.Send(send("a long first turn"))
        yield* room.until(
          "crash",
          (status) => status.queue.some((message) => message.status === "started"),
          "its turn began"
        )
        yield* client.Send(send("second\nof two lines"))
        yield* client.Send(send("third"))
      }).pipe(Effect.scoped)
      kill(before.hostPid!)
      yield* eventually(() => !alive(before.hostPid!), "the host is gone")
      // a socket that it leaves behind is told from a live one by connecting
      assert.isTrue(fs.existsSync(path.join(dir, "host.sock")), "a killed host leaves its socket")
      // its CLI hangs up with it
      yield* eventually(() => !alive(before.pid!), "the CLI is gone")

      const crashed = yield* room.leap(["status", "crash", "--json"])
      const [session] = JSON.parse(crashed.stdout).sessions
      assert.strictEqual(session.state, "exited")
      assert.strictEqual(session.problem.kind, "crashed")
      assert.deepStrictEqual(
        session.queue.flatMap(({ status, text }: { status: string; text: string }) =>
          status === "held" ? [text] : []
        ),
        ["second\nof two lines", "third"]
      )
      assert.strictEqual((yield* room.leap(["send", "crash", "more"])).code, 3)

      const again = yield* room.leap(["crash", "--detach"])
      assert.strictEqual(again.code, 0, again.stderr)
      assert.include(again.stderr, "2 messages are held")
      const restarted = yield* room.until("crash", (status) => status.ready, "ready again")
      assert.strictEqual(restarted.cli, "demo")
      assert.deepStrictEqual(
        // beside them, until somebody sees to it, there is the message whose turn was cut off
        restarted.queue
          .filter((message) => message.status !== "failed")
          .map((message) => [message.text.slice(0, 6), message.status]),
        [
          ["second", "held"],
          ["third", "held"]
        ]
      )
      const sentMeanwhile = yield* room.leap(["wait", "crash", "--until", "running", "--timeout", "2"])
      assert.strictEqual(sentMeanwhile.code, 4)
      // a newer one goes before them, and that is said
      const newer = yield* room.leap(["send", "crash", "newer"])
      assert.match(newer.stderr, /2 messages are held from before, and this one goes first/)
      yield* room.until("crash", ({ queue }) => queue.some(({ status }) => status === "started"), "it is sent")
      yield* endsWell(room.leap(["queue", "release", "crash"]))
      yield* room.until(
        "crash",
        ({ queue, ready }) => ready && queue.every(({ status }) => status === "done" || status === "failed"),
        "both sent"
      )
      const submitted = room
        .log()
        .filter((line) => line.event === "submitted")
        .map((line) => line.text)
      assert.deepStrictEqual(submitted, ["a long first turn", "newer", "second\nof two lines", "third"])
    }
  )

  live("has its own memory's settings, and its CLI none of them", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const said = path.join(room.dir, "environment")
    const script = `env > '${said}.new'; mv '${said}.new' '${said}'; exec sleep 1000`
    const given = ["MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"] as const
    for (const [tag, env] of [
      ["plain", {}],
      ["own", { [given[0]]: "65536", [given[1]]: "glibc.malloc.check=0" }]
    ] as const) {
      fs.rmSync(said, { force: true })
      const started = yield* room.leap([tag, "--cli", "generic", "--detach", "--", "sh", "-c", script], "", env)
      assert.strictEqual(started.code, 0, started.stderr)
      yield* eventually(() => fs.existsSync(said), "the CLI's environment")
      const lines = fs.readFileSync(said, "utf8").split("\n")
      assert.include(lines, `LEAP_TAG=${tag}`)
      const of = lines.filter((line) => line.startsWith("MALLOC_") || line.startsWith("GLIBC_"))
      assert.deepStrictEqual(
        of.toSorted(),
        Object.entries(env)
          .map(([name, value]) => `${name}=${value}`)
          .toSorted()
      )
    }
  })

  live("holds nothing open that those who started it had open: a lock of a script ends with the script", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const [program, ...args] = room.command
    // behind the first sixteen, which Node itself marks: `exec 200>lock`
    const left = 20
    const released = yield* Effect.callback<boolean>((resume) => {
      const child = spawn(program, [...args, "s", "--cli", "demo", "--detach"], {
        cwd: room.dir,
        env: room.env,
        stdio: Array.from({ length: left + 1 }, (_, fd) => (fd === left ? "pipe" : "ignore"))
      })
      const pipe = child.stdio[left as 0] as unknown as Readable
      pipe.once("close", () => resume(Effect.succeed(true))).resume()
    }).pipe(Effect.timeoutOption(patience))
    assert.isTrue(Option.isSome(released), "it is open as long as the session lives")
    yield* room.until("s", ({ ready }) => ready, "the session lives")
  })

  live("is one for a tag, however many start at the same moment", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const runs = yield* Effect.all(
      Array.from({ length: 4 }, () => room.leap(["one", "--cli", "demo", "--detach"])),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      runs.map((run) => run.code).sort((a, b) => Number(a) - Number(b)),
      [0, 5, 5, 5],
      JSON.stringify(runs)
    )
    for (const run of runs.filter((run) => run.code === 5)) assert.strictEqual(run.stderr.trim().split("\n").length, 1)
    yield* room.until("one", (status) => status.ready, "the one is well")
  })

  live(
    "garbage on its socket, and hooks with broken JSON, of another process or when leap is gone, change and fail nothing",
    function* () {
      const room = yield* makeRoom(undefined, { hosts: "apart" })
      yield* startDemo(room, "wires")
      const socket = path.join(room.session("wires"), "host.sock")
      const pieces = [
        "\n\n\n",
        "not json\n",
        '{"_tag":"Request"}\n',
        '{"_tag":"Request","id":"1","tag":"NoSuchThing","payload":null,"headers":[]}\n',
        '{"_tag":"Request","id":"2","tag":"Send","payload":{"text":5},"headers":[]}\n',
        '{"_tag":"Ack","requestId":"77"}\n',
        Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]),
        `${"x".repeat(200_000)}\n`,
        "[[[[[[[[[["
      ]
      yield* Effect.forEach(pieces, (piece) =>
        Effect.callback<void>((resume) => {
          const client = net.connect(socket, () => client.end(piece))
          client.on("error", () => {})
          client.resume()
          client.once("close", () => resume(Effect.void))
          return Effect.sync(() => client.destroy())
        }).pipe(Effect.timeout(patience))
      )
      const spool = path.join(room.session("wires"), "spool")
      const script = path.join(room.env["LEAP_HOME"]!, "hooks", "leap-hook.sh")
      const fire = (event: string, payload: string, dir = spool) => {
        const ran = spawnSync("sh", [script, event], {
          input: payload,
          encoding: "utf8",
          env: { ...room.env, LEAP_TAG: "wires", LEAP_SIGNAL_DIR: dir, LEAP_CLI_PROVIDER: "demo" }
        })
        assert.strictEqual(ran.status, 0, `${event}: ${ran.stderr}`)
        assert.strictEqual(ran.stderr, "")
      }
      fire("Stop", '{"broken": ')
      fire("UserPromptSubmit", '{"session_id":"somebody-else","prompt":"nested"}')
      fire("PermissionRequest", "")
      fire("No/Such\nEvent", "x")
      fire("Stop", "{}", path.join(room.dir, "no-such-spool"))
      yield* eventually(
        () => fs.readdirSync(spool).every((name) => name === "decision" || name === "bell"),
        "the spool is read empty"
      )
      const client = yield* room.connect("wires")
      assert.strictEqual((yield* client.Status()).state, "idle")
      yield* client.Send(send("still there?"))
      yield* room.until("wires", (status) => status.queue.some((message) => message.status === "done"), "it works on")
      assert.deepStrictEqual(
        each(
          room.log().filter((line) => line.event === "submitted"),
          "text"
        ),
        ["still there?"]
      )
    }
  )
})
