import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { readDrafts } from "../../../src/domain/surfaces/overlay/drafts.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { keptDrafts } from "../../../src/programs/attach/keptDrafts.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { System } from "../../../src/services/System.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"

class Refused extends Schema.TaggedError<Refused>()("RefusedError", {}) {}
class Lost extends Schema.TaggedError<Lost>()("RpcClientError", {}) {}

/** What happens to a terminal at one of its operations on disk and socket, counted from 0. */
interface Death {
  readonly at: number
  /** The operation was done, and only its answer does not come. */
  readonly done: boolean
}

/** A machine with one file and one queue; attached terminals by their pids. */
const machine = () => {
  let content: Uint8Array | null = null
  const alive = new Set<number>()
  const queued = new Map<string, string>()
  let writes = 0
  let ids = 0
  const terminal = Effect.fnUntraced(function* (pid: number, death: Death | null = null) {
    alive.add(pid)
    let operations = 0
    /** An operation outside of the process, which dies at it, or does no more after its death. */
    const outside = <A, E>(operation: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        if (!alive.has(pid)) return Effect.never
        if (operations++ !== death?.at) return operation
        alive.delete(pid)
        return death.done ? Effect.andThen(Effect.exit(operation), Effect.never) : Effect.never
      })
    const scope = yield* Scope.make()
    const kept = yield* keptDrafts(Tag.make("one")).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.mock(System, {
            env: {},
            cwd: "/",
            pid,
            version: "0",
            node: "24",
            platform: "linux",
            self: [],
            newId: Effect.sync(() => `id-${ids++}`)
          }),
          Layer.mock(Paths, {
            state: "/",
            config: "/",
            sessions: "/",
            hookScript: "/hook",
            session: () => ({ dir: "/s" }) as never
          }),
          Layer.mock(ProcessTable, {
            ancestry: (pid) => Effect.succeed([{ pid, birth: `b${pid}` } as never]),
            signal: ({ pid }) => Effect.sync(() => alive.has(pid))
          }),
          Layer.mock(SharedFile, {
            read: () => Effect.sync(() => content),
            change: (_file, edit) =>
              outside(
                Effect.map(
                  Effect.suspend(() => Effect.fromResult(edit(content))),
                  (to) => {
                    writes++
                    return (content = to)
                  }
                )
              )
          })
        )
      ),
      Scope.provide(scope)
    )
    const left: Array<string> = []
    return {
      ...kept,
      /** To a host that takes it; that takes it and does not answer; that refuses it. */
      send: (text: string, host: "takes" | "takes and is lost" | "refuses" = "takes") =>
        kept.send(text, (id) =>
          outside(
            Effect.suspend((): Effect.Effect<void, Refused | Lost> => {
              if (host === "refuses") return new Refused()
              queued.set(id, text)
              return host === "takes" ? Effect.void : new Lost()
            })
            // an answer takes its time
          ).pipe(Effect.tap(Effect.repeat(Effect.yieldNow, { times: 20 })))
        ),
      isAlive: () => alive.has(pid),
      operations: () => operations,
      close: Scope.close(scope, Exit.void),
      kill: Effect.sync(() => void alive.delete(pid)),
      left: Effect.andThen(
        kept.takeLeft(
          Effect.sync(() => new Set(queued.keys())),
          (text) => Effect.sync(() => left.push(text))
        ),
        Effect.sync(() => left.splice(0))
      )
    }
  })
  return {
    terminal,
    texts: () => readDrafts(content).map(({ text }) => text),
    queued: () => [...queued.values()],
    writes: () => writes
  }
}

type Terminal = Effect.Success<ReturnType<ReturnType<typeof machine>["terminal"]>>
interface Doing {
  readonly what: string
  readonly acts: (one: Terminal) => Effect.Effect<unknown, unknown>
  /** The messages that are meant, each by the texts that it has on its way. */
  readonly messages: ReadonlyArray<ReadonlyArray<string>>
}

/** Its message was refused. */
const refused = Effect.fnUntraced(function* (one: Terminal) {
  yield* one.keep("no")
  yield* TestClock.adjust(300)
  yield* Effect.flip(one.send("no", "refuses"))
})

/** What people do at a terminal, from the first key to the last. */
const doings: ReadonlyArray<Doing> = [
  {
    what: "a message typed and sent",
    messages: [["h", "he", "hel", "hello"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("h")
        yield* TestClock.adjust(0)
        for (const text of ["he", "hel"]) yield* one.keep(text)
        yield* one.send("hello")
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "two messages, one behind the other",
    messages: [["first"], ["second"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("first")
        yield* TestClock.adjust(300)
        yield* one.send("first")
        yield* one.keep("second")
        yield* one.send("second")
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "the same message twice, in one piece",
    messages: [["go on"], ["go on"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("go on")
        yield* TestClock.adjust(300)
        yield* Effect.all([one.send("go on"), one.send("go on")], { concurrency: "unbounded" })
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "two messages, in one piece",
    messages: [["first"], ["second"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("first")
        yield* TestClock.adjust(300)
        yield* Effect.all([one.send("first"), one.send("second")], { concurrency: "unbounded" })
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "a message that was refused, and sent again as it was",
    messages: [["no"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* refused(one)
        yield* one.keep("no")
        yield* one.send("no")
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "a message that was refused, and sent in other words",
    messages: [["no", "yes", "yes, then"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* refused(one)
        yield* one.keep("yes")
        yield* one.send("yes, then")
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "a message whose answer was lost, sent again",
    messages: [["lost"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("lost")
        yield* TestClock.adjust(300)
        yield* Effect.flip(one.send("lost", "takes and is lost"))
        yield* one.keep("lost")
        yield* one.send("lost")
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "a message that lay for hours",
    messages: [["old"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("old")
        yield* TestClock.adjust("3 hours")
        yield* one.send("old")
        yield* TestClock.adjust(500)
      })
  },
  {
    what: "a message while the CLI's box is taken over",
    messages: [["mine"]],
    acts: (one) =>
      Effect.gen(function* () {
        yield* one.keep("mine")
        yield* TestClock.adjust(300)
        yield* one.coming("of the box")
        yield* one.send("mine")
        yield* TestClock.adjust(500)
      })
  }
]

describe("a message that is being written", () => {
  effect("is on the disk at once, then now and then, and gone when it is left or sent", function* () {
    const { terminal, texts, writes } = machine()
    const one = yield* terminal(1)
    yield* TestClock.adjust(0)
    assert.strictEqual(writes(), 0, "nothing is written for nothing")
    yield* one.keep("h")
    yield* TestClock.adjust(0)
    assert.deepStrictEqual(texts(), ["h"])
    for (const text of ["he", "hel", "hell", "hello"]) yield* one.keep(text)
    assert.deepStrictEqual(texts(), ["h"])
    yield* TestClock.adjust(250)
    assert.deepStrictEqual([texts(), writes()], [["hello"], 2])
    yield* one.send("hello")
    yield* TestClock.adjust(250)
    assert.deepStrictEqual(texts(), [])
    yield* one.close
    assert.strictEqual(writes(), 3)
  })

  effect("has what comes out of the CLI's box before it comes, and once", function* () {
    const { terminal, texts } = machine()
    const one = yield* terminal(1)
    yield* one.coming("in the box")
    assert.deepStrictEqual(texts(), ["in the box"])
    yield* one.keep("in the box, and more")
    yield* TestClock.adjust(250)
    assert.deepStrictEqual(texts(), ["in the box, and more"])
    yield* one.coming("another")
    yield* one.keep("")
    yield* TestClock.adjust(250)
    assert.deepStrictEqual(texts(), ["another"])
    yield* one.coming("")
    assert.deepStrictEqual(texts(), [])
  })

  effect(
    "is what the next terminal gets of one that has died, or was closed, once; not of one that lives",
    function* () {
      const { terminal, texts } = machine()
      const [one, two, three] = [yield* terminal(1), yield* terminal(2), yield* terminal(3)]
      yield* one.keep("of a dead one")
      yield* two.keep("of a closed one")
      yield* three.keep("of another")
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(yield* three.left, [])
      yield* one.kill
      yield* two.keep("of a closed one, to the last key")
      yield* two.close
      assert.deepStrictEqual(yield* three.left, ["of a dead one", "of a closed one, to the last key"])
      assert.deepStrictEqual(yield* three.left, [])
      assert.deepStrictEqual(texts(), ["of another"])
    }
  )

  effectOfEach(doings)(
    "is queued or offered, never both, wherever a terminal dies: $what",
    function* ({ acts, messages }) {
      const whole = machine()
      const last = yield* whole.terminal(1)
      yield* acts(last)
      assert.deepStrictEqual(
        whole.queued(),
        messages.map((texts) => texts.at(-1))
      )
      assert.deepStrictEqual(
        whole.texts().filter((text) => text !== "of the box"),
        []
      )
      for (let at = 0; at < last.operations(); at++) {
        for (const done of [false, true]) {
          const { queued, terminal } = machine()
          const one = yield* terminal(1, { at, done })
          const acting = yield* Effect.forkChild(acts(one))
          while (one.isAlive()) yield* TestClock.adjust(250)
          yield* Fiber.interrupt(acting)
          const next = yield* terminal(2)
          const offered = yield* next.left
          const found = [...queued(), ...offered].filter((text) => text !== "of the box")
          const label = `operation ${at}, ${done ? "done" : "not done"}: ${JSON.stringify([queued(), offered])}`
          const rest = [...messages]
          for (const text of found) {
            const index = rest.findIndex((texts) => texts.includes(text))
            assert.isAtLeast(index, 0, label)
            rest.splice(index, 1)
          }
          assert.isTrue(found.length > 0 || (at === 0 && !done), label)
          assert.deepStrictEqual(yield* next.left, [], label)
        }
      }
    }
  )

  effect("of a version that gave it no id is offered", function* () {
    const { terminal } = machine()
    const one = yield* terminal(1)
    yield* one.coming("of the box")
    yield* one.kill
    assert.deepStrictEqual(yield* (yield* terminal(2)).left, ["of the box"])
  })
})
