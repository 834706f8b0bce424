import { assert, describe } from "@effect/vitest"
import { Latch } from "effect"
import { TestClock } from "effect/testing"
import { longestLine } from "../../../src/programs/mcp/stdioGuard.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, settle, until } from "../../support/host/stage.ts"
import { connectClient } from "./client.ts"

describe("leap mcp", () => {
  hosted("tells of sessions, sends with a receipt, waits and gives the answer", function* () {
    const { cli } = yield* hostDemo({ tag: "a" })
    const { ask, call } = yield* connectClient()
    const list = yield* call("sessions", {})
    assert.isNull(list["self"])
    assert.deepInclude((list["sessions"] as ReadonlyArray<object>)[0], { tag: "a", state: "idle", own: false })
    const sent = yield* call("send", { tag: "a", text: "run the tests" })
    assert.deepInclude(sent, { status: "queued", from: "outside", hops: 1 })
    const waited = yield* call("wait", { tag: "a", message: sent["id"], timeout_seconds: 30 })
    assert.deepInclude(waited, { timedOut: false })
    assert.deepInclude(waited["message"], { id: sent["id"], status: "done", outcome: "completed" })
    const { answer } = waited["message"] as { readonly answer: string }
    assert.include(answer, "That is my answer.")
    const total = answer.length
    assert.deepInclude(waited["message"], { total })
    assert.deepStrictEqual(yield* call("last_answer", { tag: "a" }), { text: answer, offset: 0, total, next: null })
    const rest = { text: answer.slice(3), offset: 3, total, next: null }
    assert.deepStrictEqual(yield* call("last_answer", { tag: "a", offset: 3 }), rest)
    const long = "x".repeat(3_000)
    yield* call("send", { tag: "a", text: long })
    const queue = (yield* call("status", { tag: "a" }))["queue"] as ReadonlyArray<{ text: string; total: number }>
    const last = queue.at(-1)
    assert.deepStrictEqual([last?.text.length, (last?.total ?? 0) > 3_000], [2_000, true])
    assert.deepInclude(yield* call("receipt", { tag: "a", id: sent["id"] }), { status: "done" })
    assert.include((yield* call("screen", { tag: "a" }))["text"], "That is my answer.")
    assert.deepInclude(yield* call("status", { tag: "a" }), { tag: "a", state: "idle" })
    const read = yield* ask("resources/read", { uri: "leap://session/a/answer" })
    assert.deepStrictEqual(
      read.result?.contents?.map(({ text }) => text),
      [answer]
    )
    assert.match(cli.texts("submitted")[0]!, /^\[leap\] .* from an agent outside of leap's sessions/)
  })

  hosted("says of a message whose turn failed that it did, and that it waits for the next try", function* () {
    yield* hostDemo({ tag: "a" })
    const { call } = yield* connectClient()
    const sent = yield* call("send", { tag: "a", text: "limit 30" })
    const waited = yield* call("wait", { tag: "a", message: sent["id"], timeout_seconds: 30 })
    assert.deepInclude(waited, { timedOut: false })
    assert.deepInclude(waited["message"], { id: sent["id"], status: "queued", outcome: "failed" })
    const receipt = yield* call("receipt", { tag: "a", id: sent["id"] })
    assert.deepInclude(receipt, { status: "queued", outcome: "failed" })
    const status = yield* call("status", { tag: "a" })
    assert.deepInclude(status, { queued: 1 })
    assert.match(String(status["queueWaits"]), /^the usage limit is reached; the next message is tried at /)
    assert.deepInclude((status["queue"] as ReadonlyArray<object>)[0], { status: "queued", outcome: "failed" })
    // waiting for the session goes on as long as that is to be tried by itself
    assert.deepInclude(yield* call("wait", { tag: "a", timeout_seconds: 5 }), { timedOut: true })
  })

  hosted("carries messages between the agents of two sessions, under the name of the session it runs in", function* () {
    const a = yield* hostDemo({ tag: "a" })
    const b = yield* hostDemo({ tag: "b" })
    const ofA = yield* connectClient({ ancestor: a.child.pid })
    const ofB = yield* connectClient({ ancestor: b.child.pid })
    assert.strictEqual((yield* ofA.call("sessions", {}))["self"], "a")
    // what it calls itself is no argument
    const sent = yield* ofA.call("send", { tag: "b", text: "ping", from: "user", hops: 0 })
    assert.deepInclude(sent, { from: "a", hops: 1 })
    yield* until(() => b.cli.texts("submitted").length === 1, "it is typed in b")
    assert.match(b.cli.texts("submitted")[0]!, /^\[leap\] .* session 'a', not from your user \(hop 1\).*\n> ping$/)
    assert.deepInclude(yield* ofB.call("send", { tag: "a", text: "pong" }), { from: "b", hops: 2 })
    yield* until(() => a.cli.texts("submitted").length === 1, "it is typed in a")
    assert.match(a.cli.texts("submitted")[0]!, /session 'b'.*\(hop 2\).*\n> pong$/)
    assert.match(yield* ofA.refused("send", { tag: "a", text: "me" }), /to itself/)
    assert.match(yield* ofA.refused("stop", { tag: "a" }), /it runs in/)
    assert.match(yield* ofA.refused("start", { tag: "a" }), /runs already/)
  })

  hosted("ends a session, and says that it has ended", function* () {
    const { isOver } = yield* hostDemo({ tag: "a" })
    const { call, refused } = yield* connectClient()
    assert.deepStrictEqual(yield* call("stop", { tag: "a" }), { code: 0, signal: null })
    yield* until(isOver, "its end")
    assert.match(yield* refused("send", { tag: "a", text: "x" }), /has ended/)
    assert.match(yield* refused("wait", { tag: "a", until: ["idle"] }), /has ended/)
    assert.deepInclude(yield* call("wait", { tag: "a", until: ["exited"] }), { state: "exited", timedOut: false })
  })

  hosted("that only looks has no tool that acts", function* () {
    yield* hostDemo({ tag: "a" })
    const { ask, refused } = yield* connectClient({ access: { patterns: null, readOnly: true } })
    const { result } = yield* ask("tools/list", {})
    assert.deepStrictEqual(result?.tools?.map(({ name }) => name).toSorted(), [
      "last_answer",
      "receipt",
      "screen",
      "sessions",
      "status",
      "wait"
    ])
    assert.isTrue(result?.tools?.every(({ outputSchema }) => outputSchema !== undefined))
    for (const name of ["send", "start", "stop", "answer"])
      assert.match(yield* refused(name, { tag: "a", text: "x" }), /^-32602 .*not found/i)
  })

  hosted("for some tags knows no others", function* () {
    const { cli } = yield* hostDemo({ tag: "secret" })
    const { ask, call, refused } = yield* connectClient({ access: { patterns: ["feat-*", "x"], readOnly: false } })
    assert.deepStrictEqual(yield* call("sessions", {}), { self: null, sessions: [] })
    const given = { tag: "secret", text: "x", id: "AAAA", answer: "1", title: "" }
    for (const name of ["status", "screen", "last_answer", "receipt", "wait", "send", "start", "stop", "answer"])
      assert.match(yield* refused(name, given), /not for this server, which was started with --tags feat-\*,x/, name)
    for (const part of ["answer", "transcript"]) {
      const read = yield* ask("resources/read", { uri: `leap://session/secret/${part}` })
      assert.match(read.error?.message ?? "", /not for this server/)
    }
    const completed = yield* ask("completion/complete", {
      ref: { type: "ref/resource", uri: "leap://session/{tag}/answer" },
      argument: { name: "tag", value: "" }
    })
    assert.notInclude(JSON.stringify(completed), "secret")
    assert.deepStrictEqual(cli.texts("submitted"), [])
  })
})

describe("leap mcp, under attack", () => {
  hosted("answers hostile tags, unknown tools and methods, and wrong arguments in words", function* () {
    yield* hostDemo({ tag: "a" })
    const { ask, call, refused } = yield* connectClient()
    for (const tag of [
      "../../etc",
      "a/../a",
      "",
      " ",
      "-x",
      "send",
      "a\u001b[2J",
      "a\u202e",
      "x".repeat(10_000),
      "*"
    ]) {
      const told = yield* refused("screen", { tag })
      assert.match(told, /is no tag of a session/, JSON.stringify(tag))
      assert.isBelow(told.length, 300)
      assert.isFalse(/[\u0000-\u001f\u202e]/.test(told))
    }
    assert.match(yield* refused("screen", { tag: "none" }), /there is no session 'none'/)
    assert.match(yield* refused("send", { tag: "a", text: "x".repeat(200_000) }), /too long/)
    assert.match(yield* refused("send", { tag: "a", text: " \u200b" }), /empty/)
    assert.match(yield* refused("send", { tag: "a", text: "x", id: "../../x" }), /is no id/)
    assert.match(yield* refused("send", { tag: "a" }), /^-32602 .*text/s)
    assert.match(yield* refused("wait", { tag: "a", timeout_seconds: 1e9 }), /^-32602 /)
    assert.match(yield* refused("wait", { tag: "a", until: ["never"] }), /^-32602 /)
    assert.match(yield* refused("receipt", { tag: "a", id: "NONE" }), /has no message/)
    assert.match(yield* refused("nothing", {}), /^-32602 /)
    assert.deepInclude((yield* ask("no/such", {})).error, { code: -32601 })
    assert.isDefined((yield* ask("resources/read", { uri: "file:///etc/passwd" })).error)
    assert.isDefined((yield* ask("resources/read", { uri: "leap://session/..%2f..%2fx/answer" })).error)
    assert.deepInclude(yield* call("status", { tag: "a" }), { tag: "a", queue: [] })
  })

  hosted("survives lines that are no messages, and one that does not end", function* () {
    yield* hostDemo({ tag: "a" })
    const { answers, call, write } = yield* connectClient()
    for (const line of ["garbage", "{", "42", "null", '"x"', "\u0000\u0001"]) yield* write(`${line}\n`)
    yield* write("\n\r\n")
    yield* write(Buffer.from('{"jsonrpc":"2.0","id":4242,"method":"caf\xe9"}\n', "latin1"))
    for (let written = 0; written <= longestLine; written += 65_536) yield* write("x".repeat(65_536))
    yield* write("x\n")
    assert.deepInclude(yield* call("sessions", {}), { self: null })
    const codes = answers.flatMap(({ error, id }) => (id === null && error !== undefined ? [error.code] : []))
    assert.deepStrictEqual(codes, [-32700, -32700, -32600, -32600, -32600, -32700, -32600])
    assert.strictEqual(answers.find(({ id }) => id === 4242)?.error?.code, -32700, "no UTF-8")
  })

  hosted("refuses a request that is too long by its id, and takes no answer for a request", function* () {
    yield* hostDemo({ tag: "a" })
    const { answers, call, write } = yield* connectClient()
    const heads = [
      '"id":"long","method":"m"',
      '"method": "m", "id": "a b"',
      '"id":8888,"result":1',
      '"id":{},"method":"m"'
    ]
    for (const head of heads) yield* write(`{"jsonrpc":"2.0",${head},"params":"${"x".repeat(longestLine)}"}\n`)
    yield* call("sessions", {})
    const refused = answers.flatMap(({ error, id }) => (error?.code === -32600 ? [id] : []))
    assert.deepStrictEqual(refused, ["long", "a b", null, null])
  })

  hosted("reads no more from a client that does not read, and goes on when it does", function* () {
    yield* hostDemo({ tag: "a" })
    const reads = Latch.makeUnsafe(true)
    const { answers, lines, unread, write } = yield* connectClient({ reads })
    const before = lines.length
    yield* reads.close
    for (let n = 0; n < 200; n++) {
      yield* write(`${JSON.stringify({ jsonrpc: "2.0", id: `r${n}`, method: "tools/list", params: {} })}\n`)
      yield* settle
    }
    assert.strictEqual(lines.length, before)
    assert.isAbove(yield* unread, 100)
    yield* reads.open
    yield* until(() => answers.some(({ id }) => id === "r199"), "the last answer")
    assert.strictEqual(lines.length, before + 200)
  })

  hosted("gives a client up that does not read for minutes", function* () {
    yield* hostDemo({ tag: "a" })
    const reads = Latch.makeUnsafe(true)
    const { isOver, write } = yield* connectClient({ reads })
    yield* reads.close
    for (let n = 0; n < 200; n++) {
      yield* write(`${JSON.stringify({ jsonrpc: "2.0", id: `r${n}`, method: "tools/list", params: {} })}\n`)
      yield* settle
    }
    assert.isFalse(isOver())
    yield* TestClock.adjust("3 minutes")
    yield* until(isOver, "its end")
  })

  hosted("has so many calls at once and no more, and each can be given up by its end", function* () {
    yield* hostDemo({ tag: "a" })
    const { answers, close, isOver, write } = yield* connectClient()
    const wait = { name: "wait", arguments: { tag: "a", until: ["exited"], timeout_seconds: 600 } }
    for (let n = 0; n < 80; n++)
      yield* write(`${JSON.stringify({ jsonrpc: "2.0", id: `w${n}`, method: "tools/call", params: wait })}\n`)
    yield* until(() => answers.filter(({ id }) => String(id).startsWith("w")).length === 16, "those that are too many")
    for (const { id, result } of answers)
      if (String(id).startsWith("w")) assert.match(result!.content![0]!.text, /64 calls are under way already/)
    yield* close
    yield* until(isOver, "the end of the server with its input")
  })
})
