import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { PtySize } from "./Pty.ts"

/** Standard input or output is no terminal, so there is nothing to attach to. */
export class NoTerminalError extends Schema.TaggedError<NoTerminalError>()("NoTerminalError", {
  which: Schema.Literals(["input", "output", "input and output"])
}) {
  override get message() {
    return (
      `standard ${this.which} ${this.which === "input" || this.which === "output" ? "is" : "are"} not a terminal: ` +
      "run this in a terminal, without pipes or redirections"
    )
  }
}

/** The terminal that leap itself runs in. */
export class UserTerminal extends Context.Service<
  UserTerminal,
  {
    /** Standard input and output are both terminals. */
    readonly isTerminal: boolean
    /** The size now; 80 by 24 when the terminal does not report it. */
    readonly size: Effect.Effect<PtySize>
    /** Every new size, from the moment the stream runs. */
    readonly sizes: Stream.Stream<PtySize>
    /** Raw mode until the scope ends. It is also undone if the process ends before. */
    readonly raw: Effect.Effect<void, NoTerminalError, Scope.Scope>
    /** Bytes as the terminal sends them; ends when it hangs up. One reader at a time. */
    readonly input: Stream.Stream<Uint8Array>
    /** Passes on the same bytes in the turn of the event loop that read them. One reader at a time. */
    readonly onInput: (take: (data: Uint8Array) => void) => Effect.Effect<void, never, Scope.Scope>
    /** Writes bytes or UTF-8 text, and waits as long as the terminal needs. Succeeds on a closed terminal. */
    readonly write: (data: Uint8Array | string) => Effect.Effect<void>
    /** Writes the bytes at once if no earlier write waits; otherwise returns false without calling `data`. */
    readonly writeNow: (data: () => Uint8Array) => boolean
    /** Sets the bytes, or a function for them, to write if the process ends in raw mode before finalizers ran. */
    readonly restoreOnExit: (bytes: string | (() => string)) => Effect.Effect<void>
    /**
     * Writes the bytes that undo earlier output, instead of those of `restoreOnExit`. It waits only a moment for a
     * terminal that takes nothing, so that leaving never hangs.
     */
    readonly leave: (bytes: string) => Effect.Effect<void>
    /**
     * Suspends the job, as Ctrl+Z does, until the shell continues it; the size may have changed by then. Not for raw
     * mode. False if the job did not stop, because no shell could continue it.
     */
    readonly suspend: Effect.Effect<boolean>
  }
>()("leap/services/UserTerminal") {}
