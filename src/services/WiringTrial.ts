import { Context, type Effect } from "effect"
import type { Provider } from "./CLIProvider.ts"

/** What a CLI is tried with. */
export interface TrialOptions {
  /** The CLI's program, and the environment that it is started in. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** Its version, or the one whose hooks are tried on it. */
  readonly version: string | null
}

/** What a CLI says by itself: whether it accepts leap's hooks. `unknown`: it does not call hooks at all in a trial. */
export type TrialOutcome = "accepted" | "refused" | "unknown"

/**
 * Runs a CLI once with leap's hooks in settings of its own, in a directory that goes away: it calls one of them only if
 * it accepts them all. The user's settings are not touched, nothing of the user's is run, and no server is reached.
 */
export class WiringTrial extends Context.Service<
  WiringTrial,
  { readonly run: (provider: Provider, options: TrialOptions) => Effect.Effect<TrialOutcome> }
>()("leap/services/WiringTrial") {}
