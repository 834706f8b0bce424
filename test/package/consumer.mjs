// A program of a user's, in plain JavaScript: ten lines that host a session, then a turn without a terminal, and the kit
// of tests. Run by scripts/test-package.mjs in a project that has leap from the tarball.
import assert from "node:assert"
import { createServer } from "node:http"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { AgentProvider } from "leap"
import { headless, hostSession, layer, launchSession } from "leap/host"
import { stage } from "leap/testing"

const hosted = Effect.gen(function* () {
  const states = []
  const session = yield* hostSession({ tag: "mine", cli: "demo", hooks: "install" })
  yield* session.states.pipe(
    Stream.runForEach(({ state }) => Effect.sync(() => states.push(state))),
    Effect.forkScoped
  )
  assert.match(yield* session.ask("say hello"), /say hello/)
  assert.ok(states.includes("running") && states.includes("idle"), String(states))
  assert.deepStrictEqual(yield* session.stop, { code: 0, signal: null })
}).pipe(Effect.scoped, Effect.provide(layer()))
await Effect.runPromise(hosted)
console.log("hosted in this process")

const launched = Effect.gen(function* () {
  const session = yield* launchSession({ tag: "apart", cli: "demo" })
  assert.match(yield* session.ask("say it again"), /say it again/)
  const { hostPid } = yield* session.status
  assert.notStrictEqual(hostPid, process.pid)
  yield* session.stop
}).pipe(Effect.scoped, Effect.provide(layer()))
await Effect.runPromise(launched)
console.log("hosted in a process of its own")

const chunk = (choice) =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] })}\n\n`
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end(`${chunk({ delta: { content: "four" } })}${chunk({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`)
}).listen(0, "127.0.0.1")
await new Promise((resolve) => server.once("listening", resolve))
Object.assign(process.env, { OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`, OPENAI_MODEL: "m" })
const turn = Effect.gen(function* () {
  const provider = yield* (yield* AgentProvider.AgentProviders).get("openai_compatible")
  const last = yield* Stream.runLast(provider.execute("two and two", { timeout: 10_000 }))
  assert.strictEqual(last.value.result.text, "four")
}).pipe(Effect.provide(headless()))
await Effect.runPromise(turn)
server.close()
console.log("a turn without a terminal")

// A session in memory, on the clock of the test: what takes a minute takes none.
const inMemory = Effect.gen(function* () {
  const { send, status } = yield* stage.hostDemo()
  yield* stage.passing(send("say hello"))
  const over = yield* status.until(({ state, lastResponse }) => state === "idle" && lastResponse !== null, "an answer")
  assert.match(over.lastResponse, /say hello/)
}).pipe(Effect.scoped, Effect.provide(stage.world), Effect.provide(TestClock.layer()))
await Effect.runPromise(inMemory)
console.log("the test kit")
