import { assert, type Vitest } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { CheckOptions } from "effect/Arbitrary"
import type { Providers } from "../../src/services/Providers.ts"
import type { Screen } from "../../src/services/Screen.ts"
import { type Law as SessionLaw, machineAlone } from "../support/session/SessionLaws.ts"
import { everything, nothing } from "../support/session/trace.ts"
import type { Invariant } from "./statements.ts"

/** The tests of a run, with the providers and the emulator that laws over whole sessions need. */
export type It = Vitest.MethodsNonLive<Providers | Screen>

/** A test of one or more invariants. There is no way to make one that is skipped. */
export interface Law {
  readonly of: readonly [Invariant, ...ReadonlyArray<Invariant>]
  /** What is shown of them. */
  readonly says: string
  /** Defines the test; `held` is called when it has run. */
  readonly define: (it: It, held: () => void) => void
}

type Given = Vitest.Arbitraries
type Values<G extends Given> = { [K in keyof G]: Vitest.ArbitraryValue<G[K]> }
type Runs = { readonly arbitrary: CheckOptions; readonly timeout: number }

const titleOf = (of: Law["of"], says: string): string => `${of.join(" ")} ${says}`

/** Holds for all values of these kinds. */
export const law = <const G extends Given>(
  of: Law["of"],
  says: string,
  given: G,
  check: (values: Values<G>) => void,
  runs: Runs
): Law => ({
  of,
  says,
  define: (it, held) =>
    it.prop(
      titleOf(of, says),
      given,
      (values) => {
        check(values)
        held()
      },
      runs
    )
})

/** Holds for all values of these kinds, shown on whole sessions with emulator and provider. */
export const lawOfSessions = <const G extends Given>(
  of: Law["of"],
  says: string,
  given: G,
  check: (values: Values<G>) => Effect.Effect<void, unknown, Providers | Screen | Scope.Scope>,
  runs: Runs
): Law => ({
  of,
  says,
  define: (it, held) =>
    it.effect.prop(
      titleOf(of, says),
      given,
      (values) => Effect.scoped(Effect.andThen(check(values as Values<G>), Effect.sync(held))),
      runs
    )
})

/** One thing that is so, with nothing to vary. */
export const fact = (
  of: Law["of"],
  says: string,
  check: () => Effect.Effect<void, unknown, Providers | Screen | Scope.Scope>
): Law => ({
  of,
  says,
  define: (it, held) => it.effect(titleOf(of, says), () => Effect.andThen(check(), Effect.sync(held)))
})

/** A law that holds of any provider's sessions, shown on the machine alone. */
export const lawOfAll = (of: Law["of"], law: SessionLaw, { arbitrary }: Runs): Law =>
  fact(of, law.says, () =>
    Effect.forEach([everything, nothing], (tells) =>
      Effect.map(Effect.orDie(law.holds(machineAlone(tells), arbitrary)), (held) => assert.isUndefined(held))
    )
  )
