import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, type Layer, Option, Stream, SubscriptionRef } from "effect"
import { Pty, type PtyHandle, type PtyOptions } from "../../src/services/Pty.ts"

/** What a pseudo-terminal of the suite runs: a child that does as told, and how to make it do things. */
export interface Subject {
  readonly options: PtyOptions
  /** Makes the child print a word in angle brackets, `<word>`. */
  readonly print: (child: PtyHandle, text: string) => Effect.Effect<void>
  readonly exit: (child: PtyHandle, code: number) => Effect.Effect<void>
}

const patience = Duration.seconds(20)
const decode = (bytes: Buffer) => bytes.toString("latin1")

/** All output of a child until it has ended. */
export const outputOf = (child: Pick<PtyHandle, "follow">): Effect.Effect<Buffer> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    return Effect.map(
      child.follow((chunk) => void chunks.push(chunk)),
      () => Buffer.concat(chunks)
    )
  })

/** Reads a child's output as it comes, as latin1, and waits for what it shall hold. */
export const transcript = Effect.fnUntraced(function* (child: PtyHandle) {
  const text = yield* SubscriptionRef.make("")
  const reading = yield* child
    .follow((chunk) =>
      Effect.runSync(SubscriptionRef.update(text, (before) => before + Buffer.from(chunk).toString("latin1")))
    )
    .pipe(Effect.forkScoped)
  return {
    text: SubscriptionRef.get(text),
    /** The first match, within a bound. */
    until: (wanted: RegExp) =>
      SubscriptionRef.changes(text).pipe(
        Stream.map((now) => wanted.exec(now)),
        Stream.filter((match) => match !== null),
        Stream.runHead,
        Effect.map(Option.getOrThrow),
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () =>
            Effect.flatMap(SubscriptionRef.get(text), (now) =>
              Effect.die(new Error(`no ${wanted} in ${JSON.stringify(now)}`))
            )
        })
      ),
    /** All of it, once the child has ended. */
    whole: Effect.andThen(Effect.timeout(Fiber.join(reading), patience), SubscriptionRef.get(text))
  }
})

/** What every pseudo-terminal must do; each implementation's test calls this with a child that takes orders. */
export const suite = <R>(name: string, pty: Layer.Layer<Pty | R>, subject: Effect.Effect<Subject, never, R>) =>
  layer(pty, { excludeTestServices: true })(name, (it) => {
    it.effect("gives all output in order, then ends, and then tells the exit", () =>
      Effect.gen(function* () {
        const { exit, options, print } = yield* subject
        const child = yield* (yield* Pty).spawn(options)
        for (let i = 0; i < 20; i++) yield* print(child, `<${i}>`)
        yield* exit(child, 7)
        assert.deepStrictEqual(yield* Effect.timeout(child.exit, patience), { code: 7, signal: null })
        // the exit was told, and yet nothing that was printed is lost
        const text = decode(yield* Effect.timeout(outputOf(child), patience))
        assert.deepStrictEqual(
          text.match(/<\d+>/g),
          Array.from({ length: 20 }, (_, i) => `<${i}>`)
        )
      }).pipe(Effect.scoped)
    )

    it.effect("tells the exit to everyone who asks, at any time", () =>
      Effect.gen(function* () {
        const { exit, options } = yield* subject
        const child = yield* (yield* Pty).spawn(options)
        yield* exit(child, 0)
        const both = yield* Effect.timeout(Effect.all([child.exit, child.exit], { concurrency: "unbounded" }), patience)
        assert.deepStrictEqual(both, [
          { code: 0, signal: null },
          { code: 0, signal: null }
        ])
        assert.deepStrictEqual(yield* Effect.timeout(child.exit, patience), { code: 0, signal: null })
      }).pipe(Effect.scoped)
    )

    it.effect("writes, resizes and signals after the exit do nothing", () =>
      Effect.gen(function* () {
        const { exit, options } = yield* subject
        const child = yield* (yield* Pty).spawn(options)
        yield* exit(child, 0)
        yield* Effect.timeout(child.exit, patience)
        yield* Effect.timeout(child.write(new TextEncoder().encode("late")), patience)
        yield* child.resize({ cols: 10, rows: 10 })
        yield* child.signal("SIGHUP")
        assert.deepStrictEqual(yield* Effect.timeout(child.exit, patience), { code: 0, signal: null })
      }).pipe(Effect.scoped)
    )

    it.effect("a child that is hung up ends by that signal", () =>
      Effect.gen(function* () {
        const { options } = yield* subject
        const child = yield* (yield* Pty).spawn(options)
        yield* child.signal("SIGHUP")
        assert.deepStrictEqual(yield* Effect.timeout(child.exit, patience), { code: null, signal: "SIGHUP" })
      }).pipe(Effect.scoped)
    )

    it.effect("a child ends with its scope", () =>
      Effect.gen(function* () {
        const { options } = yield* subject
        const pty = yield* Pty
        const child = yield* Effect.scoped(pty.spawn(options))
        const exit = yield* Effect.timeout(child.exit, patience)
        assert.strictEqual(exit.code, null)
        assert.match(exit.signal ?? "", /^SIG(HUP|KILL)$/)
      })
    )

    it.effect(
      "writes at once as much as is taken, and nothing before a write that waits; to a dead child, nothing",
      () =>
        Effect.gen(function* () {
          const { exit, options } = yield* subject
          const child = yield* (yield* Pty).spawn(options)
          assert.strictEqual(child.writeNow(new TextEncoder().encode("\n")), 1)
          assert.strictEqual(child.writeNow(new Uint8Array()), 0)
          yield* exit(child, 0)
          yield* Effect.timeout(child.exit, patience)
          assert.strictEqual(child.writeNow(new TextEncoder().encode("late")), 4, "it is dropped, all of it")
        }).pipe(Effect.scoped)
    )

    it.effect("children do not share anything", () =>
      Effect.gen(function* () {
        const { exit, options, print } = yield* subject
        const pty = yield* Pty
        const [one, two] = yield* Effect.all([pty.spawn(options), pty.spawn(options)])
        assert.notStrictEqual(one.pid, two.pid)
        yield* print(one, "<one>")
        yield* print(two, "<two>")
        yield* exit(one, 1)
        yield* exit(two, 2)
        const texts = yield* Effect.timeout(Effect.all([outputOf(one), outputOf(two)]), patience)
        assert.include(decode(texts[0]), "<one>")
        assert.notInclude(decode(texts[0]), "<two>")
        assert.include(decode(texts[1]), "<two>")
        assert.deepStrictEqual([(yield* one.exit).code, (yield* two.exit).code], [1, 2])
      }).pipe(Effect.scoped)
    )
  })
