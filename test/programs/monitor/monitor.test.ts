import { assert, describe } from "@effect/vitest"
import { type Cause, Deferred, type Duration, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { MonitorCommand } from "../../../src/domain/surfaces/monitor/Monitor.ts"
import * as SessionFeed from "../../../src/programs/client/SessionFeed.ts"
import { type MonitorActions, runMonitor } from "../../../src/programs/monitor/monitor.ts"
import { GitChanges } from "../../../src/services/GitChanges.ts"
import { GitView } from "../../../src/services/GitView.ts"
import { defaultSettings, type Settings } from "../../../src/domain/store/settings/Settings.ts"
import type { FeedEvent } from "../../../src/domain/words/session/Feed.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { RemoteHostError, RemoteHosts } from "../../../src/services/RemoteHosts.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { System } from "../../../src/services/System.ts"
import { makeHosts } from "../../support/fakes/HostsFake.ts"
import * as Fake from "../../support/fakes/UserTerminalFake.ts"
import { effectWith } from "../../support/run/effects.ts"

/** Lets everything happen that waits for nothing but its turn. */
const due = Effect.repeat(Effect.yieldNow, { times: 150 })
const passes = (time: Duration.Input) => Effect.andThen(TestClock.adjust(time), due)

const said = (text: string) => Effect.succeed({ text, bad: false })

/** Other machines. */
interface Away {
  readonly settings: Settings["hosts"]
  readonly connect: RemoteHosts["Service"]["connect"]
}

/** A monitor that runs over these hosts, and the terminal that it runs on. */
const open = Effect.fnUntraced(function* (
  hosts: ReturnType<typeof makeHosts>,
  own: Partial<MonitorActions<never>> = {},
  counting: Effect.Effect<number | null> | null = null,
  away: Away = { settings: {}, connect: () => Effect.die("there is no other machine") }
) {
  const terminal = yield* Fake.UserTerminalFake
  const asked: Array<MonitorCommand> = []
  const seen: Array<string> = []
  const looked: Array<string> = []
  const services = Layer.mergeAll(
    Layer.mock(UserSettings, {
      file: "",
      read: Effect.succeed({ settings: { ...defaultSettings, hosts: away.settings }, warnings: [] })
    }),
    Layer.mock(RemoteHosts, { connect: away.connect }),
    Layer.mock(System, {
      env: { HOME: "/home/u" },
      cwd: "/",
      pid: 1,
      version: "1",
      node: "24",
      platform: "linux",
      self: []
    }),
    Layer.mock(GitChanges, {
      count: (directory) =>
        Effect.flatMap(
          Effect.sync(() => looked.push(directory)),
          (times) => counting ?? Effect.succeed(times)
        )
    }),
    Layer.succeed(GitView, { branch: () => Effect.succeed("main") }),
    SessionFeed.layer
  ).pipe(Layer.provideMerge(hosts.layer))
  const running = yield* runMonitor({
    perform: (command) =>
      Effect.andThen(
        Effect.sync(() => void asked.push(command)),
        said(`done: ${command._tag}`)
      ),
    copy: ({ what }) => said(`copied: ${what}`),
    compare: (tag) => Effect.succeed(`no work tree of ${tag}`),
    seen: (tag) => Effect.sync(() => void seen.push(tag)),
    visit: () => Effect.succeed(null),
    look: Effect.die("there are sessions"),
    ...own
  }).pipe(Effect.provide(services), Effect.forkChild)
  yield* passes("200 millis")
  return {
    ...terminal,
    running,
    asked,
    seen,
    looked,
    press: (keys: string) => Effect.andThen(terminal.type(keys), passes("200 millis")),
    isOver: () => running.pollUnsafe() !== undefined
  }
})

const two = () => {
  const hosts = makeHosts()
  hosts.start("api", { state: "running", cwd: "/home/u/api" })
  hosts.start("site", { state: "idle", cwd: "/home/u/site" })
  return hosts
}

describe("the monitor on a terminal", () => {
  effectWith(Fake.layer(100, 30))(
    "shows the sessions as they change, does what its keys say, and leaves the terminal as it was",
    function* () {
      const hosts = two()
      const { asked, isRaw, left, press, running, screen } = yield* open(hosts)
      assert.isTrue(isRaw())
      assert.isAbove(left().length, 0)
      assert.match(screen(), /^❯ ▶ api +running/m)
      hosts.tell("site", { state: "needs_input" })
      yield* passes("300 millis")
      assert.match(screen(), /needs you \(1\)\n +\? site +question/)
      yield* press("shello\r")
      assert.deepStrictEqual(asked, [
        { _tag: "Do", tags: ["api"], call: { _tag: "Send", text: "hello", images: [], front: false, force: false } }
      ])
      assert.include(screen(), "done: Do")
      hosts.start("third")
      yield* passes("300 millis")
      assert.include(screen(), "third")
      yield* press("q")
      yield* Fiber.join(running)
      assert.deepStrictEqual(left(), [])
      assert.notInclude(screen(), "leap monitor")
    }
  )

  effectWith(Fake.layer(100, 30))(
    "tells the host of the session whose screen it shows that its user looks, now and then",
    function* () {
      const { press, seen } = yield* open(two())
      yield* press("j")
      yield* press("j")
      yield* press("k")
      assert.deepStrictEqual(seen, ["site", "api"])
      yield* passes("5 seconds")
      assert.lengthOf(seen, 2, "nobody presses a key")
      yield* press("k")
      assert.deepStrictEqual(seen, ["site", "api", "api"])
    }
  )

  effectWith(Fake.layer(150, 30))(
    "shows the sessions of other machines beside these, has each machine do its part, and says which is not reached",
    function* () {
      const did: Array<unknown> = []
      const feed = yield* Queue.unbounded<FeedEvent, Cause.Done>()
      let isUp = true
      const box = { name: "box", destination: "me@box", leap: "leap" }
      const client = {
        Feed: () => Stream.fromQueue(feed),
        Perform: ({ command }: { readonly command: unknown }) =>
          Effect.andThen(
            Effect.sync(() => void did.push(command)),
            said("done there")
          ),
        Screen: ({ tag }: { readonly tag: string }) => Effect.succeed(`the screen of ${tag} there`),
        Seen: () => Effect.void
      }
      const away: Away = {
        settings: { box: { destination: "me@box" } },
        connect: (host) => {
          assert.deepStrictEqual(host, box)
          return isUp
            ? Effect.succeed(client as never)
            : Effect.fail(new RemoteHostError({ host: "box", why: "box: no route", exitCode: 1 }))
        }
      }
      const hosts = makeHosts()
      hosts.start("api", { state: "idle", cwd: "/home/u/api" })
      const there = sessionStatus({ tag: "api", state: "idle", ready: true, cwd: "/home/u/api" })
      yield* Queue.offer(feed, { _tag: "Snapshot", sessions: [{ link: "live", status: there }] })
      const { asked, looked, press, screen } = yield* open(hosts, {}, null, away)
      assert.match(screen(), /○ api +idle/)
      assert.match(screen(), /○ box\/api +idle/)
      // git is read on this machine alone, where that directory is another
      assert.match(screen(), /^.*○ api .*main/m)
      assert.notMatch(screen(), /^.*○ box\/api .*main/m)
      assert.deepStrictEqual(looked, ["/home/u/api"])

      yield* press("*shello\r")
      const call = { _tag: "Send", text: "hello", images: [], front: false, force: false } as const
      assert.deepStrictEqual(asked, [{ _tag: "Do", tags: ["api"], call }])
      assert.deepStrictEqual(did, [{ _tag: "Do", tags: ["api"], call }])
      assert.include(screen(), "done: Do; box: done there")
      yield* press("\x1b")
      yield* press("j")
      yield* passes("3 seconds")
      assert.include(screen(), "the screen of api there")

      // another session there is one more row; a change here does not lose it
      yield* Queue.offer(feed, { _tag: "Changed", session: { link: "live", status: { ...there, tag: "site" } } })
      hosts.tell("api", { state: "running" })
      yield* passes("300 millis")
      assert.include(screen(), "box/site")

      isUp = false
      yield* Queue.end(feed)
      yield* passes("300 millis")
      assert.match(screen(), /~ box\/api +no answer/)
      assert.match(screen(), /3 sessions: not reached: box/)
      assert.include(screen(), "the connection to host 'box' broke off")
      yield* press("sagain\r")
      assert.include(screen(), "host 'box' is not reached")
      yield* passes("2 seconds")
      assert.include(screen(), "box: no route")
    }
  )

  effectWith(Fake.layer(150, 30))("says of a machine whose answers it cannot read that it is so", function* () {
    const unreadable = () => Effect.die(new Error("no such state"))
    const there = sessionStatus({ tag: "api", state: "idle", ready: true })
    const feeds = [
      Stream.die(new Error("no such state")),
      Stream.concat(
        Stream.make<[FeedEvent]>({ _tag: "Snapshot", sessions: [{ link: "live", status: there }] }),
        Stream.never
      )
    ]
    const client = { Feed: () => feeds.shift() ?? Stream.never, Perform: unreadable, Seen: unreadable }
    const away: Away = {
      settings: { box: { destination: "me@box" } },
      connect: () => Effect.succeed(client as never)
    }
    const { press, screen } = yield* open(makeHosts(), {}, null, away)
    assert.include(screen(), "what host 'box' answers cannot be read: its leap may be another version")
    yield* passes("2 seconds")
    assert.match(screen(), /box\/api +idle/)
    yield* press("sagain\r")
    assert.include(screen(), "what host 'box' answers cannot be read")
  })

  effectWith(Fake.layer(100, 30))("writes only the cells that changed", function* () {
    const hosts = two()
    const { press, written } = yield* open(hosts)
    written()
    hosts.tell("site", { message: "x" })
    yield* passes("300 millis")
    const bytes = written()
    assert.include(bytes, "x")
    assert.isBelow(bytes.length, 200, bytes)
    // nothing changed: nothing is written
    hosts.tell("site", { attached: 0 })
    yield* passes("300 millis")
    assert.strictEqual(written(), "")
    yield* press("q")
  })

  effectWith(Fake.layer(100, 30))(
    "shows the selected session's screen as its CLI draws it, and follows no other",
    function* () {
      const hosts = two()
      hosts.draw("api", "first screen")
      const { press, screen } = yield* open(hosts)
      assert.include(screen(), "first screen")
      hosts.draw("api", "second screen")
      yield* passes("600 millis")
      assert.include(screen(), "second screen")
      hosts.draw("site", "of the web")
      yield* press("j")
      yield* passes("600 millis")
      assert.include(screen(), "of the web")
      assert.notInclude(screen(), "second screen")
      // the feed's, and no other
      assert.strictEqual(hosts.connections("api"), 1)
      assert.strictEqual(hosts.connections("site"), 2)
      yield* press("p")
      assert.strictEqual(hosts.connections("site"), 1)
      yield* press("q")
    }
  )

  effectWith(Fake.layer(100, 30))(
    "looks seldom at a directory whose git is slow, and never twice at once",
    function* () {
      const hosts = two()
      const { looked, press } = yield* open(hosts, {}, Effect.as(Effect.sleep("20 seconds"), null))
      const api = () => looked.filter((directory) => directory === "/home/u/api").length
      const busyFor = Effect.fnUntraced(function* (seconds: number) {
        for (let i = 0; i < seconds; i++) {
          hosts.tell("api", { message: `${i}` })
          yield* passes("1 second")
        }
      })
      yield* busyFor(19)
      assert.strictEqual(api(), 1)
      // it has ended without a number: a minute passes
      yield* busyFor(50)
      assert.strictEqual(api(), 1)
      yield* busyFor(15)
      assert.strictEqual(api(), 2)
      yield* press("q")
    }
  )

  effectWith(Fake.layer(100, 30))("looks at a directory's git again only after something happened there", function* () {
    const hosts = two()
    const { looked, press, screen } = yield* open(hosts)
    assert.deepStrictEqual(looked.toSorted(), ["/home/u/api", "/home/u/site"])
    assert.match(screen(), /api +running .*main\*1/)
    yield* passes("1 hour")
    assert.strictEqual(looked.length, 2)
    for (let i = 0; i < 20; i++) {
      hosts.tell("api", { message: `${i}` })
      yield* passes("200 millis")
    }
    assert.deepStrictEqual(looked.slice(2), ["/home/u/api"])
    // what came after the last look is not forgotten
    yield* passes("10 seconds")
    assert.deepStrictEqual(looked.slice(2), ["/home/u/api", "/home/u/api"])
    assert.match(screen(), /api +running .*main\*4/)
    yield* press("q")
  })

  effectWith(Fake.layer(100, 30))(
    "gives its terminal to an attached session, goes on meanwhile, and comes back",
    function* () {
      const hosts = two()
      const back = yield* Deferred.make<void>()
      const terminal = yield* Fake.UserTerminalFake
      let during: ReadonlyArray<string> = ["not visited"]
      const { press, screen } = yield* open(hosts, {
        visit: () =>
          Effect.gen(function* () {
            during = terminal.left()
            yield* Deferred.await(back)
            return { text: "was there", bad: false }
          })
      })
      yield* press("\r")
      assert.deepStrictEqual(during, [], "the terminal is as the monitor found it")
      assert.notInclude(screen(), "leap monitor")
      for (let i = 0; i < 50; i++) {
        hosts.tell("site", { state: "needs_input", message: `${i}` })
        yield* passes("200 millis")
      }
      yield* Deferred.succeed(back, undefined)
      yield* passes("200 millis")
      assert.match(screen(), /was there/)
      assert.match(screen(), /needs you \(1\)\n +\? site +question/)
      yield* press("q")
    }
  )

  for (const how of ["a hang-up", "an interruption"] as const) {
    effectWith(Fake.layer(100, 30))(`restores the terminal after ${how}`, function* () {
      const { hangUp, left, running } = yield* open(two())
      assert.isAbove(left().length, 0)
      if (how === "a hang-up") {
        yield* hangUp
        yield* due
        yield* Fiber.join(running)
      } else yield* Fiber.interrupt(running)
      assert.deepStrictEqual(left(), [])
    })
  }

  effectWith(Fake.layer(100, 30))("fits every size that the window gets", function* () {
    const { press, resize, screen } = yield* open(two())
    for (const [cols, rows] of [
      [60, 24],
      [200, 50],
      [20, 4],
      [100, 30]
    ] as const) {
      yield* resize(cols, rows)
      yield* passes("200 millis")
      assert.include(screen(), "❯ ▶ api")
      for (const line of screen().split("\n")) assert.isAtMost([...line].length, cols)
    }
    yield* press("q")
  })
})
