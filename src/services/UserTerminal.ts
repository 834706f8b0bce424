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
    /** Raw mode until the scope ends, in whatever way, also by the end of the process. */
    readonly raw: Effect.Effect<void, NoTerminalError, Scope.Scope>
    /** Bytes as the terminal sends them; ends when it hangs up. One reader at a time. */
    readonly input: Stream.Stream<Uint8Array>
    /** The same until the scope ends, given in the turn of the event loop in which it came. One reader at a time. */
    readonly onInput: (take: (data: Uint8Array) => void) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Writes bytes or UTF-8 text and waits until they are taken, for as long as that lasts: a terminal that nobody
     * reads takes nothing. To one that is gone every write succeeds.
     */
    readonly write: (data: Uint8Array | string) => Effect.Effect<void>
    /** Writes bytes in this moment, where no write before them waits; false: nothing was asked for, nor written. */
    readonly writeNow: (data: () => Uint8Array) => boolean
    /**
     * Sets the bytes that are written if the process ends in raw mode before finalizers ran, or what is asked for them
     * then.
     */
    readonly restoreOnExit: (bytes: string | (() => string)) => Effect.Effect<void>
    /**
     * Writes the bytes that undo what was written, in place of those of `restoreOnExit`. What is written last must keep
     * nobody: a terminal that takes nothing is waited for a moment only.
     */
    readonly leave: (bytes: string) => Effect.Effect<void>
    /**
     * Leaves the terminal to the shell, as Ctrl+Z does, until the shell continues this job; the size is a new one then.
     * Not in raw mode. False: the job did not stop, since no shell is there that could continue it.
     */
    readonly suspend: Effect.Effect<boolean>
  }
>()("leap/services/UserTerminal") {}
