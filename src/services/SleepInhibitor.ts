import { Context, type Effect } from "effect"
import type { DesktopError } from "./DesktopError.ts"

/** Keeps the machine from sleeping by itself. A closed lid and the user's own command still send it to sleep. */
export class SleepInhibitor extends Context.Service<
  SleepInhibitor,
  {
    /** Keeps it awake until interrupted, but never longer than this process lives. `reason`: for the system's list. */
    readonly hold: (reason: string) => Effect.Effect<never, DesktopError>
  }
>()("leap/services/SleepInhibitor") {}
