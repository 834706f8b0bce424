import { Context, type Effect, type Scope, type Stream } from "effect"

/** One hook call as the script delivered it. */
export interface HookDelivery {
  readonly event: string
  /** Parsed payload; null when it was empty or not JSON (then `raw` holds it). */
  readonly payload: unknown
  readonly raw: string
  /** Why the CLI may mean something else than `payload` says, for people; null where that is certain. */
  readonly flaw: string | null
  /** Milliseconds since the epoch at which the hook's file was written. */
  readonly at: number
  readonly sequence: number
  /** The process that called the hook. `nested`: that process is not the hosted CLI but one running inside it. */
  readonly callerPid: number | null
  readonly nested: boolean
  /**
   * Replies to the hook if it waits: it prints this line on its standard output or, with null, what it prints when
   * there is no decision. `taken`: the hook has printed it. `late`: the hook did not wait, gave up or was killed, so
   * the CLI did not get the reply.
   */
  readonly reply: (line: string | null) => Effect.Effect<"taken" | "late">
}

/** The session whose hooks are heard. */
export interface HookSession {
  readonly spool: string
  /** The hosted CLI's process. */
  readonly cliPid: number
}

/** Hook events of one session, in order, each once. Files left by an earlier host are discarded at the start. */
export class HookInbox extends Context.Service<
  HookInbox,
  {
    readonly watch: (session: HookSession) => Effect.Effect<Stream.Stream<HookDelivery>, never, Scope.Scope>
    /** Empties the spool before a CLI starts. */
    readonly clear: (spool: string) => Effect.Effect<void>
    /**
     * Sets the events whose hooks wait for a reply of this process from now on; with null or an empty list no hook
     * waits. `silent`: by event, the line that a hook prints where this process does not answer: it is gone, stopped or
     * too slow, or the event is not listed (any more). These lines outlive the process, unless they are set to none.
     * False while hooks go by what was set before, or by nothing: the spool cannot be written, which is tried again.
     */
    readonly announceAwaited: (
      spool: string,
      events: ReadonlyArray<string> | null,
      silent?: Readonly<Record<string, string>>
    ) => Effect.Effect<boolean>
  }
>()("leap/services/HookInbox") {}
