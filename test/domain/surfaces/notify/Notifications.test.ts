import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Notifications from "../../../../src/domain/surfaces/notify/Notifications.ts"
import type { Notice } from "../../../../src/domain/surfaces/notify/Notice.ts"
import { defaultModes, type SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { message } from "../../../support/data/clientKeys.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import type { NoticeRules, Observation } from "../../../../src/domain/surfaces/notify/Notifications.ts"
import { quietUntil } from "../../../../src/domain/store/settings/quietSpan.ts"

const begin = Date.UTC(2026, 0, 1, 12)
const rules: NoticeRules = {
  needsYou: true,
  doneAfterMinutes: 10,
  failed: true,
  limit: true,
  quietHours: null,
  zone: "UTC"
}
/** What is seen of a session, and what leap plans for its limit. */
interface Seen
  extends
    Omit<Observation, "status">,
    Pick<
      SessionStatus,
      "dismissed" | "exit" | "message" | "pause" | "problem" | "question" | "reason" | "startedAt" | "state" | "tag"
    > {
  readonly workToCome: boolean
  readonly givenUp?: boolean
  readonly mute: string | undefined
  readonly response: string | null
  readonly plan: string | null
}
const observed = (seen: Seen): Observation => {
  const { answering, at, givenUp = false, mute, plan, response, stopping, userSeenAt, workToCome, ...known } = seen
  const status = sessionStatus({
    ...known,
    since: new Date(begin).toISOString(),
    queue: [
      ...(givenUp ? [message("PAST1", "too long", { status: "done", outcome: "failed", why: "refused" })] : []),
      ...(workToCome ? [message("NEXT1", "next", {})] : [])
    ],
    modes: { ...defaultModes, ...(mute === undefined ? {} : { mute }) },
    lastResponse: response,
    night: plan === null ? null : { at: null, text: plan }
  })
  return { at, status, answering, userSeenAt, stopping }
}
const rest: Seen = {
  at: begin,
  tag: "one",
  startedAt: new Date(begin).toISOString(),
  state: "idle",
  reason: "the prompt is on screen",
  message: null,
  question: null,
  problem: null,
  pause: null,
  exit: null,
  workToCome: false,
  answering: false,
  userSeenAt: null,
  stopping: false,
  mute: undefined,
  response: "That is my answer.",
  plan: null
}
const question = (title: string) => ({ title, options: [{ number: 1, label: "Yes" }] })
const asks = (title: string): Partial<Seen> => ({ state: "needs_permission", question: question(title) })

type Change = readonly [seconds: number, change: Partial<Seen>]
/** Each step: so many seconds later it is like this. Between steps the time is looked at when that is asked for. */
const toldUnder = (own: Partial<NoticeRules>, ...steps: ReadonlyArray<Change>) => {
  let memory = Notifications.start
  let now = rest
  const notices: Array<{ readonly at: number; readonly notice: Notice }> = []
  const look = (seen: Seen): void => {
    const observation = observed(seen)
    now = seen
    const [next, notice] = Notifications.step({ ...rules, ...own }, memory, observation)
    memory = next
    if (notice !== null) notices.push({ at: (observation.at - begin) / 1_000, notice })
  }
  const passTo = (at: number): void => {
    for (let wakes = 0; memory.wakeAt !== null && memory.wakeAt <= at && wakes < 10_000; wakes++)
      look({ ...now, at: Math.max(now.at, memory.wakeAt) })
  }
  look(rest)
  for (const [seconds, change] of steps) {
    const at = now.at + seconds * 1_000
    passTo(at - 1)
    look({ ...rest, ...change, at })
  }
  passTo(now.at + 3 * 86_400_000)
  return notices
}
const told = (...steps: ReadonlyArray<Change>) => toldUnder({}, ...steps)
const titlesUnder = (...given: Parameters<typeof toldUnder>) =>
  toldUnder(...given).map(({ at, notice }) => `${at} ${notice.title}`)
const titles = (...steps: ReadonlyArray<Change>) => titlesUnder({}, ...steps)

describe("what the user is told", () => {
  it("a question, with what is asked and its options, once it has stood for a moment", () => {
    const [only, ...others] = told([5, { ...asks("Write notes.md?"), response: null }])
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(only, {
      at: 7,
      notice: {
        kind: "needs",
        tag: "one",
        title: "one needs you",
        text: "Write notes.md?",
        options: [{ number: 1, label: "Yes" }]
      }
    })
  })

  it("nothing twice", () => {
    const text = (change: Partial<Seen>) => told([5, change])[0]?.notice.text
    const about = (title: string, subject: string) => ({ ...asks(title), question: { ...question(title), subject } })
    assert.strictEqual(text(about("Write?", "notes.md")), "Write?: notes.md")
    assert.strictEqual(text(about("Write notes.md?", "notes.md")), "Write notes.md?")
    const limit = { kind: "rate_limited" as const, message: "the limit is reached until 15:00", until: null }
    assert.strictEqual(
      text({ problem: limit, plan: "it goes on by itself" }),
      `${limit.message} (it goes on by itself)`
    )
    assert.strictEqual(text({ problem: limit, plan: "the limit is reached" }), limit.message)
    const pause = { kind: "auth", since: "", until: null, text: "log in first; messages wait" } as const
    const problem = { kind: "auth", message: "log in first", until: null } as const
    assert.strictEqual(text({ pause, problem }), "log in first; messages wait")
  })

  it("once that the queue waits for the user, with what for, whether the CLI still says what is wrong or not", () => {
    const pause = { kind: "auth", since: "", until: null, text: "the account is refused; messages wait" } as const
    const problem = { kind: "auth", message: "log in", until: null } as const
    const texts = (...steps: ReadonlyArray<Change>) => told(...steps).map(({ at, notice }) => `${at} ${notice.text}`)
    const waits = "the account is refused; messages wait"
    assert.deepStrictEqual(texts([5, { pause }]), [`7 ${waits}`])
    assert.deepStrictEqual(texts([5, { pause, problem }]), [`7 log in; ${waits}`])
    const shown = [
      [5, { problem }],
      [3, { pause, problem }],
      [3, { pause }],
      [3, { pause, problem }]
    ] as const
    assert.deepStrictEqual(texts(...shown), ["7 log in"], "the same trouble")
    assert.deepStrictEqual(texts([5, { pause: { ...pause, until: "2026-01-01T13:00:00.000Z" } }]), [])
    const limit = { ...pause, kind: "rate_limited", text: "the usage limit is reached; messages wait" } as const
    assert.deepStrictEqual(
      told([5, { pause: limit }]).map(({ notice }) => [notice.kind, notice.text]),
      [["limit", limit.text]]
    )
    const spent = { kind: "rate_limited", message: "spent", until: null } as const
    assert.deepStrictEqual(texts([5, { pause: limit, problem: spent }]), [`7 spent (${limit.text})`])
    // what was seen to and failed again is news
    const again = [
      [5, { pause }],
      [600, { state: "running" }],
      [601, { pause }]
    ] as const
    assert.deepStrictEqual(texts(...again).length, 2)
  })

  it("nothing that the user has put aside, until it is another", () => {
    const since = new Date(begin).toISOString()
    const aside = (kind: string, text: string) => ({ dismissed: [{ kind, since, text }] })
    assert.deepStrictEqual(titles([5, { ...asks("a"), ...aside("permission", "a") }]), [])
    assert.deepStrictEqual(
      titles([5, { ...asks("a"), ...aside("permission", "a") }], [5, { ...asks("b"), ...aside("permission", "a") }]),
      ["12 one needs you"]
    )
    const problem = { kind: "auth", message: "log in first", until: null } as const
    assert.lengthOf(titles([5, { problem }]), 1)
    assert.deepStrictEqual(titles([5, { problem, ...aside("failed", "log in first") }]), [])
    // what else it needs brings it back no more than what it has done
    const limit = { kind: "rate_limited", message: "limit reached", until: null } as const
    const pause = { kind: "rate_limited", since, until: null, text: "messages wait" } as const
    assert.lengthOf(titles([5, { problem: limit, givenUp: true }]), 1)
    for (const trouble of [{ problem: limit }, { pause }, { problem: limit, pause }]) {
      const dismissed = [{ kind: "limit", since, id: "", text: "" }]
      assert.deepStrictEqual(titles([5, { ...trouble, dismissed, givenUp: true }]), [], JSON.stringify(trouble))
    }
  })

  it("a question that leap meant to answer, and that stays", () => {
    assert.deepStrictEqual(titles([5, { ...asks("a"), answering: true }]), ["20 one needs you"])
    assert.deepStrictEqual(titles([5, { ...asks("a"), answering: true }], [1, asks("a")]), ["7 one needs you"])
  })

  it("each question once, however it is drawn, and the next one too", () => {
    const hook: Partial<Seen> = { state: "needs_permission", message: "Bash" }
    assert.deepStrictEqual(titles([5, hook], [5, asks("a")], [3, hook], [1, asks("a")]), ["7 one needs you"])
    assert.deepStrictEqual(
      titles([5, asks("a")], [3, { state: "running" }], [1, asks("a")]),
      ["7 one needs you"],
      "a state that was read wrong for a moment"
    )
    assert.deepStrictEqual(titles([5, asks("a")], [3, hook], [1, asks("b")]), ["7 one needs you", "11 one needs you"])
    assert.deepStrictEqual(titles([5, asks("a")], [3, { state: "running" }], [60, asks("a")]), [
      "7 one needs you",
      "70 one needs you"
    ])
  })

  it("the end of long work alone, when nothing follows and nobody has stopped it", () => {
    const work: readonly [number, Partial<Seen>] = [1, { state: "running" }]
    assert.deepStrictEqual(titles(work, [599, {}]), [])
    assert.deepStrictEqual(titles(work, [600, {}]), ["603 one is done"])
    assert.deepStrictEqual(titles(work, [300, asks("a")], [1, { state: "running" }], [300, {}]), ["604 one is done"])
    assert.deepStrictEqual(titles(work, [300, { state: "churning" }], [300, {}]), ["603 one is done"])
    assert.deepStrictEqual(titles(work, [600, { state: "interrupted" }]), [])
    assert.deepStrictEqual(titlesUnder({ doneAfterMinutes: null }, work, [600, {}]), [])
  })

  it("a limit once, however exactly its end is told", () => {
    const limit = { kind: "rate_limited" as const, message: "usage limit", until: "2026-01-01T15:00:00.000Z" }
    const found = told(
      [1, { problem: { ...limit, within: 59_999 } }],
      [60, { problem: { ...limit, until: "2026-01-01T15:00:40.000Z" } }],
      [60, { problem: null }],
      [60, { problem: { ...limit, until: "2026-01-01T15:00:20.000Z" } }],
      [60, { problem: { ...limit, until: "2026-01-01T20:00:00.000Z" } }],
      [60, {}]
    )
    assert.strictEqual(found.length, 2)
  })

  it("the end of work of several queued messages, however long each took, and once", () => {
    const running: Partial<Seen> = { state: "running" }
    const next: Partial<Seen> = { workToCome: true }
    const two = [
      [1, running],
      [400, next],
      [1, running],
      [400, next],
      [1, running],
      [9, {}]
    ] as const
    assert.deepStrictEqual(titles(...two), ["814 one is done"])
    assert.strictEqual(told(...two)[0]?.notice.text, "after 14 min: That is my answer.")
    const long = [
      [1, running],
      [600, next],
      [1, running],
      [9, {}]
    ] as const
    assert.deepStrictEqual(titles(...long), ["613 one is done"])
    assert.deepStrictEqual(titles([1, running], [300, next], [1, running], [200, {}]), [])
    // the user takes back what waited, or it is held: the work was over when something ran last
    assert.deepStrictEqual(titles([1, running], [60, next], [7_200, {}]), [])
    assert.deepStrictEqual(titles([1, running], [600, next], [60, {}]), ["663 one is done"])
    // what begins after its end is another one
    assert.deepStrictEqual(titles([1, running], [400, {}], [60, running], [400, {}]), [])
    // a stop ends it, with something queued behind or not
    assert.deepStrictEqual(titles([1, running], [400, next], [1, running], [400, { state: "interrupted" }]), [])
    // a limit within it is told, and its end
    const limit = { kind: "rate_limited" as const, message: "usage limit", until: "2026-01-01T15:00:00.000Z" }
    assert.deepStrictEqual(titles([1, running], [60, { problem: limit, ...next }], [10_000, running], [60, {}]), [
      "63 one has reached its limit",
      "10123 one is done"
    ])
  })

  it("a limit once until its end, a failure, and a CLI that ends by itself with an error", () => {
    const limit = { kind: "rate_limited" as const, message: "usage limit", until: "2026-01-01T15:00:00.000Z" }
    assert.deepStrictEqual(
      titles([1, { problem: limit }], [60, { state: "running" }], [60, { problem: limit }], [9_999, {}]),
      ["3 one has reached its limit"]
    )
    assert.deepStrictEqual(titles([1, { problem: { kind: "auth", message: "log in", until: null } }]), ["3 one failed"])
    const exit: Partial<Seen> = { state: "exited", exit: { code: 1, signal: null } }
    assert.deepStrictEqual(titles([1, exit]), ["1 one ended"])
    assert.deepStrictEqual(titles([1, { ...exit, stopping: true }]), [])
    assert.deepStrictEqual(titles([1, { ...exit, exit: { code: 0, signal: null } }]), [])
  })

  it("after quiet hours and mute what is still the case", () => {
    const quiet = { quietHours: "11:00-13:30" }
    assert.deepStrictEqual(titlesUnder(quiet, [5, asks("a")]), ["5400 one needs you"])
    assert.deepStrictEqual(titlesUnder(quiet, [5, asks("a")], [600, { state: "running" }]), [])
    const mute = new Date(begin + 3_600_000).toISOString()
    assert.deepStrictEqual(titles([5, { ...asks("a"), mute }]), ["3600 one needs you"])
    assert.deepStrictEqual(titles([5, { ...asks("a"), mute: "on" }]), [])
  })

  it("carries nothing that a terminal would obey", () => {
    const [only] = told([5, asks("\u001b]0;x\u0007\u202egit push\n--force")])
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(JSON.stringify(only?.notice), /\\u00[01]|\u202e/)
  })

  it("holds while its reason does, in whichever form, and no longer", () => {
    let memory = Notifications.start
    const held = (seconds: number, change: Partial<Seen>): string | null => {
      memory = Notifications.step(rules, memory, observed({ ...rest, ...change, at: begin + seconds * 1_000 }))[0]
      const given = Notifications.standing(memory)
      return given === null ? null : `${given.kind} ${given.text} ${Date.parse(given.at) - begin}`
    }
    const hook: Partial<Seen> = { state: "needs_permission", message: "Bash" }
    assert.isNull(held(5, hook))
    assert.strictEqual(held(7, hook), "needs Bash 7000")
    assert.strictEqual(held(8, asks("Bash: ls")), "needs Bash 7000", "the dialog is drawn after the report")
    assert.strictEqual(held(9, { ...asks("Bash: ls"), userSeenAt: begin + 9_000 }), "needs Bash 7000")
    assert.isNull(held(10, { state: "running" }))
    assert.isNull(held(11, asks("Bash: rm")))
    assert.strictEqual(held(13, asks("Bash: rm")), "needs Bash: rm 13000")
    assert.isNull(held(14, { ...asks("Bash: rm"), mute: "on", question: question("Bash: mv") }))
    assert.isNull(held(15, {}))
    const failed: Partial<Seen> = { problem: { kind: "unknown", message: "HTTP 500", until: null } }
    held(20, failed)
    assert.strictEqual(held(22, failed), "failed HTTP 500 22000")
    assert.isNull(held(23, {}))
  })

  const titlesOf = ["a", "b"] as const
  const Step = Schema.Struct({
    seconds: Schema.Literals([0, 1, 3, 12, 700]),
    what: Schema.Literals(["idle", "running", "churning", "hook", "a", "b", "leap", "limit"]),
    typing: Schema.Boolean
  })
  it.prop(
    "never the same twice, never what passes, never in quiet hours",
    { steps: Schema.Array(Step) },
    ({ steps }) => {
      const changes = steps.map(({ seconds, typing, what }, index) => {
        const before = steps.slice(0, index + 1).reduce((sum, step) => sum + step.seconds, 0)
        const own: Partial<Seen> =
          what === "a" || what === "b"
            ? asks(what)
            : what === "leap"
              ? { ...asks("a"), answering: true }
              : what === "hook"
                ? { state: "needs_permission", message: "Bash" }
                : what === "limit"
                  ? { problem: { kind: "rate_limited", message: "limit", until: "2026-01-03T00:00:00.000Z" } }
                  : { state: what }
        return [seconds, { ...own, userSeenAt: typing ? begin + before * 1_000 : null }] as const
      })
      const quietHours = "12:05-12:20"
      const notices = toldUnder({ quietHours }, ...changes)
      for (const { at } of notices) assert.isNull(quietUntil(quietHours, begin + at * 1_000, "UTC"))
      for (const title of titlesOf) {
        const times = notices.flatMap(({ at, notice }) => (notice.text === title ? [at] : []))
        for (const [index, at] of times.entries()) {
          const last = times[index - 1]
          if (last === undefined) continue
          // between two notices of one question something else was the case for a while
          let passed = 0
          const apart = changes.some(([seconds], step) => {
            passed += seconds
            const [, change] = changes[step]!
            return passed > last && passed < at && change.question?.title !== title
          })
          assert.isTrue(apart, `${title} at ${last} and ${at}`)
        }
      }
      assert.isAtMost(notices.filter(({ notice }) => notice.kind === "limit").length, 1)
    }
  )
})
