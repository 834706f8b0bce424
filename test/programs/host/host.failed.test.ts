import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { only } from "../../support/data/recordEvents.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, settle, until } from "../../support/host/stage.ts"

type Session = Effect.Success<ReturnType<typeof hostDemo>>
const sent = ({ cli }: Session) => cli.texts("submitted")
const shown = ({ status }: Session) =>
  status.last()?.queue.flatMap(({ outcome, status, text }) => (status === "done" ? [] : [[text, status, outcome]]))

/** A session that has answered one message, and whose next turn fails in a way that leap does not know. */
const failedOnce = Effect.fnUntraced(function* (tag = "one") {
  const session = yield* hostDemo({ tag })
  const { id } = yield* session.send("fail")
  yield* session.send("behind")
  yield* session.status.until(({ pause }) => pause != null, "the pause")
  yield* until(() => shown(session)?.every(([, status]) => status === "held") === true, "all is held")
  return { ...session, id }
})

/** What failed went out in other words, and what waited behind it. */
const bothSent = Effect.fnUntraced(function* (session: Session) {
  yield* until(
    () => sent(session).length === 3,
    () => JSON.stringify(session.status.last())
  )
  assert.deepStrictEqual(sent(session), ["fail", "works", "behind"])
})

describe("a queue that waits for the user after a failed turn", () => {
  hosted("says why, holds what is queued and what is sent now, and counts nothing as to come", function* () {
    const session = yield* failedOnce()
    const { pause } = session.status.last()!
    assert.deepInclude(pause, { kind: "unknown", until: null })
    assert.strictEqual(pause?.text, "the last turn failed; messages wait for your word")
    yield* session.send("late")
    yield* settle
    assert.deepStrictEqual(shown(session), [
      ["fail", "held", "failed"],
      ["behind", "held", undefined],
      ["late", "held", undefined]
    ])
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(sent(session), ["fail"])
  })

  hosted("goes on when all are released, in their order", function* () {
    const session = yield* failedOnce()
    // the next try is answered
    yield* session.client.QueueEdit({ id: session.id, text: "works" })
    assert.deepInclude(yield* session.client.QueueRelease({ id: null }), { released: 2 })
    yield* bothSent(session)
    assert.isNull(session.status.last()?.pause ?? null)
  })

  hosted("goes on when the one that failed is retried: what waits behind it goes out too", function* () {
    const session = yield* failedOnce()
    yield* session.client.QueueEdit({ id: session.id, text: "works" })
    assert.deepInclude(yield* session.client.QueueRetry({ id: session.id }), { retried: 1 })
    yield* bothSent(session)
  })

  hosted("goes on at the user's word when what failed was taken out, and with an empty queue", function* () {
    const session = yield* failedOnce()
    yield* session.client.QueueRemove({ id: session.id })
    assert.deepInclude(yield* session.client.QueueRetry({ id: null }), { retried: 0 })
    yield* until(() => sent(session).length === 2, "what waits behind it")
    yield* session.status.until(({ state }) => state === "idle", "rest")
    const again = yield* session.send("fail")
    yield* until(() => shown(session)?.some(([, status]) => status === "held") === true, "it is held")
    yield* session.client.QueueClear()
    yield* session.status.until(({ pause, queue }) => pause == null && queue.length === 0, "nothing waits")
    assert.deepInclude(yield* session.client.QueueRelease({ id: null }), { released: 0 })
    yield* session.send("works")
    yield* until(() => sent(session).length === 4, "a new one")
    assert.deepStrictEqual(sent(session), ["fail", "behind", "fail", "works"])
    assert.isString(again.id)
  })

  hosted("is recorded as a turn that failed and, sent again, as another one of the same message", function* () {
    const session = yield* failedOnce()
    yield* session.client.QueueEdit({ id: session.id, text: "works" })
    yield* session.client.QueueRetry({ id: session.id })
    yield* until(() => sent(session).length === 3, "all are sent")
    yield* session.status.until(
      ({ queue, state }) => state === "idle" && queue.every(({ status }) => status === "done"),
      "rest"
    )
    yield* passing(session.client.Stop({ force: false }))
    const { record } = yield* DiskFake
    const turns = only(record, "Turn").map(({ message, n }) => {
      const linked = only(record, "TurnOfMessage").find((one) => one.n === n)?.message ?? message
      return [linked === session.id, only(record, "TurnEnded").findLast((one) => one.n === n)?.outcome]
    })
    assert.deepStrictEqual(turns, [
      [true, "failed"],
      [true, "completed"],
      [false, "completed"]
    ])
  })

  hosted("keeps what another session waits for until the user has seen to it", function* () {
    const other = yield* failedOnce("other")
    const session = yield* hostDemo({ tag: "one" })
    const when = [{ _tag: "Session", tag: "other" }] as const
    yield* session.client.Send({ text: "after it", images: [], front: false, force: false, when })
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(sent(session), [])
    yield* other.client.QueueClear()
    yield* until(() => sent(session).length === 1, "sent")
  })
})
