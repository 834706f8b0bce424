import { assert, describe, it } from "@effect/vitest"
import { type Entry, type Heard, judge, tally } from "./ledger.ts"

const tag = "s1"
const send = (id: string, text: string, came: "done" | "refused" | "absent" | "unknown" = "done"): Entry => ({
  do: "send",
  tag,
  id,
  text,
  by: "a",
  came
})
const receipt = (
  id: string,
  text: string,
  status: string,
  outcome: "completed" | "interrupted" | "failed" | null = null
): Entry => ({ do: "receipt", tag, id, text, status, why: null, outcome })
const hears = (...texts: ReadonlyArray<string>): ReadonlyArray<Heard> =>
  texts.flatMap((text) => [
    { event: "submitted", text },
    { event: "turn_ended", text }
  ])
const faults = (ledger: ReadonlyArray<Entry>, heard: ReadonlyArray<Heard>) =>
  judge(ledger, new Map([[tag, heard]])).map((fault) => fault.replace(/; what was done.*/, ""))

const sent = [send("m1", "one"), receipt("m1", "one", "done", "completed")]

describe("what must be true when a soak is over", () => {
  it("holds for messages that were heard once, removed ones that never were, and what was typed", () => {
    assert.deepStrictEqual(
      faults(
        [
          ...sent,
          send("m1", "one"),
          send("m2", "two"),
          { do: "edit", tag, id: "m2", text: "two, changed", came: "done" },
          receipt("m2", "two, changed", "done", "completed"),
          send("m3", "three"),
          { do: "remove", tag, id: "m3", heard: false, came: "done" },
          receipt("m3", "three", "removed"),
          send("m4", "four", "unknown"),
          send("m5", "five", "absent"),
          { do: "type", tag, text: "typed by hand" }
        ],
        hears("one", "two, changed", "by hand")
      ),
      []
    )
  })

  it("tells an attached terminal that did not end", () => {
    const acts = ["attach 90x28", "hang-up 7", "viewer-stays 7 hang-up S (sleeping)"]
    assert.deepStrictEqual(
      faults(
        acts.map((what) => ({ do: "act", tag, what }) as const),
        []
      ),
      ["s1: an attached terminal did not end: viewer-stays 7 hang-up S (sleeping)"]
    )
  })

  it("tells a message that was heard twice, one that was lost, and one that nobody sent", () => {
    assert.deepStrictEqual(faults(sent, hears("one", "one")), [
      "s1: message m1 “one” was heard 2 times (last: receipt: done)"
    ])
    assert.match(faults(sent, [])[0] ?? "", /is done \(null\), and was never heard/)
    assert.match(faults([send("m1", "one")], [])[0] ?? "", /was accepted, and there is no receipt of it/)
    assert.match(faults([send("m1", "one", "unknown")], hears("one"))[0] ?? "", /was heard, and never accepted/)
    assert.match(faults(sent, hears("one", "stray"))[0] ?? "", /heard “stray”, which nobody sent/)
  })

  it("tells a receipt that goes on after its end, or never comes to one", () => {
    assert.match(
      faults([...sent, receipt("m1", "one", "held")], hears("one"))[0] ?? "",
      /had ended as done, and then was held/
    )
    assert.match(faults([send("m1", "one"), receipt("m1", "one", "typed")], hears("one"))[0] ?? "", /is still typed/)
  })

  it("tells a removed message that was heard, unless it was removed for that", () => {
    const removed = (heard: boolean): ReadonlyArray<Entry> => [
      send("m1", "one"),
      { do: "remove", tag, id: "m1", heard, came: "done" },
      receipt("m1", "one", "removed")
    ]
    assert.match(faults(removed(false), hears("one"))[0] ?? "", /was removed, and heard 1 times/)
    assert.deepStrictEqual(faults(removed(true), hears("one")), [])
    const unasked = [send("m1", "one"), receipt("m1", "one", "removed")]
    assert.match(faults(unasked, [])[0] ?? "", /was removed, and nobody had asked for it/)
  })

  it("takes a removed message for removed of which a new host knows nothing any more", () => {
    const forgotten: ReadonlyArray<Entry> = [
      send("m1", "one"),
      receipt("m1", "one", "queued"),
      { do: "remove", tag, id: "m1", heard: false, came: "done" }
    ]
    assert.deepStrictEqual(faults(forgotten, []), [])
    assert.match(faults(forgotten, hears("one"))[0] ?? "", /was removed, and heard 1 times/)
    assert.match(faults(forgotten.slice(0, 2), [])[0] ?? "", /is still queued/)
  })

  it("tells a text from before a change, and a turn that ended in another way", () => {
    const changed: ReadonlyArray<Entry> = [
      send("m1", "one"),
      { do: "edit", tag, id: "m1", text: "new", came: "done" },
      receipt("m1", "new", "done")
    ]
    assert.match(faults(changed, hears("one"))[0] ?? "", /a text that it had before/)
    assert.match(
      faults(sent, [{ event: "submitted", text: "one" }])[0] ?? "",
      /said to have completed, and its turn has not/
    )
  })

  it("names the session, and what was done to it last", () => {
    const act: Entry = { do: "act", tag, what: "kill host 12" }
    assert.match(judge([...sent, act], new Map([[tag, []]]))[0] ?? "", /^s1: .*: kill host 12$/)
    assert.deepStrictEqual(tally([...sent, act]), { kill: 1, "messages done": 1, "send done": 1 })
  })
})
