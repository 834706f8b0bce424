import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, type StdioOptions } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { childProgram } from "../support/children/childProgram.ts"
import { leaves, left, ran, same } from "../support/processes/bothWays.ts"
import { sessionStatus } from "../support/data/sessionStatus.ts"
import { longTestPatience } from "../support/run/patience.ts"
import { makeRoom, type Ran, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

/** The program's exit code and words where its standard output is a full disk. */
const ranFull = (room: Room, program: string, args: ReadonlyArray<string>): Effect.Effect<Omit<Ran, "stdout">> =>
  Effect.callback((resume) => {
    const full = fs.openSync("/dev/full", "w")
    const stdio: StdioOptions = ["ignore", full, "pipe"]
    const child = spawn(process.execPath, [childProgram(program), ...args], { env: room.env, cwd: room.dir, stdio })
    fs.closeSync(full)
    let stderr = ""
    child.stderr!.setEncoding("utf8").on("data", (data: string) => (stderr += data))
    child.once("close", (code) => resume(Effect.succeed({ code, stderr })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("the quick way", () => {
  live(
    "prints what the whole program prints, for a session that runs and one that has ended",
    function* () {
      const room = yield* makeRoom("0.1", { hosts: "apart" })
      yield* same(room, ["--help", "status", "status --json", "queue edit -h", "help", "help why", "help exec"])
      yield* leaves(room, ["help docs", "why w --help", "help why --json"])
      yield* startDemo(room, "w")
      yield* leaves(room, ["wait w --until running"])
      yield* same(room, ["last w", "send w hello", "send w --json hello"])
      yield* room.until("w", ({ ready, queue }) => ready && queue.length === 0, "its answers")
      yield* same(room, [
        "status",
        "status w",
        "status w --json",
        "wait w",
        "wait w --until idle,exited --json",
        "queue w",
        "queue w --json",
        "screen w --json",
        "last w",
        "mode w",
        "mode w --churn send --json",
        "answer w 1",
        "interrupt w",
        "keys w Foo",
        "mute w --for 1h",
        "mute w",
        "unmute w --json",
        "dismiss w",
        "dismiss w --json",
        "audit w",
        "log w --json",
        "log w --last 3",
        "log --search hello",
        "log w --search hello --json",
        "report --by cli",
        "queue force w nothing",
        "queue retry w all",
        "queue release w"
      ])
      yield* leaves(room, [
        "log --last 0",
        "log --search ?",
        "report --by day",
        "log w --since tomorrow",
        "mute w --for ever"
      ])
      if (fs.existsSync("/dev/full")) {
        for (const program of ["quickChild", "wholeChild"]) {
          const { code, stderr } = yield* ranFull(room, program, ["send", "w", "unseen"])
          const id =
            /^leap: the output could not be written: ENOSPC.*; it begins: (\w{26})$/m.exec(stderr)?.[1] ?? stderr
          assert.strictEqual(code, 1, program)
          assert.include(
            (yield* room.leap(["queue", "w", "--json"])).stdout,
            id,
            "what was queued is named all the same"
          )
        }
        yield* room.until("w", ({ ready, queue }) => ready && queue.length === 0, "they are done")
      }
      // damaged lines of the queue's log were set aside; a message is held from before
      fs.writeFileSync(path.join(room.session("w"), "queue.ndjson.damaged"), "one\ntwo\n")
      yield* room.leap(["send", "w", "--at", "5h", "for later"])
      yield* room.leap(["queue", "hold", "w"])
      yield* same(room, ["queue move w nothing 1", "queue hold w"])
      yield* same(room, ["status w --json", "status", "status w", "queue w", "send w hello", "send w --json hello"])
      yield* room.leap(["queue", "clear", "w"])
      fs.rmSync(path.join(room.session("w"), "queue.ndjson.damaged"))

      yield* room.leap(["stop", "w"])
      yield* same(room, ["status", "status --json", "status w --json", "wait w", "last w"])
      yield* same(room, ["queue w --json", "screen w"])
      // what the demo CLI could go on with, its provider says
      yield* leaves(room, ["wait w --until idle", "send w hello", "mode w"])
    },
    longTestPatience
  )

  /** A host that greets, and then does this with what it is asked. */
  const fakeHost = (
    room: Room,
    greeting: object,
    onCall: (socket: net.Socket, name: string, id: string, payload: { readonly id?: string }) => void
  ) =>
    Effect.acquireRelease(
      Effect.callback<net.Server>((resume) => {
        fs.mkdirSync(room.session("f"), { recursive: true })
        const server = net.createServer((socket) => {
          socket.on("error", () => {})
          socket.setEncoding("utf8").on("data", (data: string) => {
            for (const line of data.split("\n").filter((line) => line !== "")) {
              const { id, payload, tag } = JSON.parse(line) as {
                readonly id: string
                readonly tag: string
                readonly payload: { readonly id?: string }
              }
              if (tag === "Hello") socket.write(answer(id, greeting))
              else onCall(socket, tag, id, payload)
            }
          })
        })
        server.listen(path.join(room.session("f"), "host.sock"), () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    )
  const answer = (requestId: string, value: unknown) =>
    `${JSON.stringify({ _tag: "Exit", requestId, exit: { _tag: "Success", value } })}\n`
  const hello = { protocol: 1, version: "9", tag: "f", hostPid: 1, ended: false }

  live("names a message before it sends it, so that the whole program sends it no second time", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const asked: Array<string> = []
    yield* fakeHost(room, hello, (socket, name, _, payload) => {
      asked.push(`${name} ${payload.id}`)
      socket.destroy()
    })
    const quick = yield* ran(room, "quickChild", ["send", "f", "--force", "hello"])
    assert.match(quick.stdout, /^--id [0-9A-HJKMNP-TV-Z]{26}$/)
    assert.deepStrictEqual(
      [quick.code, quick.stderr, asked],
      [left, "", [`Send ${quick.stdout.slice("--id ".length)}`]]
    )
  })

  live("answers and interrupts once, also a host that dies over it", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const asked: Array<string> = []
    yield* fakeHost(room, hello, (socket, name) => {
      asked.push(name)
      socket.destroy()
    })
    for (const line of ["answer f 1", "interrupt f"]) {
      const quick = yield* ran(room, "quickChild", line.split(" "))
      assert.deepStrictEqual([quick.code, quick.stdout], [1, ""])
      assert.match(quick.stderr, /^leap: the session's host does not answer, or ended while it was asked/)
    }
    assert.deepStrictEqual(asked, ["Answer", "Interrupt"])
  })

  live("leaves a host of another protocol, and one that answers in another form, to the whole program", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    yield* Effect.scoped(
      Effect.andThen(
        fakeHost(room, { ...hello, protocol: 2 }, () => {}),
        leaves(room, ["send f --force hello"])
      )
    )
    yield* fakeHost(room, hello, (socket, _, id) => void socket.write(answer(id, { tag: "f" })))
    yield* leaves(room, ["status f", "queue f", "screen f", "mode f", "send f hello"])
  })

  live("prints of a host of another version what is known of its answers", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    const { cwd, queue, tag, ...others } = sessionStatus({ tag: "f", state: "running" })
    const message = {
      later: 1,
      text: "x",
      id: "1",
      images: [],
      queuedAt: "",
      status: "queued",
      force: false,
      why: null
    }
    const answers: Readonly<Record<string, unknown>> = {
      Status: { later: { a: 1 }, ...others, queue: [...queue, message], cwd, tag },
      Queue: { recent: [], later: [], queue: [message] }
    }
    yield* fakeHost(room, hello, (socket, name, id) => void socket.write(answer(id, answers[name])))
    yield* same(room, ["status f --json", "status", "mode f", "queue f --json"])
  })

  live("leaves a host that does not answer to the whole program", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    fs.mkdirSync(room.session("f"), { recursive: true })
    yield* Effect.acquireRelease(
      Effect.callback<net.Server>((resume) => {
        const server = net.createServer(() => {})
        server.listen(path.join(room.session("f"), "host.sock"), () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    )
    yield* leaves(room, ["status f"])
  })
})
