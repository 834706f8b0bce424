import type { Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import type { Screen } from "../../../src/services/Screen.ts"

/** The tests of a suite, which run under the provider that is examined. */
export type It = Vitest.MethodsNonLive<CLIProvider | Screen>

/** A check of the provider that is examined. */
export const examined = <A>(check: (provider: Provider) => A): Effect.Effect<A, never, CLIProvider> =>
  Effect.map(CLIProvider, check)
