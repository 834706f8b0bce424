import { Context, type Effect, type Scope, type Stream } from "effect"

/** One hook call as the script delivered it. */
export interface HookDelivery {
  readonly event: string
  /** The parsed payload; null: it was empty or not JSON (then `raw` holds it). */
  readonly payload: unknown
  readonly raw: string
  /** Why `payload` may not be what the CLI meant, for people; null if it certainly is. */
  readonly flaw: string | null
  /** When the hook's file was written, in milliseconds since the epoch. */
  readonly at: number
  readonly sequence: number
  /** The process that called the hook. `nested`: not the hosted CLI but one that runs inside it. */
  readonly callerPid: number | null
  readonly nested: boolean
  /**
   * Replies to a waiting hook, which prints this line on its standard output; with null it prints its line for "no
   * decision". `taken`: the hook has printed it. `late`: the hook did not wait, gave up or was killed, so the CLI did
   * not get the reply.
   */
  readonly reply: (line: string | null) => Effect.Effect<"taken" | "late">
}

/** The session whose hooks are read. */
export interface HookSession {
  readonly spool: string
  readonly cliPid: number
}

/** The hook events of one session, in order, each once. */
export class HookInbox extends Context.Service<
  HookInbox,
  {
    readonly watch: (session: HookSession) => Effect.Effect<Stream.Stream<HookDelivery>, never, Scope.Scope>
    /** Empties the spool. Call it before a CLI starts: an earlier host's files would be read as new events. */
    readonly clear: (spool: string) => Effect.Effect<void>
    /**
     * Sets the events whose hooks wait for this process's reply from now on; with null or an empty list no hook waits.
     * `silent` gives, by event, the line that a hook prints if this process does not answer: it is gone, stopped or too
     * slow, or the event is not listed. These lines outlive the process unless they are cleared. Returns false while
     * the spool cannot be written; hooks then follow the earlier announcement, if any, and the write is retried.
     */
    readonly announceAwaited: (
      spool: string,
      events: ReadonlyArray<string> | null,
      silent?: Readonly<Record<string, string>>
    ) => Effect.Effect<boolean>
  }
>()("leap/services/HookInbox") {}
