import { assert, describe } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { alive, eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"
import { each } from "../support/data/fields.ts"

/** The protocol's own client, which checks what tools give against their schemas. */
const officialClient = (room: Room, args: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" })
      const [command, bin] = room.command
      const transport = new StdioClientTransport({
        command,
        args: [bin, "mcp", ...args],
        env: room.env,
        stderr: "pipe"
      })
      await client.connect(transport)
      return { client, pid: transport.pid! }
    }),
    ({ client }) => Effect.promise(() => client.close())
  )

const call = (client: Client, name: string, args: Record<string, unknown>) =>
  Effect.map(
    Effect.promise(() => client.callTool({ name, arguments: args })),
    (result) => {
      assert.notStrictEqual(result.isError, true, JSON.stringify(result))
      return result.structuredContent as Record<string, unknown>
    }
  )

describe.runIf(isThorough)("leap mcp", () => {
  live("serves the protocol's own client, and ends with it", function* () {
    const room = yield* makeRoom("0.1")
    const pid = yield* Effect.scoped(
      Effect.gen(function* () {
        const { client, pid } = yield* officialClient(room)
        assert.strictEqual(client.getServerVersion()?.name, "leap")
        const { tools } = yield* Effect.promise(() => client.listTools())
        assert.includeMembers(each(tools, "name"), [
          "sessions",
          "status",
          "screen",
          "last_answer",
          "receipt",
          "wait",
          "send",
          "start",
          "stop",
          "answer"
        ])
        const { resourceTemplates } = yield* Effect.promise(() => client.listResourceTemplates())
        assert.deepStrictEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate).toSorted(), [
          "leap://session/{tag}/answer",
          "leap://session/{tag}/transcript"
        ])
        const started = yield* call(client, "start", { tag: "b", cli: "demo" })
        assert.deepInclude(started, { tag: "b", note: null })
        const sent = yield* call(client, "send", { tag: "b", text: "what now?" })
        const waited = yield* call(client, "wait", { tag: "b", message: sent["id"] })
        assert.deepInclude(waited["message"], { status: "done", outcome: "completed" })
        const { answer } = waited["message"] as { readonly answer: string }
        const read = yield* Effect.promise(() => client.readResource({ uri: "leap://session/b/answer" }))
        assert.deepInclude(read.contents[0], { text: answer })
        const transcript = yield* Effect.promise(() =>
          client.readResource({ uri: "leap://session/b/transcript" }).catch(String)
        )
        assert.include(transcript, "transcript is not known")
        assert.deepInclude(yield* call(client, "stop", { tag: "b" }), { code: 0 })
        const refused = yield* Effect.promise(() =>
          client.callTool({ name: "send", arguments: { tag: "b", text: "still there?" } })
        )
        assert.isTrue(refused.isError)
        assert.include(JSON.stringify(refused.content), "has ended")
        return pid
      })
    )
    yield* eventually(() => !alive(pid), "its end")
    const audit = yield* room.leap(["audit", "b"])
    assert.match(audit.stdout, /message from an agent .* from outside \(hop 1\): what now\?/)
  })

  live(
    "knows the session that it runs in by its ancestors, whatever its environment says; stdout is the protocol's",
    function* () {
      const room = yield* makeRoom("0.1")
      yield* startDemo(room, "b")
      const out = path.join(room.dir, "out")
      const requests = path.join(room.dir, "requests")
      const line = (id: number | undefined, method: string, params: unknown) =>
        `${JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params })}\n`
      fs.writeFileSync(
        requests,
        line(1, "initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "x", version: "1" }
        }) +
          line(undefined, "notifications/initialized", {}) +
          line(2, "tools/call", { name: "send", arguments: { tag: "b", text: "from inside", from: "b" } })
      )
      const [node, bin] = room.command
      const script = path.join(room.dir, "inside.sh")
      // what an agent may do that wants to be taken for another
      fs.writeFileSync(
        script,
        `LEAP_TAG=b LEAP_SIGNAL_DIR=/nowhere '${node}' '${bin}' mcp < '${requests}' > '${out}.tmp'\nmv '${out}.tmp' '${out}'\nexec sleep 60\n`
      )
      const started = yield* room.leap(["mole", "--cli", "generic", "--detach", "--", "sh", script])
      assert.strictEqual(started.code, 0, started.stderr)
      yield* eventually(() => fs.existsSync(out), "what the inner leap said")
      const answers = fs
        .readFileSync(out, "utf8")
        .trimEnd()
        .split("\n")
        .map(
          (text) => JSON.parse(text) as { readonly id: number; readonly result: { readonly structuredContent: object } }
        )
      assert.deepStrictEqual(each(answers, "id"), [1, 2])
      assert.deepInclude(answers[1]!.result.structuredContent, { from: "mole", hops: 1 })
      const typed = () => room.log().filter(({ event, text }) => event === "submitted" && text.includes("from inside"))
      yield* eventually(() => typed().length === 1, "it is typed in b")
      assert.match(typed()[0]!.text, /^\[leap\] message \w+ from the agent in session 'mole', not from your user/)
    }
  )

  live("does not grow with a client that asks and never reads, and ends when that one goes", function* () {
    const room = yield* makeRoom("0.1")
    const [node, bin] = room.command
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(node, [bin, "mcp"], { env: room.env, stdio: ["pipe", "pipe", "ignore"] })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    child.stdin.on("error", () => {})
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } }
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello })}\n`)
    // 4 MB of questions, whose answers would be 500 MB
    const question = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: {} })}\n`
    for (let id = 1; id <= 50_000; id++) child.stdin.write(question(id))
    // it has begun to answer, and then takes no more
    child.stdout.once("readable", () => {})
    yield* eventually(() => child.stdout.readableLength > 0, "it answers")
    for (let left = -1, still = 0; still < 10; left = child.stdin.writableLength) {
      yield* Effect.sleep(200)
      still = child.stdin.writableLength === left ? still + 1 : 0
    }
    assert.isAbove(child.stdin.writableLength, 1_000_000, "it does not take them all")
    const rss = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]
    assert.isBelow(Number(rss), 400_000)
    child.stdin.destroy()
    child.stdout.destroy()
    yield* eventually(() => child.exitCode !== null, "its end")
  })
})
