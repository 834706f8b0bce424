import { it } from "@effect/vitest"
import { Effect, Exit, type Layer, Random, Scope } from "effect"
import { afterAll } from "vitest"
import { seed } from "./seed.ts"

/** What a test does, as the body of an effect. What it opens is closed at its end. */
type Body<R, Args extends ReadonlyArray<unknown> = []> = (
  ...args: Args
) => Effect.fn.Return<unknown, unknown, R | Scope.Scope>

/** What leap itself draws, such as the wait before another attempt, is drawn from the seed of all tests. */
const seeded = <R, Args extends ReadonlyArray<unknown>>(body: Body<R, Args>) =>
  Effect.fnUntraced(body, Random.withSeed(seed))

/** A test on the test's clock. */
export const effect = (name: string, body: Body<never>, timeout?: number): void =>
  it.effect(name, seeded(body), timeout)

/** A test in real time. `timeout`: where it may take longer than others, in milliseconds. */
export const live = (name: string, body: Body<never>, timeout?: number): void => it.live(name, seeded(body), timeout)

type Test = typeof it.effect

const withServices =
  (test: Test) =>
  <R, E>(services: Layer.Layer<R, E>) =>
  (name: string, body: Body<R>, timeout?: number): void =>
    test(name, () => Effect.scoped(seeded(body)()).pipe(Effect.provide(services)), timeout)

/** Tests on the test's clock that have these services, each its own. */
export const effectWith = withServices(it.effect)

/** Tests in real time that have these services, each its own. */
export const liveWith = withServices(it.live)

const ofEach =
  (test: Test) =>
  <T>(cases: ReadonlyArray<T>) =>
  (name: string, body: Body<never, [T]>): void =>
    test.each(cases)(name, (one) => seeded(body)(one))

/** A test of each of these on the test's clock. */
export const effectOfEach = ofEach(it.effect)

/** A test of each of these in real time. */
export const liveOfEach = ofEach(it.live)

/** Done once, for the first of a file's tests that asks for it. What it opens is closed after the last of them. */
export const onceForAll = <A, E>(make: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> => {
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runSync(Effect.cached(Scope.provide(make, scope)))
}
