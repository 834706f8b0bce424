import { assert, describe } from "@effect/vitest"
import { Effect, Ref } from "effect"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import type { RecordedLife } from "../../../src/domain/engine/history/RecordedLife.ts"
import { begin, iso, makeWorld, passes, webhook } from "../../support/out/bridge.ts"
import { recordedLife } from "../../support/out/recordedLife.ts"
import { effect } from "../../support/run/effects.ts"

const tick = 250
const turns = 60

describe("leap out that is killed at every step of its journal", () => {
  effect("tells each turn once, and what begins, ends or is not seen meanwhile", function* () {
    const world = yield* makeWorld({ webhooks: [webhook("a")] }, "full")
    const { hosts, record, webhooks } = world
    const rows = new Map<string, ReturnType<typeof recordedLife>>()
    let now = 0
    let latest: ReadonlyArray<RecordedLife> = []
    const begins = (tag: string): void => {
      rows.set(tag, recordedLife(tag, begin + now))
      hosts.start(tag, { tag, state: "starting", since: iso(now), startedAt: iso(now) })
    }
    const tell = (tag: string, at: number, state: SessionStatus["state"], answer: string | null = null): void => {
      const ended = state === "running" ? ({ lastTurn: null } as const) : ({ lastTurn: "completed" } as const)
      rows.get(tag)?.tell(begin + at, { state, ...ended, ...(answer === null ? {} : { answer, answerAt: begin + at }) })
      const lastTurn = ended.lastTurn === null ? null : { outcome: ended.lastTurn, why: null }
      hosts.tell(tag, { state, since: iso(at), lastTurn, ...(answer === null ? {} : { lastResponse: answer }) })
    }
    const expected: Array<string> = []
    const script: Array<() => void> = [() => begins("one"), () => tell("one", now, "idle")]
    for (let n = 0; n < turns; n++) {
      const tag = n < turns / 2 ? "one" : "two"
      if (n === turns / 2)
        script.push(
          () => begins("two"),
          () => tell("two", now, "idle")
        )
      script.push(() => tell(tag, now, "running"))
      expected.push(`${tag} ${n}`)
      // of every third one the end and the next beginning are one and the same moment for who watches
      if (n % 3 !== 0) script.push(() => tell(tag, now, "idle", `${tag} ${n}`))
      else
        script.push(() => {
          tell(tag, now, "idle", `${tag} ${n}`)
          tell(tag, now + 5, "running")
          tell(tag, now + 10, "idle", `${tag} ${n} short`)
        })
      if (n % 3 === 0) expected.push(`${tag} ${n} short`)
    }
    let at = 0
    const next = Effect.gen(function* () {
      // hosts write a moment after they tell
      yield* Ref.set(record, latest)
      script[at++]?.()
      latest = [...rows.values()].map((one) => one.life())
      yield* passes(tick, tick)
      now += tick
    })
    let kills = 0
    for (; at < script.length; kills++) {
      world.killAfter(kills)
      yield* world.running(
        Effect.gen(function* () {
          while (at < script.length && !world.isDead()) yield* next
        })
      )
      // nobody runs for a moment
      if (kills % 4 === 3) yield* next
    }
    world.killAfter(Infinity)
    yield* world.running(Effect.andThen(next, passes(10_000)))
    assert.isAbove(kills, 12)

    const sequenceOf = new Map<string, number>()
    const told: Array<string> = []
    for (const { body } of webhooks.posts) {
      assert.strictEqual(sequenceOf.get(body.id) ?? body.sequence, body.sequence, body.id)
      if (!sequenceOf.has(body.id) && body.type === "turn.ended") told.push(body.data.response ?? "")
      sequenceOf.set(body.id, body.sequence)
    }
    assert.deepStrictEqual(
      told.filter((answer) => answer.startsWith("one")),
      expected.filter((answer) => answer.startsWith("one"))
    )
    assert.deepStrictEqual(
      told.filter((answer) => answer.startsWith("two")),
      expected.filter((answer) => answer.startsWith("two"))
    )
    // without a gap
    const sequences = [...new Set(sequenceOf.values())].sort((a, b) => a - b)
    assert.deepStrictEqual(
      sequences,
      sequences.map((_, n) => n + sequences[0]!)
    )
  })
})
