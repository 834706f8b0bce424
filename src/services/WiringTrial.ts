import { Context, type Effect } from "effect"
import type { Provider } from "./CLIProvider.ts"

export interface TrialOptions {
  /** The CLI's program, and its environment. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** The CLI's version, or the version whose hooks are tried on it. */
  readonly version: string | null
}

/** Whether the CLI accepts leap's hooks. `unknown`: no hook was called in time, or there is no trial for it. */
export type TrialOutcome = "accepted" | "refused" | "unknown"

/**
 * Runs a CLI once with leap's hooks in separate settings, in a temporary directory: it calls one of them only if it
 * accepts them all. The trial does not touch the user's settings, runs nothing of the user's, and reaches no server.
 */
export class WiringTrial extends Context.Service<
  WiringTrial,
  { readonly run: (provider: Provider, options: TrialOptions) => Effect.Effect<TrialOutcome> }
>()("leap/services/WiringTrial") {}
