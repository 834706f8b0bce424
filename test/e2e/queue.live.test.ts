import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { type DemoEvent, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"
import { each } from "../support/data/fields.ts"

const texts = (log: ReadonlyArray<DemoEvent>, event: string) =>
  log.filter((line) => line.event === event).map((line) => line.text)

describe("the main job, on the bundled CLI in a real pseudo-terminal", () => {
  live(
    "three messages queued during a turn arrive whole, once, in order, each after the turn before it; a dialog holds them",
    function* () {
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

      const asking = yield* room.until(
        "job",
        (status) => status.state === "needs_permission",
        "the dialog of the second"
      )
      assert.isFalse(asking.ready)
      assert.isTrue(asking.dialog)
      assert.deepStrictEqual(
        each(
          asking.queue.filter((message) => message.status === "queued"),
          "text"
        ),
        [messages[2]]
      )
      const refused = yield* room.leap(["answer", "job", "9"])
      assert.strictEqual(refused.code, 5, refused.stderr)
      const answered = yield* room.leap(["answer", "job", "1"])
      assert.strictEqual(answered.code, 0, answered.stderr)
      yield* room.until(
        "job",
        (status) => status.queue.every((message) => message.status === "done") && status.state === "idle",
        "all done"
      )

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
        assert.notStrictEqual(
          line.event === "key_in_dialog" && !["1", "enter"].includes(line.text),
          true,
          `key in the dialog: ${line.text}`
        )
      }
      const { recent } = yield* client.Queue()
      assert.deepStrictEqual(each(recent, "status"), ["done", "done", "done", "done"])
    }
  )

  live(
    "a message keeps its short id wherever it stands; each change says what it changed, and a position is no id",
    function* () {
      const room = yield* makeRoom("0.1")
      yield* startDemo(room, "q")
      const ran = (...args: ReadonlyArray<string>) =>
        Effect.map(room.leap(args), ({ code, stderr, stdout }) => ({
          code,
          said: stderr.trim(),
          stdout: stdout.trim()
        }))
      yield* ran("send", "q", "tool 600")
      yield* room.until("q", ({ state }) => state === "running", "the turn")
      const ids: Array<string> = []
      for (const text of ["one", "two", "three", "four"]) ids.push((yield* ran("send", "q", text)).stdout)
      const short = ids.map((id) => id.slice(-5))
      const listed = (yield* ran("queue", "q")).stdout.split("\n")
      assert.deepStrictEqual(
        listed.slice(1, 5).map((line) => line.trim().slice(0, 5)),
        short
      )

      const byPosition = yield* ran("queue", "remove", "q", "3")
      assert.deepStrictEqual([byPosition.code, byPosition.stdout], [3, ""])
      assert.match(byPosition.said, new RegExp(`3 is a position, and positions change; .* ${short[1]!} “two”`))

      const change = (...args: ReadonlyArray<string>) => Effect.map(ran("queue", ...args), ({ said }) => said)
      assert.strictEqual(yield* change("remove", "q", short[1]!), `removed: ${short[1]!} “two”`)
      assert.strictEqual(yield* change("edit", "q", short[2]!, "drei"), `${short[2]!} “three” is now “drei”`)
      assert.strictEqual(yield* change("move", "q", ids[3]!, "1"), `moved to position 1: ${short[3]!} “four”`)
      assert.match(yield* change("remove", "q", short[1]!), /has been removed already/)
      const after = (yield* ran("queue", "q")).stdout
      assert.match(after, new RegExp(`${short[1]!}  removed +two`))
      assert.strictEqual(
        yield* change("clear", "q"),
        `3 messages removed\n  ${short[3]!} “four”\n  ${short[0]!} “one”\n  ${short[2]!} “drei”`
      )
    }
  )
})
