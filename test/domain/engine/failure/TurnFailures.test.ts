import { assert, describe, it } from "@effect/vitest"
import { faultOf } from "../../../../src/domain/engine/failure/TurnFailures.ts"
import * as TurnFailures from "../../../../src/domain/engine/failure/TurnFailures.ts"
import type { Problem, ProblemKind } from "../../../../src/domain/words/session/Session.ts"

const minute = 60_000
const at = Date.UTC(2026, 0, 1, 7, 33)
const problem = (kind: ProblemKind, until: number | null = null, within?: number): Problem => ({
  kind,
  message: kind,
  until: until === null ? null : new Date(until).toISOString(),
  ...(within === undefined ? {} : { within })
})
const answered = TurnFailures.answered(TurnFailures.noFailures)
const next = (before: TurnFailures.TurnFailures, kind: ProblemKind, when = at, isUntouched = true) =>
  TurnFailures.failed(before, problem(kind), when, true, isUntouched)

const waitsForHuman = ({ pause }: TurnFailures.TurnFailures): boolean => pause !== null && pause.until === null

describe("a failed turn of a message", () => {
  it.each([
    ["refused", "message", "finished", true],
    ["context", "session", "held", true],
    ["model", "session", "held", true],
    ["auth", "account", "held", true],
    ["rate_limited", "account", "queued", true],
    ["rate_limited", "account", "held", false],
    ["overloaded", "world", "queued", false],
    ["network", "world", "queued", false],
    ["unknown", "unknown", "held", true]
  ] as const)("%s is the fault of the %s: its message is %s (untouched: %s)", (kind, fault, verdict, isUntouched) => {
    assert.strictEqual(faultOf({ kind }), fault)
    const [failures, became] = next(answered, kind, at, isUntouched)
    assert.strictEqual(became, verdict)
    assert.strictEqual(TurnFailures.pauseAt(failures, at) === null, verdict === "finished")
    assert.strictEqual(waitsForHuman(failures), verdict === "held")
  })

  it("is its own where the text is too long for a conversation with nothing in it", () => {
    assert.strictEqual(next(TurnFailures.noFailures, "context")[1], "finished")
    assert.strictEqual(next(answered, "context")[1], "held")
    assert.strictEqual(next(TurnFailures.renewed(answered, "empty"), "context")[1], "finished")
    assert.strictEqual(next(TurnFailures.renewed(TurnFailures.noFailures, "resumed"), "context")[1], "held")
  })

  it("is not its own where the one before was refused as well: at most one message is used up", () => {
    const [once, first] = next(answered, "refused")
    const [twice, second] = next(once, "refused")
    assert.deepStrictEqual([first, second], ["finished", "held"])
    assert.isTrue(waitsForHuman(twice))
    assert.strictEqual(next(TurnFailures.answered(once), "refused")[1], "finished", "an answer in between")
    assert.strictEqual(next(next(once, "network")[0], "refused")[1], "finished", "another failure in between")
  })
})

describe("another's failed turn while the human is waited for", () => {
  const after = (was: Problem, now: Problem) => {
    const [before] = TurnFailures.failed(answered, was, at, true, false)
    const [failed] = TurnFailures.failed(before, now, at, false, false)
    return TurnFailures.pauseKeptForUser(before, failed)?.pause?.problem.kind ?? null
  }
  it.each([
    ["auth", "network", "auth"],
    ["unknown", "network", "network"],
    ["auth", "model", null],
    ["network", "overloaded", null]
  ] as const)("%s, then %s", (was, now, left) => {
    assert.strictEqual(after(problem(was), problem(now)), left)
  })

  it("that tells when the same limit is over is the last word on it", () => {
    assert.isNull(after(problem("rate_limited"), problem("rate_limited", at + minute)))
  })
})

describe("the wait after a failed turn", () => {
  it("is no longer than a limit whose end is near", () => {
    const [failures] = TurnFailures.failed(answered, problem("rate_limited", at + 20_000), at, true, false)
    assert.strictEqual(failures.pause?.until, at + 20_000)
  })

  const waits = (kind: ProblemKind, times: number): ReadonlyArray<number> => {
    let failures = answered
    let now = at
    return Array.from({ length: times }, () => {
      failures = next(failures, kind, now)[0]
      const until = failures.pause?.until ?? now
      const waited = (until - now) / minute
      assert.isNotNull(TurnFailures.pauseAt(failures, until - 1))
      assert.isNull(TurnFailures.pauseAt(failures, until))
      now = until + 3_000
      return waited
    })
  }
  it.each(["overloaded", "network", "rate_limited"] as const)("grows with each probe that fails: %s", (kind) => {
    assert.deepStrictEqual(waits(kind, 8), [1, 2, 4, 8, 16, 30, 30, 30])
  })

  it("is counted anew for another failure, and after an answer", () => {
    const [one] = next(answered, "network")
    const [two] = next(one, "network", at + minute)
    const [other] = next(two, "overloaded", at + 3 * minute)
    assert.strictEqual(other.pause?.until, at + 4 * minute)
    const [anew] = next(TurnFailures.answered(two), "network", at + 3 * minute)
    assert.strictEqual(anew.pause?.until, at + 4 * minute)
  })

  const limited = (before: TurnFailures.TurnFailures, now: number, until: number, within?: number) =>
    TurnFailures.failed(before, problem("rate_limited", until, within), now, true, false)[0]

  it("grows where a limit's end is told again just before it: it may have been told wrong", () => {
    const end = at + 10 * minute
    const first = limited(answered, at, end)
    assert.strictEqual(limited(first, end - 30_000, end).pause?.until, end + 90_000)
  })

  it("is no shorter than that of the same limit before it, whose end was told or which was tried just now", () => {
    const end = at + 10 * minute
    assert.strictEqual(next(limited(answered, at, end), "rate_limited", at + minute)[0].pause?.until, end)
    const often = [0, 1, 3].reduce((before, n) => next(before, "rate_limited", at + n * minute)[0], answered)
    assert.strictEqual(often.pause?.until, at + 7 * minute)
    assert.strictEqual(next(often, "rate_limited", at + 4 * minute)[0].pause?.until, at + 12 * minute)
    assert.strictEqual(next(next(answered, "network")[0], "rate_limited")[0].pause?.until, at + minute)
  })

  it("remembers what a limit cut off, until it fails of something else, is answered, or is not in the conversation", () => {
    const cut = (before: TurnFailures.TurnFailures, id: string, kind: ProblemKind) =>
      TurnFailures.withCutOff(before, id, problem(kind))
    const both = cut(cut(answered, "a", "rate_limited"), "b", "rate_limited")
    assert.deepStrictEqual(cut(both, "a", "rate_limited").cutOff, ["b", "a"])
    assert.deepStrictEqual(cut(both, "a", "network").cutOff, ["b"])
    assert.deepStrictEqual(TurnFailures.answered({ ...both, inRow: 1 }).cutOff, [])
    assert.deepStrictEqual(TurnFailures.renewed(both, "empty").cutOff, [])
    assert.deepStrictEqual(TurnFailures.renewed(both, "compacted").cutOff, ["a", "b"])
  })

  it("ends with the human's word, and with it what is wrong with the conversation by a new one", () => {
    const [full] = next(answered, "context")
    assert.isNull(TurnFailures.pauseAt(TurnFailures.resumed(full, at), at))
    assert.isFalse(waitsForHuman(TurnFailures.resumed(full, at)))
    assert.isNull(TurnFailures.renewed(full, "compacted").pause)
    assert.isNull(TurnFailures.renewed(full, "empty").pause)
    assert.isNotNull(TurnFailures.renewed(next(answered, "auth")[0], "compacted").pause)
  })
})

describe("a failed turn of the user's own prompt", () => {
  it("makes the queue wait where the next would fail alike, and not where leap does not know", () => {
    const own = (kind: ProblemKind) => TurnFailures.failed(answered, problem(kind), at, false, true)[0].pause
    assert.isNull(own("unknown"))
    assert.isNull(own("refused"))
    assert.isNull(own("context")?.until)
    assert.strictEqual(own("network")?.until, at + minute)
    assert.strictEqual(own("rate_limited")?.until, at + minute)
  })
})
