import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  beginShow,
  demoMessages,
  type DemoShow,
  screenSize,
  type ShowAction,
  type ShowEvent,
  stage,
  stepShow,
  wakesAt
} from "../../../../src/domain/providers/demo/Show.ts"
import type { MessageStatus } from "../../../../src/domain/words/session/Message.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const begun = beginShow("demo", "LEAP_HOME=/tmp/h leap", 0, 1)

/** Plays events from the beginning; gives the end and everything printed and done. */
const played = (events: ReadonlyArray<ShowEvent>) => {
  let show = begun.show
  const lines = [...begun.lines]
  const actions = [...begun.actions]
  for (const event of events) {
    const step = stepShow(show, event)
    show = step.show
    lines.push(...step.lines)
    actions.push(...step.actions)
  }
  return { show, actions, text: lines.join("\n") }
}

const sent: ReadonlyArray<ShowEvent> = demoMessages.map((_, index) => ({
  _tag: "Sent",
  at: 100,
  index,
  id: `m${index}`
}))
const status = (
  at: number,
  state: "idle" | "running" | "needs_permission" | "exited",
  ...statuses: ReadonlyArray<MessageStatus>
): ShowEvent => ({
  _tag: "Status",
  at,
  status: sessionStatus({
    state,
    queue: statuses.map((status, i) => ({
      id: `m${i}`,
      text: "",
      images: [],
      queuedAt: "",
      status,
      force: false,
      why: null
    }))
  })
})
const held = [...sent, status(5000, "needs_permission", "done", "started", "queued")]
const answers = ({ actions }: { readonly actions: ReadonlyArray<ShowAction> }) =>
  actions.filter(({ _tag }) => _tag === "Answer")

describe("the show", () => {
  it("says how to join in from another terminal", () => {
    assert.include(begun.lines.join("\n"), `LEAP_HOME=/tmp/h leap send demo "hello"`)
    assert.include(played(held).text, "LEAP_HOME=/tmp/h leap answer demo 1")
  })

  it("queues all messages at once", () => {
    assert.deepStrictEqual(
      begun.actions,
      demoMessages.map((text, index) => ({ _tag: "Send" as const, index, text }))
    )
    assert.include(played(sent).text, `   0.1s  message 3 queued: ${demoMessages[2]}`)
  })

  it("ends well when every receipt is complete and the turn is over, and shows each step with its time", () => {
    const { show, text } = played([
      ...sent,
      status(1000, "running", "submitted", "queued", "queued"),
      status(2000, "running", "started", "queued", "queued"),
      status(3000, "idle", "done", "typed", "queued"),
      status(4000, "running", "done", "done", "done"),
      status(4500, "idle", "done", "done", "done")
    ])
    assert.strictEqual(show.over, 0)
    assert.isNull(wakesAt(show))
    assert.include(text, "queued 0.1  submitted 1.0  started 2.0  done 3.0")
    assert.include(text, "   4.5s  all three were delivered")
    assert.include(text, "● running · 2 queued")
  })

  it("leaves a dialog to the user for a while, then answers it, once", () => {
    const { show } = played(held)
    assert.strictEqual(wakesAt(show), 9000)
    assert.deepStrictEqual(answers(played([...held, { _tag: "Tick", at: 8999 }])), [])
    const answered = played([
      ...held,
      { _tag: "Tick", at: 9000 },
      status(9010, "needs_permission", "done", "started", "queued"),
      { _tag: "Tick", at: 9900 }
    ])
    assert.deepStrictEqual(answers(answered), [{ _tag: "Answer", answer: "1" }])
    assert.strictEqual(wakesAt(answered.show), 120_000)
  })

  it("a key of the user's answers first; other keys do not, nor without a dialog", () => {
    assert.deepStrictEqual(
      answers(played([...held, { _tag: "Key", at: 6000, key: "3" }, { _tag: "Tick", at: 9000 }])),
      [{ _tag: "Answer", answer: "3" }]
    )
    assert.deepStrictEqual(answers(played([...held, { _tag: "Key", at: 6000, key: "x" }])), [])
    assert.deepStrictEqual(answers(played([...sent, { _tag: "Key", at: 6000, key: "1" }])), [])
  })

  it("an answer given elsewhere is seen; a refused one is tried again", () => {
    const elsewhere = played([
      ...held,
      status(6000, "running", "done", "started", "queued"),
      { _tag: "Tick", at: 9000 }
    ])
    assert.include(elsewhere.text, "somebody answered it elsewhere")
    assert.deepStrictEqual(answers(elsewhere), [])
    const again = played([
      ...held,
      { _tag: "Tick", at: 9000 },
      { _tag: "Refused", at: 9100, why: "no dialog" },
      { _tag: "Tick", at: 13_100 }
    ])
    assert.strictEqual(answers(again).length, 2)
  })

  it.each([
    [
      "a message that fails",
      [...sent, status(1, "idle", "failed", "queued", "queued")],
      "message 1 was not delivered (failed)"
    ],
    ["a CLI that ends", [...sent, status(1, "exited", "queued", "queued", "queued")], "the CLI ended early"],
    ["a host that fails", [{ _tag: "Failed", at: 1, why: "no host" }], "no host"],
    ["nothing for two minutes", [...sent, { _tag: "Tick", at: 120_000 }], "gave up after 120 seconds"]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<ShowEvent>, string]>)(
    "ends badly after %s",
    (_, events, why) => {
      const { show, text } = played(events)
      assert.strictEqual(show.over, 1)
      assert.include(text, why)
      assert.include(text, "Receipts")
    }
  )

  it("nothing happens after its end", () => {
    const over: DemoShow = { ...begun.show, over: 0 }
    assert.deepStrictEqual(stepShow(over, { _tag: "Tick", at: 999_999 }), { show: over, lines: [], actions: [] })
  })
})

describe("stage", () => {
  const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

  it.prop(
    "fills the terminal and no more; the CLI's screen is whole",
    { cols: between(24, 200), rows: between(14, 80), story: Schema.Array(Schema.String) },
    ({ cols, rows, story }) => {
      const inner = screenSize({ cols, rows })
      const screen = Array.from({ length: inner.rows }, (_, y) => `${y}`.padEnd(inner.cols, "x"))
      const picture = stage({ cols, rows }, screen.join("\n"), "● idle", story).map(({ text }) => text)
      assert.strictEqual(picture.length, rows)
      assert.isTrue(picture.every((row) => [...row].length <= cols))
      assert.deepStrictEqual(
        picture.slice(1, 1 + inner.rows),
        screen.map((row) => `│ ${row}`)
      )
      assert.include(picture, "● idle")
    }
  )

  it("goes on in the next row with a command that is longer than one, so that it can be copied", () => {
    const command = `           LEAP_HOME=/tmp/${"h".repeat(60)} /home/me/leap/bin/leap answer demonstration 1`
    const rows = stage({ cols: 80, rows: 24 }, "", "", ["before", command]).map(({ text }) => text)
    assert.include(rows.join(""), `before${command}`)
  })
})
