import { assert, describe } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Condition } from "../../../src/domain/words/session/Message.ts"
import { needsOf } from "../../../src/domain/words/attention/needsOf.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { only } from "../../support/data/recordEvents.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { hostDemo, passing, refusal, settle, until } from "../../support/host/stage.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"

const prompts = (session: Effect.Success<ReturnType<typeof hostDemo>>) =>
  session.cli.log.flatMap(({ event, text }) => (event === "submitted" ? [text] : []))
/** What the record has beside turns and messages. */
const noted = Effect.map(DiskFake, (disk) =>
  only(disk.record, "Note")
    .filter(({ kind }) => kind !== "conversation")
    .map(({ kind, text }) => (kind === "night" ? `${kind}: ${text}` : kind))
)
/** When the limit is over that was told to the minute. */
const endOf = ({ problem }: SessionStatus) =>
  new Date(Date.parse(problem?.until ?? "") + (problem?.within ?? Number.NaN)).toISOString()
const limited = Effect.fnUntraced(function* (night: "on" | "off", minutes = "30") {
  const session = yield* hostDemo()
  yield* passing(session.client.SetModes({ modes: { night } }))
  yield* session.send(`limit ${minutes}`)
  const status = yield* session.status.until(({ problem }) => problem?.kind === "rate_limited", "the limit")
  return { ...session, limit: status }
})

describe("a hosted session that meets its usage limit", () => {
  hosted("goes on by itself when that is over, once, before what is queued, and says so meanwhile", function* () {
    const session = yield* limited("on")
    assert.match(session.limit.night?.text ?? "", /^goes on by itself at /)
    assert.strictEqual(session.limit.night?.at, endOf(session.limit))
    yield* session.send("queued")
    yield* TestClock.adjust("30 minutes")
    assert.deepStrictEqual(prompts(session), ["limit 30"])
    yield* TestClock.adjust("2 minutes")
    yield* until(
      () => prompts(session).length === 3,
      () => JSON.stringify(prompts(session))
    )
    assert.deepStrictEqual(prompts(session), ["limit 30", "continue", "queued"])
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(prompts(session).length, 3)
    assert.isNull(session.status.last()?.night ?? null)
    assert.deepStrictEqual(yield* noted, [
      "problem",
      "night: night shift: goes on by itself at 2026-01-01 00:31",
      "night: night shift: the limit is over, going on by itself",
      "night: night shift: goes on by itself now",
      "over"
    ])
  })

  hosted("keeps its wait where a new host goes on with the conversation, and goes on once", function* () {
    const disk = yield* DiskFake
    const first = yield* limited("on")
    const last = () => disk.statuses.get(first.paths.status)!.status
    yield* until(() => last().problem !== null, "it is on the disk")
    const status = last()
    yield* first.interrupt
    // it died without a last word
    disk.statuses.set(first.paths.status, { status, durable: false })
    const next = yield* hostDemo({ resumes: { sessionId: status.sessionId!, transcriptPath: null } })
    const waiting = yield* next.status.until(({ night }) => night != null, "its wait")
    assert.strictEqual(waiting.night?.at, endOf(first.limit))
    assert.isNull(waiting.problem)
    yield* TestClock.adjust("30 minutes")
    assert.deepStrictEqual(prompts(next), [])
    yield* TestClock.adjust("2 minutes")
    yield* until(
      () => prompts(next).length === 1,
      () => JSON.stringify(next.status.last())
    )
    yield* TestClock.adjust("3 hours")
    assert.deepStrictEqual(prompts(next), ["continue"])
    assert.isNull(next.status.last()?.night ?? null)
  })

  hosted(
    "does not where it was not told to, or was told not to any more; it takes messages all the same",
    function* () {
      const session = yield* limited("off")
      assert.isNull(session.limit.night ?? null)
      yield* passing(session.client.SetModes({ modes: { night: "on" } }))
      yield* session.status.until(({ night }) => typeof night?.at === "string", "a plan")
      yield* passing(session.client.SetModes({ modes: { night: "off" } }))
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual(prompts(session), ["limit 30"])
      yield* TestClock.adjust("2 minutes")
      // its own message is the user's word
      assert.deepStrictEqual(prompts(session), ["limit 30", "limit 30"])
      assert.deepStrictEqual((yield* noted).slice(1), [
        "night: night shift: goes on by itself at 2026-01-01 00:31",
        "night: night shift: not going on by itself: the mode is off",
        "over",
        "problem"
      ])
    }
  )

  hosted(
    "does not where the end of the limit is not known, beside its queue's tries, and heeds the settings of this moment",
    function* () {
      const session = yield* limited("on", "")
      const tried = yield* session.status.until(({ pause }) => typeof pause?.until === "string", "the next try")
      assert.strictEqual(Date.parse(tried.pause?.until ?? "") - Date.parse(tried.pause?.since ?? ""), 60_000)
      assert.match(tried.pause?.text ?? "", /its end is not told; the next message is tried at /)
      assert.isNull(tried.night ?? null)
      assert.deepStrictEqual(
        tried.queue.map(({ outcome, status }) => [status, outcome]),
        [["queued", "failed"]]
      )
      assert.deepStrictEqual(
        needsOf(tried).map(({ kind, until }) => [kind, until]),
        [["limit", tried.pause?.until]]
      )
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(prompts(session), Array(6).fill("limit"))
      assert.notInclude((yield* noted).join(), "night")
      yield* session.send("limit 30", { force: true })
      yield* session.status.until(({ night }) => typeof night?.at === "string", "a plan")
      const system = yield* SystemFake
      yield* system.setSettings({ night: { message: "continue", stop: null, most: 0, ceilingUsd: null } })
      yield* session.status.until(({ night }) => night?.at === null, "no plan")
    }
  )
})

describe("a message that waits for something", () => {
  const keep = (
    session: Effect.Success<ReturnType<typeof hostDemo>>,
    text: string,
    ...when: ReadonlyArray<Condition>
  ) => session.client.Send({ text, images: [], front: false, force: false, when })
  const sent = (session: Effect.Success<ReturnType<typeof hostDemo>>, ...texts: ReadonlyArray<string>) =>
    until(
      () => prompts(session).length === texts.length,
      () => JSON.stringify(prompts(session))
    ).pipe(Effect.andThen(Effect.sync(() => assert.deepStrictEqual(prompts(session), texts))))

  hosted("goes at its time and not before, and holds up nothing behind it", function* () {
    const session = yield* hostDemo()
    const at = new Date((yield* Clock.currentTimeMillis) + 3_600_000).toISOString()
    yield* keep(session, "late", { _tag: "At", at })
    yield* session.send("now")
    yield* sent(session, "now")
    yield* TestClock.adjust("58 minutes")
    assert.deepStrictEqual(prompts(session), ["now"])
    assert.deepStrictEqual(
      session.status.last()?.queue.map(({ when }) => when),
      [[{ _tag: "At", at }]]
    )
    yield* TestClock.adjust("2 minutes")
    yield* sent(session, "now", "late")
  })

  hosted("keeps its time over a restart; what depends on what has ended is held", function* () {
    const first = yield* hostDemo()
    const at = new Date((yield* Clock.currentTimeMillis) + 3_600_000).toISOString()
    yield* keep(first, "late", { _tag: "At", at })
    yield* keep(first, "work over", { _tag: "At", at: "2026-02-01T00:00:00.000Z" }, { _tag: "Background" })
    yield* first.send("background 600")
    yield* first.status.until(({ state }) => state === "churning", "background work")
    yield* keep(first, "held", { _tag: "Background" })
    yield* first.interrupt
    const next = yield* hostDemo()
    assert.deepStrictEqual(
      next.status
        .last()
        ?.queue.flatMap(({ status, text }) => (status === "done" || status === "failed" ? [] : [[text, status]])),
      [
        ["late", "queued"],
        ["work over", "queued"],
        ["held", "held"]
      ]
    )
    yield* TestClock.adjust("61 minutes")
    yield* sent(next, "late")
  })

  hosted("goes after background work, in a session that sends others meanwhile", function* () {
    const session = yield* hostDemo()
    yield* passing(session.client.SetModes({ modes: { churn: "send" } }))
    yield* session.send("background 60")
    yield* session.status.until(({ state }) => state === "churning", "background work")
    yield* keep(session, "after it", { _tag: "Background" })
    yield* session.send("meanwhile")
    yield* sent(session, "background 60", "meanwhile")
    yield* TestClock.adjust("2 minutes")
    yield* sent(session, "background 60", "meanwhile", "after it")
  })

  hosted("goes after another session's turn, and is held where that session dies", function* () {
    const other = yield* hostDemo({ tag: "other" })
    const session = yield* hostDemo({ tag: "one" })
    assert.match((yield* refusal(keep(session, "x", { _tag: "Session", tag: "one" }))).message, /itself/)
    yield* other.send("tool 30")
    yield* other.send("and this")
    yield* keep(session, "after it", { _tag: "Session", tag: "other" })
    yield* settle
    assert.deepStrictEqual(prompts(session), [])
    yield* until(() => prompts(session).length === 1, "sent")
    assert.deepStrictEqual(prompts(other), ["tool 30", "and this"])
    yield* other.status.until(({ state }) => state === "idle", "at rest")

    yield* other.send("tool 50")
    yield* other.status.until(({ state }) => state === "running", "work")
    yield* keep(session, "never", { _tag: "Session", tag: "other" })
    yield* settle
    yield* other.interrupt
    yield* until(
      () =>
        session.status.last()?.queue.some(({ status, why }) => status === "held" && /is gone/.test(why ?? "")) === true,
      () => JSON.stringify(session.status.last()?.queue)
    )
  })
})
