import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { OutEvent } from "../../../src/domain/surfaces/outgoing/OutEvent.ts"
import * as OutFold from "../../../src/domain/surfaces/outgoing/outFold.ts"
import type { SessionMemory } from "../../../src/domain/surfaces/outgoing/SessionMemory.ts"
import { webSession } from "../../../src/domain/surfaces/web/webSession.ts"
import { needsOf, withNeeds } from "../../../src/domain/words/attention/needsOf.ts"
import { sessionTitle } from "../../../src/domain/words/wording/SessionReport.ts"
import { asSession } from "../../../src/programs/mcp/sessionAccess.ts"
import { DiskFake } from "../../support/host/DiskFake.ts"
import { defaultNotify } from "../../../src/domain/store/settings/NotifySettings.ts"
import { NoticeChannelsFake } from "../../support/host/NoticeChannelsFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, settle, until, watch, world } from "../../support/host/stage.ts"
import { SystemFake } from "../../support/host/SystemFake.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

const url = "https://h/SECRET"
const other = "https://h/other"
const push = [url, other].map((url) => ({ url, format: "json" as const }))

const noticed = Effect.gen(function* () {
  const system = yield* SystemFake
  yield* system.setSettings({ notify: { ...defaultNotify, desktop: true, push } })
  const fake = yield* NoticeChannelsFake
  const session = yield* hostDemo()
  return { ...session, fake, channels: () => fake.given.map(({ channel }) => channel).sort() }
})
type Noticed = Effect.Success<typeof noticed>
const asked = (session: Effect.Success<ReturnType<typeof hostDemo>>) =>
  Effect.andThen(
    session.send("write a file"),
    session.status.until(({ state }) => state === "needs_permission", "a dialog")
  )

describe("the end of queued work", () => {
  hosted("is told once, when the last message's turn is over, though no turn was long", function* () {
    const system = yield* SystemFake
    const rules = { ...defaultNotify, desktop: true, push: [] }
    yield* system.setSettings({ notify: { ...rules, doneAfterMinutes: 0.08 } })
    const fake = yield* NoticeChannelsFake
    const session = yield* hostDemo()
    const told = () => fake.given.map(({ notice }) => notice.title)
    yield* Effect.forEach(["tool 8", "tool 8", "hello"], (text) => session.send(text))
    const last = yield* session.status.until(
      ({ lastMessage, queue, state }) => state === "idle" && queue.length === 0 && lastMessage === "hello",
      "all done"
    )
    assert.isAbove(Date.parse(last.since), Date.UTC(2026, 0, 1, 0, 0, 7))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(told(), ["one is done"])
  })
})

describe("a user without settings", () => {
  const unset = Effect.fnUntraced(function* (desktop: boolean, refuses = false) {
    const fake = yield* NoticeChannelsFake
    fake.desktop = desktop
    if (refuses) fake.failing.set("desktop", { why: "it has no server", again: false })
    const session = yield* hostDemo()
    return { ...session, told: () => fake.given.map(({ channel, notice }) => `${channel}: ${notice.title}`) }
  })

  // the demo CLI works five times as fast as it says
  hosted("is told on the desktop what is asked, and the end of a turn that took longer than a minute", function* () {
    const session = yield* unset(true)
    const isDone = (text: string) =>
      session.status.until(
        ({ lastMessage, queue, state }) => state === "idle" && lastMessage === text && queue.length === 0,
        `the end of ${text}`
      )
    yield* session.send("tool 200")
    yield* isDone("tool 200")
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual(session.told(), [])
    yield* session.send("tool 400")
    yield* TestClock.adjust("1 minute")
    yield* isDone("tool 400")
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual(session.told(), ["desktop: one is done"])
    yield* asked(session)
    yield* TestClock.adjust("30 seconds")
    assert.deepStrictEqual(session.told(), ["desktop: one is done", "desktop: one needs you"])
  })

  it.effect("has no trouble of a desktop that is not there, or shows nothing", () =>
    Effect.forEach([unset(false), unset(true, true)], (made) =>
      Effect.gen(function* () {
        const session = yield* made
        yield* asked(session)
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(session.told(), [])
        assert.isNull(session.status.last()?.notifyProblem ?? null)
      }).pipe(Effect.scoped, Effect.provide(world))
    )
  )
})

describe("a session that needs its user", () => {
  hosted("tells attached terminals that show notices, the desktop and all servers, once", function* () {
    const session = yield* noticed
    const shows = yield* attach(session.client, "shows", { notices: true })
    const older = yield* attach(session.client, "older")
    yield* asked(session)
    yield* until(
      () => session.fake.given.length === 3,
      () => JSON.stringify(session.fake.given)
    )
    assert.deepStrictEqual(session.channels(), ["desktop", url, other].sort())
    const [{ notice } = assert.fail("no notice")] = session.fake.given
    assert.deepInclude(notice, {
      kind: "needs",
      tag: "one",
      title: "one needs you",
      text: "Write notes.md?"
    })
    assert.deepStrictEqual(
      each(notice.options, "number"),
      notice.options.map((_, index) => index + 1)
    )
    assert.deepStrictEqual(
      shows.frames().flatMap(({ kind, text }) => (kind === "Notice" ? [text] : [])),
      [JSON.stringify(notice)]
    )
    assert.isFalse(older.frames().some(({ kind }) => kind === "Notice"))
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(session.fake.given.length, 3)
  })

  hosted("tells nobody while it is mute, and who unmutes it at once", function* () {
    const session = yield* noticed
    yield* passing(session.client.SetModes({ modes: { mute: "on" } }))
    yield* asked(session)
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(session.fake.given, [])
    yield* passing(session.client.SetModes({ modes: { mute: "off" } }))
    yield* until(() => session.fake.given.length === 3, "told")
  })

  it.effect.each([
    ["looks at it elsewhere", (session: Noticed) => Effect.succeed(session.client.Seen())],
    [
      "presses keys in an attached terminal",
      (session: Noticed) => Effect.map(attach(session.client, "theirs"), (terminal) => terminal.type("\x1b[B"))
    ]
  ] as const)("tells nobody while its user %s, and soon after", ([, from]) =>
    Effect.gen(function* () {
      const session = yield* noticed
      const look = yield* from(session)
      yield* asked(session)
      yield* passing(look)
      for (let i = 0; i < 10; i++) {
        yield* TestClock.adjust("8 seconds")
        yield* passing(look)
      }
      assert.deepStrictEqual(session.fake.given, [])
      yield* TestClock.adjust("8 seconds")
      assert.deepStrictEqual(session.fake.given, [])
      yield* TestClock.adjust("4 seconds")
      yield* until(() => session.fake.given.length === 3, "told")
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect.each<readonly [how: string, meets: (session: Noticed) => Effect.Effect<unknown, unknown, Scope.Scope>]>([
    ["answered on any surface", ({ client }) => client.Answer({ answer: "1" })],
    [
      "answered by a key in an attached terminal",
      ({ client }) => Effect.flatMap(attach(client, "theirs"), (terminal) => terminal.type("1"))
    ],
    ["put aside", ({ client }) => client.Dismiss({ needs: null })],
    ["answered by its mode, which the user changes", ({ client }) => client.SetModes({ modes: { autoSend: "always" } })]
  ])("needs nothing any more on all surfaces within a second of being %s, and tells nobody", ([, meets]) =>
    Effect.gen(function* () {
      const session = yield* noticed
      const disk = yield* DiskFake
      const other = yield* watch(session.client)
      const told: Array<OutEvent["type"]> = []
      let outside: SessionMemory | null = null
      /** What webhooks and Slack are told of what the session's followers see. */
      const tellOutside = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const status = other.last() ?? assert.fail("no status")
        const folded = OutFold.fold(outside, { link: "live", status }, now, false)
        outside = folded?.memory ?? outside
        told.push(...each(folded?.events ?? [], "type"))
      })
      yield* asked(session)
      yield* tellOutside
      const onDisk = () => disk.statuses.get(session.paths.status)?.status ?? assert.fail("no status")
      yield* until(() => needsOf(onDisk()).length === 1, "the need on the disk")
      yield* passing(meets(session))
      yield* TestClock.adjust("1 second")
      yield* tellOutside
      const seen = [session.status.last(), other.last(), onDisk(), yield* passing(session.client.Status())].map(
        (status) => status ?? assert.fail("no status")
      )
      for (const status of seen) {
        const page = webSession({ link: "live", status })
        assert.deepStrictEqual(
          [needsOf(status), withNeeds(status).needs, page.needs, asSession(status, null).needs],
          [[], [], [], []]
        )
        assert.notInclude(sessionTitle(status), "needs you")
      }
      assert.notInclude(told, "session.needs")
      yield* TestClock.adjust("1 minute")
      assert.notInclude(
        session.fake.given.map(({ notice }) => notice.kind),
        "needs"
      )
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  hosted("tells nobody of what its user has put aside, and needs nothing then, until it is another need", function* () {
    const session = yield* noticed
    yield* passing(session.client.Seen())
    yield* asked(session)
    const [need = assert.fail("no need")] = needsOf(yield* passing(session.client.Status()))
    const aside = (needs: ReadonlyArray<typeof need> | null) => passing(session.client.Dismiss({ needs }))
    assert.deepStrictEqual(yield* aside([{ ...need, id: "another" }]), { dismissed: 0 })
    assert.deepStrictEqual(yield* aside([need]), { dismissed: 1 })
    assert.deepStrictEqual(yield* aside(null), { dismissed: 0 })
    const status = yield* passing(session.client.Status())
    assert.deepStrictEqual([needsOf(status), status.state], [[], "needs_permission"])
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(session.fake.given, [])
    yield* passing(session.client.Answer({ answer: "1" }))
    yield* session.status.until(({ state }) => state === "idle", "the answer")
    yield* asked(session)
    yield* until(() => session.fake.given.length === 3, "told of the next one")
    assert.lengthOf(needsOf(yield* passing(session.client.Status())), 1)
  })

  hosted("tells nobody of what leap answers by its mode", function* () {
    const session = yield* noticed
    yield* passing(session.client.SetModes({ modes: { autoSend: "always" } }))
    yield* session.send("write a file")
    yield* session.status.until(({ state }) => state === "running", "work")
    yield* session.status.until(({ state }) => state === "idle", "the answer")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(session.fake.given, [])
  })

  hosted("is not disturbed by servers that hang or fail, and says so without their secrets", function* () {
    const session = yield* noticed
    session.fake.hanging.add(url)
    session.fake.failing.set(other, { why: "the server answered 500", again: true })
    yield* asked(session)
    yield* until(() => session.fake.failed.length === 3, "three attempts")
    const problem = yield* session.status.until(
      ({ notifyProblem }) => typeof notifyProblem === "string",
      "the status tells"
    )
    assert.strictEqual(problem.notifyProblem, "h: the server answered 500")
    assert.deepStrictEqual(session.channels(), ["desktop"])
    yield* passing(session.client.Answer({ answer: "1" }))
    yield* session.status.until(({ state }) => state === "idle", "it goes on")
    // its end waits for no server
    session.fake.failing.clear()
    yield* session.send("/exit")
    yield* session.end
    yield* settle
    assert.strictEqual(session.fake.failed.length, 3)
  })

  hosted("tells of a CLI that ends with an error, before its process goes", function* () {
    const session = yield* noticed
    yield* session.child.exit({ code: 3, signal: null })
    yield* session.end
    assert.deepStrictEqual(
      session.fake.given.map(({ notice }) => notice.title),
      Array.from({ length: 3 }, () => "one ended")
    )
    const last = session.status.last() ?? assert.fail("no status")
    assert.deepStrictEqual(rowsOf(needsOf(last), "kind", "text"), [["ended", "its CLI ended by itself: exit code 3"]])
  })

  hosted("says that nothing is needed where the user was there, or has asked for the end", function* () {
    const session = yield* noticed
    yield* passing(session.client.Seen())
    yield* session.child.exit({ code: 3, signal: null })
    yield* session.end
    assert.deepStrictEqual(session.fake.given, [])
    const last = session.status.last() ?? assert.fail("no status")
    assert.deepStrictEqual([last.problem, needsOf(last)], [null, []])
  })
})
