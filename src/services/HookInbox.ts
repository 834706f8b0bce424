import { Context, type Effect, type Scope, type Stream } from "effect"

/** One hook call as the script delivered it. */
export interface HookDelivery {
  readonly event: string
  /** Parsed payload; null when it was empty or not JSON (then `raw` holds it). */
  readonly payload: unknown
  readonly raw: string
  /** Milliseconds since the epoch at which the hook's file was written. */
  readonly at: number
  readonly sequence: number
  /** The process that called the hook, and true when it is not the hosted CLI (a nested CLI). */
  readonly callerPid: number | null
  readonly nested: boolean
  /**
   * Answers the hook if it waits: with this line on its standard output, or, with null, with what it prints when nobody
   * decides. `taken`: it has printed it. `late`: it did not wait, gave up or was killed: the CLI does not know.
   */
  readonly reply: (line: string | null) => Effect.Effect<"taken" | "late">
}

export interface HookSession {
  readonly spool: string
  /** The hosted CLI's process. */
  readonly cliPid: number
}

/** Hook events of one session, in order, each once. Files left by an earlier host are discarded at the start. */
export class HookInbox extends Context.Service<HookInbox, {
  readonly watch: (session: HookSession) => Effect.Effect<Stream.Stream<HookDelivery>, never, Scope.Scope>
  /** Empties the spool before a CLI starts. */
  readonly clear: (spool: string) => Effect.Effect<void>
  /** The events whose hooks wait for a reply of this process from now on; null or none: no hook waits. */
  readonly decides: (spool: string, events: ReadonlyArray<string> | null) => Effect.Effect<void>
}>()("leap/services/HookInbox") {}
