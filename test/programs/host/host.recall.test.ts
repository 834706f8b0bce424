import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { toBase64 } from "../../../src/domain/words/text/Bytes.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, settle, until } from "../../support/host/stage.ts"

const up = "\x1b[A"
const down = "\x1b[B"
const pasted = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n")

const session = Effect.gen(function* () {
  const { cli, client, send, status } = yield* hostDemo()
  const user = yield* attach(client, "user")
  const screen = Effect.map(client.Screen(), ({ text }) => text)
  const box = Effect.map(screen, (text) => [...text.matchAll(/^» (.*)$/gm)].at(-1)?.[1]?.trim() ?? "")
  const atRest = status.until(({ ready, state }) => ready && state === "idle", "at rest")
  const press = (data: string) =>
    Effect.map(passing(client.Recall({ viewer: "user", data: toBase64(data), older: data === up })), ({ lost }) => lost)
  return {
    cli,
    client,
    send,
    status,
    user,
    screen,
    box,
    atRest,
    press,
    /** Presses arrows, and gives what the box shows then. */
    walk: (...keys: ReadonlyArray<string>) => Effect.andThen(Effect.forEach(keys, press), Effect.andThen(settle, box)),
    enter: (text: string) =>
      Effect.gen(function* () {
        const before = cli.texts("submitted").length
        yield* user.type(`\x1b[200~${text}\x1b[201~`)
        yield* settle
        yield* user.type("\r")
        yield* until(() => cli.texts("submitted").length > before, "it was submitted")
        yield* atRest
      })
  }
})
const empty = "ask anything"

describe("arrows at the CLI's prompt", () => {
  hosted("bring back what was typed before, pastes whole, and in the end what stood in the box", function* () {
    const { cli, enter, screen, status, user, walk } = yield* session
    yield* enter("run the tests")
    yield* enter(pasted)
    yield* enter("and say why")
    yield* user.type("half a thought")
    assert.strictEqual(yield* walk(up), "and say why")
    assert.strictEqual(yield* walk(up), "[pasted 12 lines]")
    assert.strictEqual(yield* walk(up), "run the tests")
    assert.strictEqual(yield* walk(up, up), "run the tests", "there is none older")
    yield* status.until(({ ready }) => !ready, "there is text in the box: no message goes out")
    assert.strictEqual(yield* walk(down), "[pasted 12 lines]")
    assert.strictEqual(yield* walk(down, down), "half a thought")
    assert.strictEqual(yield* walk(down), "half a thought")
    assert.strictEqual(yield* walk(up, up), "[pasted 12 lines]")
    yield* user.type("\r")
    yield* until(() => cli.texts("submitted").length === 4, "submitted")
    assert.strictEqual(cli.texts("submitted").at(-1), pasted, "the content, not the placeholder")
    assert.notInclude(yield* screen, "half a thought")
  })

  hosted(
    "are the CLI's in a dialog, a picker, a text of several lines, a turn, and where nothing was typed yet",
    function* () {
      const { atRest, box, cli, client, enter, press, screen, status, user, walk } = yield* session
      assert.strictEqual(yield* walk(up), empty, "nothing was typed yet")
      yield* enter("run the tests")
      // a picker
      yield* user.type("/model\r")
      yield* settle
      const marked = Effect.map(screen, (text) => /^ » \d\. (\S+)/m.exec(text)?.[1])
      const first = yield* marked
      yield* press(down)
      yield* settle
      assert.notStrictEqual(yield* marked, first, "it has moved the mark")
      yield* press(up)
      yield* settle
      assert.strictEqual(yield* marked, first)
      yield* user.type("\x1b")
      yield* settle
      // a text of several lines
      yield* user.type("\x1b[200~two\nlines\x1b[201~")
      yield* walk(up)
      assert.include(yield* screen, "» two")
      yield* user.type("\x15")
      yield* settle
      // a dialog
      yield* client.Send({ text: "please write a file", images: [], front: false, force: false })
      yield* status.until(({ state }) => state === "needs_permission", "a dialog")
      const before = cli.texts("key_in_dialog").length
      for (const key of [down, down, up]) yield* press(key)
      yield* settle
      assert.deepStrictEqual(cli.texts("key_in_dialog").slice(before), ["down", "down", "up"])
      yield* user.type("1")
      yield* atRest
      assert.strictEqual(yield* walk(up), "please write a file")
      // an arrow behind a key of the user's begins anew, from what stands there then
      yield* user.type("!")
      assert.strictEqual(yield* walk(up, up, down, down), "please write a file!")
      // while a turn runs
      yield* user.type("\x15run the tests again\r")
      yield* status.until(({ state }) => state === "running", "a turn")
      yield* press(up)
      assert.strictEqual(yield* box, "type ahead", "it stays empty")
    }
  )

  hosted("wait for what was typed before to show, so that all of it comes back", function* () {
    const { enter, user, walk } = yield* session
    yield* enter("run the tests")
    yield* user.type("quick")
    assert.strictEqual(yield* walk(up, down), "quick", "all of it had shown")
  })
})
