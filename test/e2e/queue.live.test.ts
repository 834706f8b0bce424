import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { type DemoEvent, makeRoom, startDemo } from "../support/Room.ts"

const texts = (log: ReadonlyArray<DemoEvent>, event: string) => log.filter((line) => line.event === event).map((line) => line.text)

describe("the main job, on the bundled CLI in a real pseudo-terminal", () => {
  it.live("three messages queued during a turn arrive whole, once, in order, each after the turn before it; a dialog holds them", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "job")
      const client = yield* room.connect("job")
      const send = (text: string) => client.Send({ text, images: [], front: false, force: false })
      const messages = [
        "one: “quotes”, 日本語, and a tab\there",
        "two: please write a file\nwith a second line\nand a third, $HOME `x` \\ 'y'",
        "three: the last | of them"
      ]
      yield* send("a long first turn")
      yield* room.until("job", (status) => status.state === "running", "the first turn runs")
      for (const text of messages) yield* send(text)

      const asking = yield* room.until("job", (status) => status.state === "needs_permission", "the dialog of the second")
      assert.isFalse(asking.ready)
      assert.isTrue(asking.dialog)
      assert.deepStrictEqual(asking.queue.filter((message) => message.status === "queued").map((message) => message.text), [messages[2]])
      const refused = yield* room.leap(["answer", "job", "9"])
      assert.strictEqual(refused.code, 5, refused.stderr)
      const answered = yield* room.leap(["answer", "job", "1"])
      assert.strictEqual(answered.code, 0, answered.stderr)
      yield* room.until("job", (status) => status.queue.every((message) => message.status === "done") && status.state === "idle", "all done")

      const log = room.log()
      assert.deepStrictEqual(texts(log, "submitted"), ["a long first turn", ...messages])
      assert.deepStrictEqual(texts(log, "turn_ended"), ["a long first turn", ...messages])
      // none before the turn before it had ended, none while the dialog was up
      let busy = 0
      let dialog = false
      for (const line of log) {
        if (line.event === "submitted") assert.isTrue(busy === 0 && !dialog, `${line.text} came too early`)
        if (line.event === "turn_started") busy++
        if (line.event === "turn_ended") busy--
        if (line.event === "dialog_opened") dialog = true
        if (line.event === "dialog_answered") dialog = false
        assert.notStrictEqual(line.event === "key_in_dialog" && !["1", "enter"].includes(line.text), true, `key in the dialog: ${line.text}`)
      }
      const { recent } = yield* client.Queue()
      assert.deepStrictEqual(recent.map((message) => message.status), ["done", "done", "done", "done"])
    }).pipe(Effect.scoped))

  it.live("an interrupted session sends nothing by itself, until it is told to", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "halt")
      const client = yield* room.connect("halt")
      const send = (text: string) => client.Send({ text, images: [], front: false, force: false })
      yield* send("a long one")
      yield* room.until("halt", (status) => status.state === "running", "running")
      yield* send("next")
      yield* client.Interrupt()
      const stopped = yield* room.until("halt", (status) => status.state === "interrupted", "interrupted")
      assert.isFalse(stopped.ready)
      const waited = yield* room.leap(["wait", "halt", "--until", "running", "--timeout", "3"])
      assert.strictEqual(waited.code, 4)
      assert.deepStrictEqual(texts(room.log(), "submitted"), ["a long one"])
      const forced = yield* room.leap(["send", "halt", "now this", "--force", "--wait"])
      assert.strictEqual(forced.code, 0, forced.stderr)
      assert.include(forced.stdout, "now this")
    }).pipe(Effect.scoped))

  it.live("the user's unsent text holds the queue and is never touched", () =>
    Effect.gen(function*() {
      const room = yield* makeRoom()
      yield* startDemo(room, "draft")
      const client = yield* room.connect("draft")
      const screen = Effect.map(client.Screen(), ({ text }) => text)
      yield* Effect.gen(function*() {
        yield* client.Attach({ viewer: "v", cols: 100, rows: 30, readOnly: false, programStatus: false }).pipe(
          Stream.runDrain,
          Effect.ignore,
          Effect.forkScoped
        )
        yield* room.until("draft", (status) => status.attached === 1, "attached")
        yield* client.Input({ viewer: "v", data: btoa("half a thought") })
        yield* room.until("draft", (status) => !status.ready, "the draft is seen")
        yield* client.Send({ text: "queued meanwhile", images: [], front: false, force: false })
        const waited = yield* room.leap(["wait", "draft", "--until", "running", "--timeout", "3"])
        assert.strictEqual(waited.code, 4)
        assert.include(yield* screen, "half a thought")
        assert.deepStrictEqual(texts(room.log(), "submitted"), [])
        // the user clears the box: now it may go
        yield* client.Input({ viewer: "v", data: btoa("\x15") })
        yield* room.until("draft", (status) => status.queue.some((message) => message.status === "done"), "sent")
        assert.deepStrictEqual(texts(room.log(), "submitted"), ["queued meanwhile"])
      }).pipe(Effect.scoped)
    }).pipe(Effect.scoped))
})
