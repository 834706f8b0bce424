import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, Stream } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as RemoteHostsSsh from "../../src/layers/control/RemoteHostsSsh.ts"
import { RemoteHosts } from "../../src/services/RemoteHosts.ts"
import { System } from "../../src/services/System.ts"
import { otherMachine } from "../support/processes/otherMachine.ts"
import { endsWell, eventually, makeRoom, runToEnd, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

const machines = Effect.gen(function* () {
  const near = yield* makeRoom("0.1")
  const far = yield* makeRoom("0.1")
  const ssh = otherMachine(near, far)
  const leap = (args: ReadonlyArray<string>) => near.leap(args, "", ssh.variables)
  /** With the streams of a process of its own, which ssh inherits. */
  const program = (args: ReadonlyArray<string>, input = "") => near.program(args, input, ssh.variables)
  return { near, far, ssh, leap, program }
})

const envOf = (pid: number): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8")
  } catch {
    return ""
  }
}

const box = { name: "box", destination: "me@box", leap: "leap" }

describe("leap hosts", () => {
  live("adds, tries and forgets other machines, and lists their sessions", function* () {
    const { far, leap, near, ssh } = yield* machines
    assert.match((yield* leap(["hosts"])).stderr, /no other machine.*leap hosts add/)
    assert.strictEqual((yield* leap(["hosts", "add", "--", "box", "-oProxyCommand=pwn"])).code, 2)
    yield* endsWell(leap(["hosts", "add", "box", "me@box"]))
    yield* endsWell(leap(["hosts", "add", "bad", "me@bad", "--leap", "/nope/leap"]))
    assert.match((yield* leap(["hosts"])).stdout, /^box +me@box +leap$/m)
    yield* startDemo(far, "api")
    yield* startDemo(near, "own")

    const tried = yield* leap(["hosts", "test", "--json"])
    assert.strictEqual(tried.code, 1)
    const { hosts } = JSON.parse(tried.stdout) as { hosts: ReadonlyArray<Record<string, unknown>> }
    assert.deepInclude(hosts[0], { name: "box", reached: true, sessions: 1, running: 1 })
    assert.deepInclude(hosts[1], { name: "bad", reached: false })
    assert.match(String(hosts[1]?.["why"]), /no '\/nope\/leap'.*leap hosts add bad me@bad --leap PATH/)

    const listed = yield* leap(["status", "--hosts", "--json"])
    assert.strictEqual(listed.code, 0, listed.stderr)
    const { sessions, unreached } = JSON.parse(listed.stdout) as {
      sessions: ReadonlyArray<{ tag: string }>
      unreached: ReadonlyArray<{ name: string }>
    }
    assert.deepStrictEqual(
      [sessions.map(({ tag }) => tag), unreached.map(({ name }) => name)],
      [["own", "box/api"], ["bad"]]
    )

    yield* endsWell(leap(["hosts", "remove", "bad"]))
    ssh.setDown(true)
    const lost = yield* leap(["hosts", "test"])
    assert.strictEqual(lost.code, 1)
    assert.match(lost.stdout, /^box: host 'box' \(me@box\) is not reached.*Connection refused$/m)
    assert.strictEqual((yield* leap(["hosts", "remove", "bad"])).code, 3)
  })

  live("--host runs leap there: its words, its input, its exit codes", function* () {
    const { far, leap, near, program, ssh } = yield* machines
    yield* endsWell(leap(["hosts", "add", "box", "me@box"]))
    yield* startDemo(far, "api")
    for (const [argv, code, said] of [
      [["--host"], 2, /--host needs a machine's name/],
      [["--host", "nope", "status"], 3, /no host is called 'nope' \(known: box\)/],
      [["--host", "box", "last", "none"], 3, /no session 'none'/],
      [["--host", "box", "wait", "api", "--until", "running", "--timeout", "0.1"], 4, /did not get to running/]
    ] as const) {
      const ran = yield* program(argv)
      assert.strictEqual(ran.code, code, ran.stderr)
      assert.match(ran.stderr, said)
    }
    const odd = `it's "odd": $HOME \\\\ \`pwn\` *`
    yield* endsWell(program(["--host", "box", "send", "api", odd]))
    yield* endsWell(program(["--host", "box", "send", "api", "-"], "from standard input"))
    const { queue, recent } = JSON.parse((yield* far.leap(["queue", "api", "--json"])).stdout) as Readonly<
      Record<"queue" | "recent", ReadonlyArray<{ text: string }>>
    >
    assert.sameMembers(
      [...queue, ...recent].map(({ text }) => text),
      [odd, "from standard input"]
    )
    assert.isEmpty(near.log())
    // ssh would take the loop's other lines
    const [node, bin] = near.command
    const loop = `printf '1\\n2\\n' | while read n; do '${node}' '${bin}' --host box status api >/dev/null; echo $n; done`
    const where = { env: { ...near.env, ...ssh.variables }, cwd: near.dir }
    assert.strictEqual((yield* runToEnd(["sh", "-c", loop], where)).stdout, "1\n2\n")
    ssh.setDown(true)
    const lost = yield* program(["--host", "box", "status"])
    assert.strictEqual(lost.code, 1)
    assert.match(lost.stderr, /Connection refused\nleap: host 'box' \(me@box\) is not reached/)
  })

  live("a connection shows the sessions there, and does what it is asked; its end is told", function* () {
    const { far, near, ssh } = yield* machines
    yield* startDemo(far, "api")
    const services = RemoteHostsSsh.layer.pipe(
      Layer.provide(
        Layer.mock(System, {
          env: { ...near.env, ...ssh.variables },
          cwd: near.dir,
          pid: process.pid,
          version: "1",
          node: "24",
          platform: process.platform,
          self: []
        })
      )
    )
    yield* Effect.gen(function* () {
      const client = yield* (yield* RemoteHosts).connect(box)
      const first = yield* Stream.runHead(client.Feed())
      assert.deepStrictEqual(
        Option.map(first, (event) => (event._tag === "Snapshot" ? event.sessions.map(({ status }) => status.tag) : [])),
        Option.some(["api"])
      )
      const call = { _tag: "Send", text: "from afar", images: [], front: false, force: false } as const
      const said = yield* client.Perform({ command: { _tag: "Do", tags: ["api", "../x"], call } })
      assert.isTrue(said.bad)
      assert.match(said.text, /^queued: api; not \.\.\/x: /)
      yield* eventually(() => far.log().some(({ text }) => text === "from afar"), "the message")
      assert.include((yield* client.Screen({ tag: "api" })) ?? "", "demo")
      assert.isNull(yield* client.Screen({ tag: "none" }))
      assert.isString(yield* client.Compare({ tag: "none", against: null }))
      const following = yield* Effect.forkChild(Stream.runDrain(client.Feed()))
      const serving = execFileSync("pgrep", ["-f", "hosts serve"], { encoding: "utf8" }).trim().split("\n").map(Number)
      const own = serving.filter((pid) => envOf(pid).includes(`HOME=${far.dir}\0`))
      assert.isNotEmpty(own)
      for (const pid of own) process.kill(pid, "SIGKILL")
      assert.isTrue(Exit.isFailure(yield* Fiber.await(following)))
      ssh.setDown(true)
      const lost = yield* Effect.flip((yield* RemoteHosts).connect(box))
      assert.match(lost.message, /not reached.*Connection refused/)
    }).pipe(Effect.scoped, Effect.provide(services))
  })
})
