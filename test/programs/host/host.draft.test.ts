import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, refusal, settle, until } from "../../support/host/stage.ts"

const session = Effect.gen(function* () {
  const { child, cli, client, send, status } = yield* hostDemo()
  const user = yield* attach(client, "user")
  const box = Effect.map(client.Screen(), ({ text }) => /^» (.*)$/m.exec(text)?.[1]?.trim() ?? "")
  const take = (text: string) => Effect.map(passing(client.TakeDraft({ text })), ({ outcome }) => outcome)
  const draft = Effect.map(passing(client.Draft()), ({ text }) => text)
  return {
    child,
    cli,
    client,
    send,
    status,
    user,
    box,
    take,
    draft,
    put: (text: string) => passing(client.PutDraft({ text }))
  }
})
const empty = "ask anything"

describe("the text in the CLI's box", () => {
  hosted("is read when what was typed last has shown, taken out, and put back", function* () {
    const { box, draft, put, send, status, take, user } = yield* session
    assert.isNull(yield* draft)
    yield* user.type("half a thought, größer")
    assert.strictEqual(yield* draft, "half a thought, größer")
    assert.strictEqual(yield* take("another"), "left")
    assert.strictEqual(yield* take("half a thought, größer"), "taken")
    assert.strictEqual(yield* box, empty)
    // a message that has waited for the box goes out now, and the text waits for that
    yield* send("first this")
    yield* put("half a thought, größer")
    yield* settle
    yield* status.until(({ ready, state }) => state === "idle" && !ready, "there is text in the box")
    assert.strictEqual(yield* box, "half a thought, größer")
    assert.include((yield* refusal(put("and more"))).message, "not free")
    assert.strictEqual(yield* box, "half a thought, größer")
  })

  hosted("is taken though the CLI draws its screen anew in the middle of it", function* () {
    const { child, client, user, draft } = yield* session
    yield* user.type("half a thought")
    assert.strictEqual(yield* draft, "half a thought")
    yield* child.print("\x1b[2J")
    yield* settle
    const taken = yield* Effect.forkChild(client.TakeDraft({ text: "half a thought" }), { startImmediately: true })
    yield* TestClock.adjust("200 millis")
    yield* user.resize(101, 30)
    yield* until(() => taken.pollUnsafe() !== undefined, "it is taken")
    assert.deepStrictEqual(yield* Fiber.join(taken), { outcome: "taken" })
  })

  hosted("is left alone where it cannot be told for certain, or something lies over it", function* () {
    const { client, cli, draft, put, status, take, user } = yield* session
    for (const text of ["two\nlines", "[Pasted text #1]", "x".repeat(201)]) {
      yield* user.type(`\x1b[200~${text}\x1b[201~`)
      assert.isNull(yield* draft, text)
      yield* user.type("\x15")
    }
    yield* user.type("!ls")
    assert.isNull(yield* draft, "a command of its shell")
    yield* user.type("\x15")
    yield* client.Send({ text: "please write a file", images: [], front: false, force: false })
    yield* status.until(({ state }) => state === "needs_permission", "a dialog")
    assert.isNull(yield* draft)
    const before = cli.log.length
    assert.strictEqual(yield* take(""), "left")
    yield* refusal(put("yes"))
    yield* until(() => status.last()?.state === "needs_permission", "the dialog is still there")
    assert.strictEqual(cli.log.length, before, "nothing was typed into it")
  })

  hosted("gets no text by keys while the CLI asks, also where its dialog is not drawn yet", function* () {
    const { child, client, status } = yield* hostDemo()
    yield* child.print("\x1b]7501;state=blocked:kind=question\x1b\\")
    yield* status.until(({ state }) => state === "needs_input", "it asks")
    assert.isNull(status.last()?.question)
    const before = child.written()
    assert.include((yield* refusal(client.Keys({ keys: ["1"], force: false }))).message, "'leap answer one' does")
    assert.strictEqual(child.written(), before)
    yield* passing(client.Keys({ keys: ["Down"], force: false }))
    yield* passing(client.Keys({ keys: ["1"], force: true }))
    assert.include(child.written().slice(before.length), "1")
  })
})
