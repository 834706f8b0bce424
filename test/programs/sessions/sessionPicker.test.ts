import { assert, describe } from "@effect/vitest"
import { Deferred, type Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { PickRow, Preview } from "../../../src/domain/surfaces/picker/Rows.ts"
import { askChoice, askText, askYes } from "../../../src/programs/prompts/ask.ts"
import { askNewTag } from "../../../src/programs/sessions/askNewTag.ts"
import { pickSession } from "../../../src/programs/sessions/sessionPicker.ts"
import { home, manyRows } from "../../support/data/pickRows.ts"
import * as Fake from "../../support/fakes/UserTerminalFake.ts"
import { effectWith } from "../../support/run/effects.ts"

const cwd = `${home}/work/leap`
const last = (row: PickRow): Preview => ({ lastUser: `Asked of ${row.tag}`, lastAssistant: `Answer of ${row.tag}` })

/** Lets everything happen that waits for nothing but its turn. */
const due = Effect.repeat(Effect.yieldNow, { times: 60 })
const passes = (time: Duration.Input) => Effect.andThen(TestClock.adjust(time), due)

/** A picker that runs, the terminal it runs on, and time for all that is due. */
const open = Effect.fnUntraced(function* <E>(
  preview: (row: PickRow) => Effect.Effect<Preview, E> = (row) => Effect.succeed(last(row)),
  rows = manyRows(20, 1_000_000)
) {
  const terminal = yield* Fake.UserTerminalFake
  const picking = yield* pickSession({ rows, home, cwd, preview }).pipe(Effect.forkChild)
  yield* due
  return { ...terminal, picking, press: (keys: string) => Effect.andThen(terminal.type(keys), due) }
})

describe("pickSession", () => {
  effectWith(Fake.layer())(
    "shows the sessions, follows the keys, and gives what was picked; the terminal is as it was",
    function* () {
      const { isRaw, picking, press, left, screen } = yield* open()
      assert.isTrue(isRaw())
      assert.isAbove(left().length, 0)
      assert.include(screen(), "❯ api ")
      yield* press("doc")
      assert.match(screen(), /^Resume › doc +3 of 20/)
      yield* press("\x1b[B\x1b[B")
      assert.include(screen(), "❯ docs-1")
      yield* press("\r")
      assert.strictEqual((yield* Fiber.join(picking))?.tag, "docs-1")
      assert.deepStrictEqual(left(), [])
      assert.notInclude(screen(), "Resume")
    }
  )

  for (const [how, keys] of [
    ["Escape", "\x1b"],
    ["Ctrl+C", "\x03"],
    ["Ctrl+D", "ab\x04"]
  ] as const) {
    effectWith(Fake.layer())(`is left by ${how} with nothing`, function* () {
      const { picking, press, left } = yield* open()
      yield* press(keys)
      yield* passes("200 millis")
      assert.isNull(yield* Fiber.join(picking))
      assert.deepStrictEqual(left(), [])
    })
  }

  effectWith(Fake.layer())("is left when the terminal hangs up, and restores it when it is interrupted", function* () {
    const first = yield* open()
    yield* Fiber.interrupt(first.picking)
    assert.deepStrictEqual(first.left(), [])
    const second = yield* open()
    assert.isAbove(second.left().length, 0)
    yield* second.hangUp
    assert.isNull(yield* Fiber.join(second.picking))
    assert.deepStrictEqual(second.left(), [])
  })

  effectWith(Fake.layer())(
    "an arrow whose bytes come apart is an arrow; Escape alone is Escape after a moment",
    function* () {
      const { picking, press, screen } = yield* open()
      yield* press("web\x1b")
      yield* press("[B")
      assert.include(screen(), "Resume › web ")
      assert.include(screen(), "❯ web-frontend-0")
      yield* press("\x1b")
      assert.include(screen(), "Resume › web ")
      yield* passes("200 millis")
      assert.include(screen(), "Resume › type to search")
      assert.isUndefined(picking.pollUnsafe())
    }
  )

  effectWith(Fake.layer())("a paste in pieces is searched for, and one without an end ends by itself", function* () {
    const { picking, press, screen } = yield* open()
    yield* press("\x1b[200~do")
    yield* press("cs\r\n")
    yield* press("\x1b[201~")
    assert.match(screen(), /^Resume › docs +3 of 20/)
    yield* press("\x15\x1b[200~leap\r")
    yield* passes("1 second")
    assert.match(screen(), /^Resume › leap +\d+ of 20/)
    yield* press("\r")
    assert.strictEqual((yield* Fiber.join(picking))?.tag, "leap")
  })

  effectWith(Fake.layer())("follows the terminal's size, and draws only what differs", function* () {
    const { press, resize, screen, written } = yield* open()
    written()
    yield* press("\x1b[B")
    const moved = written()
    // the two rows, the session's name below, what Enter does; not the rest of the list
    const rows = new Set(Array.from(moved.matchAll(/\x1b\[(\d+);\d+H/g), ([, row]) => row))
    // and the cursor's
    assert.deepStrictEqual([...rows], ["2", "3", "16", "24", "1"], JSON.stringify(moved))
    assert.isTrue(moved.startsWith("\x1b[?2026h") && moved.endsWith("\x1b[?2026l"))
    yield* press("\x1b[<0;1;1M")
    assert.strictEqual(written(), "")
    yield* resize(30, 8)
    yield* due
    assert.strictEqual(screen().split("\n").length, 8)
    assert.include(screen(), "❯ web-frontend")
    yield* press("\x0c")
    assert.include(written(), "\x1b[2J")
  })

  effectWith(Fake.layer())(
    "looks into the selected session when the selection rests, once, and shows the last exchange",
    function* () {
      const asked: Array<string> = []
      const { press, screen } = yield* open((row) =>
        Effect.sync(() => {
          asked.push(row.tag)
          return last(row)
        })
      )
      yield* press("\x1b[B")
      yield* press("\x1b[B")
      assert.deepStrictEqual(asked, [])
      yield* passes("100 millis")
      assert.deepStrictEqual(asked, ["docs"])
      assert.include(screen(), "› Asked of docs\n• Answer of docs")
      yield* press("\x1b[A")
      yield* passes("100 millis")
      yield* press("\x1b[B")
      assert.include(screen(), "• Answer of docs")
      yield* passes("100 millis")
      assert.deepStrictEqual(asked, ["docs", "web-frontend"])
    }
  )

  effectWith(Fake.layer())(
    "a look that takes long is stopped when the selection moves, and holds up nothing; one that fails shows nothing",
    function* () {
      const stopped = yield* Deferred.make<void>()
      const failed: Array<string> = []
      const { picking, press, left, screen } = yield* open((row) =>
        row.tag === "api"
          ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
          : row.tag === "docs"
            ? Effect.andThen(
                Effect.sync(() => failed.push(row.tag)),
                Effect.die(new Error("broken"))
              )
            : Effect.fail("no")
      )
      yield* passes("100 millis")
      yield* press("\x1b[B")
      yield* Deferred.await(stopped)
      yield* passes("100 millis")
      yield* press("\x1b[B")
      yield* passes("100 millis")
      assert.include(screen(), "❯ docs")
      assert.notInclude(screen(), "broken")
      yield* press("\x1b[A")
      yield* press("\x1b[B")
      yield* passes("100 millis")
      assert.deepStrictEqual(failed, ["docs"])
      yield* press("\r")
      assert.strictEqual((yield* Fiber.join(picking))?.tag, "docs")
      assert.deepStrictEqual(left(), [])
    }
  )

  effectWith(Fake.layer())("the screen is given back before a look ends that cannot be stopped", function* () {
    const gate = yield* Deferred.make<void>()
    const { picking, press, left, screen } = yield* open((row) =>
      row.tag === "api" ? Effect.uninterruptible(Effect.as(Deferred.await(gate), last(row))) : Effect.succeed(last(row))
    )
    yield* passes("100 millis")
    yield* press("\x1b[B")
    yield* passes("100 millis")
    assert.include(screen(), "• Answer of web-frontend")
    yield* press("\r")
    assert.deepStrictEqual(left(), [])
    yield* Deferred.succeed(gate, undefined)
    yield* due
    assert.strictEqual((yield* Fiber.join(picking))?.tag, "web-frontend")
  })

  effectWith(Fake.layer())("nothing that a file says reaches the terminal as a command", function* () {
    const evil = "\x1b]0;owned\x07\x1b[2J\x1bc\x9b31m\u202e\r\nx"
    const rows = [
      {
        ...manyRows(1, 1_000_000)[0]!,
        tag: evil,
        displayName: evil,
        cli: evil,
        cwd: evil,
        sessionId: evil,
        liveAs: evil
      }
    ]
    const { written } = yield* open(() => Effect.succeed({ lastUser: evil, lastAssistant: `${evil}\nall of it` }), rows)
    yield* passes("100 millis")
    const own = /\x1b\[(?:[\d;]*[mH]|2K|2J|\?(?:25|1049|2004|7|2026)[hl])/g
    const all = written()
    assert.include(all, "all of it")
    assert.notMatch(all.replace(own, ""), /[\p{Cc}\u202e]/u)
    assert.strictEqual(all.match(/\x1b\[2J/g)?.length, 1)
  })
})

describe("askNewTag", () => {
  const ask = Effect.gen(function* () {
    const terminal = yield* Fake.UserTerminalFake
    const asking = yield* askNewTag((tag) =>
      Effect.succeed(
        tag === "mine" ? "the session has that tag already" : tag === "busy" ? "session 'busy' runs already" : null
      )
    ).pipe(Effect.forkChild)
    yield* due
    return { ...terminal, asking, press: (keys: string) => Effect.andThen(terminal.type(keys), passes("200 millis")) }
  })

  effectWith(Fake.layer(100))(
    "bad characters, the same tag and a busy tag are asked again, and A_1-b is taken",
    function* () {
      const { asking, press, left, screen } = yield* ask
      for (const [keys, why] of [
        ["a b", "a tag is a letter or digit followed by letters, digits, '-' or '_'"],
        ["\x15-x", "a tag is a letter or digit"],
        ["\x15start", "'start' is a command, not a tag"],
        ["\x15mine", "the session has that tag already"],
        ["\x15busy", "session 'busy' runs already"]
      ] as const) {
        yield* press(`${keys}\r`)
        assert.include(screen(), why)
        assert.isUndefined(asking.pollUnsafe(), keys)
      }
      yield* press("\x15\x1b[200~A_1\n\x1b[201~-b")
      assert.strictEqual(screen(), "New tag for the session: A_1-b")
      yield* press("\r")
      assert.strictEqual(yield* Fiber.join(asking), "A_1-b")
      assert.deepStrictEqual(left(), [])
    }
  )

  for (const [how, keys] of [
    ["a blank entry", "  \r"],
    ["Ctrl+C", "abc\x03"],
    ["Ctrl+D", "abc\x04"],
    ["Escape", "abc\x1b"]
  ] as const) {
    effectWith(Fake.layer())(`${how} cancels`, function* () {
      const { asking, press, left } = yield* ask
      yield* press(keys)
      assert.deepInclude(yield* Effect.flip(Fiber.join(asking)), { exitCode: 130 })
      assert.deepStrictEqual(left(), [])
    })
  }

  effectWith(Fake.layer())("the end of input cancels", function* () {
    const { asking, hangUp, left } = yield* ask
    yield* hangUp
    assert.deepInclude(yield* Effect.flip(Fiber.join(asking)), { exitCode: 130 })
    assert.deepStrictEqual(left(), [])
  })

  effectWith(Fake.layer(21, 5))("keeps to its line in a narrow terminal", function* () {
    const { press, resize, screen } = yield* ask
    yield* press("abcdefghijklmnopqrstuvwxyz!\r")
    assert.strictEqual(screen(), "New tag for… …vwxyz!\n  a tag is a letter…")
    yield* resize(60, 5)
    yield* due
    assert.include(screen(), "New tag for the session: abcdefghijklmnopqrstuvwxyz!")
  })
})

describe("questions below the cursor", () => {
  const asked = Effect.fnUntraced(function* <A, E, R>(question: Effect.Effect<A, E, R>) {
    const terminal = yield* Fake.UserTerminalFake
    const asking = yield* Effect.forkChild(question)
    yield* due
    return { ...terminal, asking, press: (keys: string) => Effect.andThen(terminal.type(keys), passes("200 millis")) }
  })
  const ways = askChoice("Which way?", [
    { title: "short", value: 1 },
    { title: "scenic", value: 2 },
    { title: "none", value: null }
  ])

  for (const [keys, value, title] of [
    ["\r", 1, "short"],
    ["\x1b[B\r", 2, "scenic"],
    ["\x1b[A\r", null, "none"],
    ["jj\x1b[A\r", 2, "scenic"],
    ["\x1b[F\r", null, "none"],
    // a paste picks nothing
    ["\x1b[200~\n\r\n\x1b[201~\x0e\r", 2, "scenic"]
  ] as const) {
    effectWith(Fake.layer(40, 6))(`${JSON.stringify(keys)} takes '${title}'`, function* () {
      const { asking, left, press, screen } = yield* asked(ways)
      assert.strictEqual(screen(), "Which way?\n❯ short\n  scenic\n  none")
      yield* press(keys)
      assert.strictEqual(yield* Fiber.join(asking), value)
      assert.strictEqual(screen(), `Which way? ${title}`)
      assert.deepStrictEqual(left(), [])
    })
  }

  effectWith(Fake.layer(20, 4))("keep the marked choice in sight, and to their rows in a small terminal", function* () {
    const { asking, press, screen } = yield* asked(
      askChoice(
        "A question that has more words than columns?",
        Array.from("abcdefg", (letter) => ({ title: `${letter} choice with many words`, value: letter }))
      )
    )
    yield* press("\x1b[B\x1b[B\x1b[B")
    assert.strictEqual(screen(), "A question that has\nmore words than…\n❯ d choice with ma…")
    yield* press("\r")
    assert.strictEqual(yield* Fiber.join(asking), "d")
  })

  for (const keys of ["\x1b", "\x03", "\x04"]) {
    effectWith(Fake.layer())(`${JSON.stringify(keys)} leaves them, with exit code 130`, function* () {
      const { asking, left, press, screen } = yield* asked(ways)
      yield* press(keys)
      assert.strictEqual(screen(), "Which way?")
      assert.deepInclude(yield* Effect.flip(Fiber.join(asking)), { exitCode: 130 })
      assert.deepStrictEqual(left(), [])
    })
  }

  for (const [keys, answer] of [
    ["\r", false],
    ["y", true],
    ["n", false],
    ["\x1b[B\r", true]
  ] as const) {
    effectWith(Fake.layer())(`of yes and no ${JSON.stringify(keys)} is ${answer}`, function* () {
      const { asking, press } = yield* asked(askYes("Sure?"))
      yield* press(keys)
      assert.strictEqual(yield* Fiber.join(asking), answer)
    })
  }

  effectWith(Fake.layer(60))("for a text take the one that is given, and its words are edited", function* () {
    const place = askText("Where?", "/home/u", (text) => Effect.succeed(text.startsWith("/") ? null : "no such place"))
    const given = yield* asked(place)
    assert.strictEqual(given.screen(), "Where? /home/u")
    yield* given.press("no\r")
    assert.strictEqual(given.screen(), "Where? no\n  no such place")
    yield* given.press("\x15\r")
    assert.strictEqual(yield* Fiber.join(given.asking), "/home/u")
    const other = yield* asked(place)
    yield* other.press("b\x01/a\x1b[200~/\n\x1b[201~\r")
    assert.strictEqual(yield* Fiber.join(other.asking), "/a/b")
  })
})
