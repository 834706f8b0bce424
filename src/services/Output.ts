import { Context, type Effect, Schema, type Stream } from "effect"
import { notUtf8 } from "../domain/words/text/utf8Text.ts"

/** Standard input is not UTF-8, and none of it is used. `at`: the position of the first invalid byte, from 1. */
export class InputNotTextError extends Schema.TaggedError<InputNotTextError>()("InputNotTextError", {
  at: Schema.Int
}) {
  override get message() {
    return `${notUtf8("standard input", this.at)}; nothing of it was used ('iconv -f … -t utf-8' converts it)`
  }
}

/** The user's standard streams, apart from an attached terminal. */
export class Output extends Context.Service<
  Output,
  {
    readonly isTerminal: boolean
    readonly inputIsTerminal: boolean
    readonly errorIsTerminal: boolean
    /**
     * Completes with an exit code when standard output can no longer be written, because its reader is gone or the disk
     * is full. The reader is looked up at the start, so start this before anything that may make the reader leave.
     * While a fiber waits for it, a lost reader does not end the program.
     */
    readonly outputClosed: Effect.Effect<number>
    /** Colours may be used: standard output is a terminal that is not dumb, and NO_COLOR is not set. */
    readonly colour: boolean
    readonly columns: Effect.Effect<number>
    /**
     * The name of the pipe to which others can write as well, at this moment; `file` for a file, where each write is
     * whole; null for what is this process's alone.
     */
    readonly sharedWith: Effect.Effect<string | null>
    /** Writes one line; when the reader is gone, the program ends quietly. */
    readonly line: (text: string) => Effect.Effect<void>
    readonly raw: (text: string) => Effect.Effect<void>
    /** Writes one line for people to standard error. */
    readonly note: (text: string) => Effect.Effect<void>
    readonly stdin: Effect.Effect<string, InputNotTextError>
    /**
     * All of standard input, for a command that also has another input. Empty if it is a terminal, or if a connection
     * that no pipeline writes to stays silent for a while.
     */
    readonly piped: Effect.Effect<string, InputNotTextError>
    /** Standard input in chunks as it arrives, never cut within a character. Invalid UTF-8 becomes U+FFFD. */
    readonly stdinText: Stream.Stream<string>
  }
>()("leap/services/Output") {}
