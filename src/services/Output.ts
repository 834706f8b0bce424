import { Context, type Effect, Schema, type Stream } from "effect"
import { notUtf8 } from "../domain/words/text/utf8Text.ts"

/** Standard input is no UTF-8: nothing of it is used. `at`: the place of the first wrong byte, from 1. */
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
    /** Standard output is a terminal. */
    readonly isTerminal: boolean
    readonly inputIsTerminal: boolean
    /** Standard error is a terminal, so progress on it can be read. */
    readonly errorIsTerminal: boolean
    /**
     * Completes when standard output can no longer be written, because its reader is gone or it is full, with the exit
     * code for that. Who reads is looked up as it begins: begin it before what may make a reader leave. While a fiber
     * waits for it, this does not end the program.
     */
    readonly outputClosed: Effect.Effect<number>
    /** Colours may be used: standard output is a terminal, and NO_COLOR is not set. */
    readonly colour: boolean
    readonly columns: Effect.Effect<number>
    /** Writes one line; when the reader is gone, the program ends quietly. */
    readonly line: (text: string) => Effect.Effect<void>
    /** Writes the text unchanged. */
    readonly raw: (text: string) => Effect.Effect<void>
    /** One line for people, on standard error. */
    readonly note: (text: string) => Effect.Effect<void>
    /** All of standard input, as UTF-8 text. */
    readonly stdin: Effect.Effect<string, InputNotTextError>
    /**
     * What is piped in beside something else that was given: all of standard input. Nothing where it is a terminal, or
     * where nothing comes for a while over a connection that no program of a pipeline writes to.
     */
    readonly piped: Effect.Effect<string, InputNotTextError>
    /** Standard input in chunks as it arrives, never cut within a character; what is no UTF-8 is U+FFFD. */
    readonly stdinText: Stream.Stream<string>
  }
>()("leap/services/Output") {}
