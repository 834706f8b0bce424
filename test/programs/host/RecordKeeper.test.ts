import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { noWords, type StartWords } from "../../../src/domain/words/session/StartWords.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { provider as copilot } from "../../../src/layers/providers/copilot/Provider.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import * as RecordKeeper from "../../../src/programs/host/RecordKeeper.ts"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import { type ObservedSession, SessionRecords } from "../../../src/services/SessionRecords.ts"
import { commandOf, contextOf, freshMemory, publisherOf, withFacts } from "../../support/host/parts.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"
import { rowsOf } from "../../support/data/fields.ts"
import { StoreError } from "../../../src/services/StoreError.ts"

/** A host's far end, whose status the test sets, and records that say what came. */
const stage = Effect.fnUntraced(function* (
  provider: Provider,
  options: {
    readonly hangs?: boolean
    readonly spec?: Parameters<typeof contextOf>[0]
    readonly directory?: string
  } = {}
) {
  const starts: Array<StartWords> = []
  const written: Array<ObservedSession & { readonly tag: string }> = []
  let failing = false
  const unused = Effect.die("not of the host")
  const records = Layer.succeed(SessionRecords, {
    record: (tag, session) =>
      options.hangs === true
        ? Effect.never
        : failing
          ? Effect.fail(
              new StoreError({
                store: "sessions",
                reason: "full",
                file: "",
                what: "not recorded",
                why: "the disk is full"
              })
            )
          : Effect.sync(() => void written.push({ ...session, tag })),
    all: unused,
    rows: unused,
    prune: unused,
    latestTranscript: () => unused,
    started: (_, __, words) => Effect.sync(() => void starts.push(words)),
    wordsOf: () => unused,
    relocate: () => unused,
    restore: () => unused,
    locationsOf: () => unused,
    heal: ({ cwd }) => Effect.succeed(cwd === "/drifted" ? "/own" : cwd)
  })
  const { directory = null } = options
  const publisher = yield* publisherOf({ sessionId: null, transcriptPath: null, cwd: "/srv", state: "starting" }, () =>
    withFacts(freshMemory(), { directory })
  )
  const layer = RecordKeeper.layer.pipe(
    Layer.provide([
      contextOf(options.spec),
      commandOf({ HOME: "/home/me" }),
      publisher.layer,
      records,
      Layer.succeed(CLIProvider, provider)
    ])
  )
  const kept = Context.get(yield* Layer.build(layer), RecordKeeper.RecordKeeper)
  return {
    kept,
    starts,
    fail: (on: boolean) => void (failing = on),
    set: (change: Partial<SessionStatus>) => Effect.andThen(publisher.set(change), TestClock.adjust("10 millis")),
    /** What was written since the last time. */
    said: () => written.splice(0).map(({ cwd, sessionId, transcriptPath }) => [sessionId, transcriptPath, cwd]),
    whole: () => written.splice(0)
  }
})

describe("the records that a host keeps of its sessions", () => {
  effect("each session of the CLI is written as it becomes known, and again when its transcript does", function* () {
    const { kept, said, set, whole } = yield* stage(claude)
    yield* kept.follow
    yield* set({ state: "idle" })
    assert.deepStrictEqual(said(), [])
    yield* set({ sessionId: "a" })
    assert.deepStrictEqual(whole(), [
      { tag: "one", cli: "claude", base: "claude", sessionId: "a", transcriptPath: null, cwd: "/srv" }
    ])
    yield* set({ transcriptPath: "/t/a.jsonl" })
    yield* set({ message: "busy" })
    assert.deepStrictEqual(said(), [["a", "/t/a.jsonl", "/srv"]])
    yield* set({ sessionId: "b", transcriptPath: "/t/b.jsonl" })
    yield* set({ sessionId: "c", transcriptPath: "/t/c.jsonl" })
    assert.deepStrictEqual(said(), [
      ["b", "/t/b.jsonl", "/srv"],
      ["c", "/t/c.jsonl", "/srv"]
    ])
  })

  effect("a path is made absolute, and the directory is healed", function* () {
    const { kept, said, set } = yield* stage(claude)
    yield* kept.follow
    yield* set({ sessionId: "a", transcriptPath: "logs/../t.jsonl" })
    assert.deepStrictEqual(said(), [["a", "/srv/t.jsonl", "/srv"]])
    yield* set({ cwd: "/drifted", sessionId: "b", transcriptPath: null })
    assert.deepStrictEqual(said(), [["b", null, "/own"]])
  })

  effect("where the CLI goes is written, and that it says so itself", function* () {
    const { kept, set, whole } = yield* stage(copilot, { directory: "/other" })
    yield* kept.follow
    yield* set({ sessionId: "a" })
    yield* set({ cwd: "/other" })
    assert.deepStrictEqual(rowsOf(whole(), "cwd", "told"), [
      ["/srv", true],
      ["/other", true]
    ])
  })

  effect(
    "a session is named by its transcript where nothing else names it, and its transcript by its name",
    function* () {
      const one = yield* stage(claude)
      yield* one.kept.follow
      yield* one.set({ transcriptPath: "/home/me/.claude/projects/-work/abc.jsonl" })
      assert.deepStrictEqual(
        one.said().map(([id]) => id),
        ["abc"]
      )
      const two = yield* stage(copilot)
      yield* two.kept.follow
      yield* two.set({ sessionId: "abc" })
      assert.deepStrictEqual(two.said(), [["abc", "/home/me/.copilot/session-state/abc/events.jsonl", "/srv"]])
    }
  )

  effect(
    "when it was seen is brought up to date at the ends of turns, not more than twice a minute, and at its end",
    function* () {
      const { kept, said, set } = yield* stage(claude)
      yield* kept.follow
      yield* set({ sessionId: "a", state: "idle" })
      said()
      for (let turn = 0; turn < 10; turn++) {
        yield* set({ state: "running" })
        yield* set({ state: "idle" })
      }
      yield* TestClock.adjust("1 minute")
      const updates = said().length
      assert.isTrue(updates >= 1 && updates <= 2, `${updates} updates`)
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(said(), [])
      yield* set({ state: "exited" })
      yield* kept.flush
      assert.deepStrictEqual(said().at(-1), ["a", null, "/srv"])
    }
  )

  effect("what cannot be written costs a warning; the next is written", function* () {
    const { fail, kept, said, set } = yield* stage(claude)
    yield* kept.follow
    fail(true)
    yield* set({ sessionId: "a" })
    yield* kept.flush
    fail(false)
    yield* set({ sessionId: "b" })
    assert.deepStrictEqual(
      said().map(([id]) => id),
      ["b"]
    )
  })

  effect("the session's end does not wait for a record that cannot be finished", function* () {
    const { kept, set } = yield* stage(claude, { hangs: true })
    yield* set({ sessionId: "a" })
    const ending = yield* Effect.forkChild(kept.flush)
    yield* TestClock.adjust("1 second")
    assert.isNotNull(ending.pollUnsafe() ?? null)
  })

  const spec = {
    words: { ...noWords, args: ["--bad"] },
    wordsBefore: { tag: { ...noWords, args: ["--model", "haiku"] }, conversation: noWords }
  }
  effectOfEach<
    readonly [
      what: string,
      came: Partial<SessionStatus>,
      exit: NonNullable<SessionStatus["exit"]>,
      isTakenBack: boolean
    ]
  >([
    ["ends at once with an error", {}, { code: 1, signal: null }, true],
    ["ends at once without one", {}, { code: 0, signal: null }, false],
    ["is ended while it starts", {}, { code: null, signal: "SIGTERM" }, false],
    ["is ended, and says so itself", {}, { code: 143, signal: null }, false],
    ["ends with an error once it came up", { state: "idle" }, { code: 1, signal: null }, false],
    ["ends with an error once it has a session", { sessionId: "a" }, { code: 1, signal: null }, false]
  ])("what the tag was started with before holds again only where the CLI %s", function* ([, came, exit, isTakenBack]) {
    const { kept, set, starts } = yield* stage(claude, { spec })
    yield* kept.follow
    yield* set({ message: "loading" })
    yield* set(came)
    yield* set({ state: "exited", exit })
    yield* kept.flush
    assert.deepStrictEqual(starts, isTakenBack ? [spec.wordsBefore.tag] : [])
  })

  effectOfEach([true, false])(
    "a conversation that goes on has its own of before again, if it did not: %s",
    function* (fails) {
      const conversation = { ...noWords, args: ["--permission-mode", "plan"] }
      const { kept, set, whole } = yield* stage(claude, {
        spec: {
          ...spec,
          wordsBefore: { ...spec.wordsBefore, conversation },
          resumes: { sessionId: "a", transcriptPath: null }
        }
      })
      yield* kept.follow
      yield* set({ sessionId: "a" })
      if (!fails) yield* set({ state: "idle" })
      yield* set({ state: "exited", exit: { code: 1, signal: null } })
      yield* kept.flush
      assert.deepStrictEqual(whole().at(-1)?.words, fails ? conversation : spec.words)
    }
  )

  effect("a session that the CLI cannot go on with is none to record", function* () {
    const { kept, said, set } = yield* stage(demo)
    yield* kept.follow
    yield* set({ sessionId: "a" })
    yield* kept.flush
    assert.deepStrictEqual(said(), [])
  })
})
