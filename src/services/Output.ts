import { Context, type Effect, type Stream } from "effect"

/** The user's standard streams, apart from an attached terminal. */
export class Output extends Context.Service<Output, {
  /** Standard output is a terminal. */
  readonly isTerminal: boolean
  readonly inputIsTerminal: boolean
  /** Standard error is a terminal: somebody may be looking at what goes on. */
  readonly notesAreSeen: boolean
  /**
   * Comes when standard output can be written no longer, with the exit code for that: nobody reads it, or it is full. While
   * somebody waits for it, that does not end the program.
   */
  readonly readerGone: Effect.Effect<number>
  /** Colours may be used: a terminal, and no NO_COLOR. */
  readonly colour: boolean
  readonly columns: Effect.Effect<number>
  /** Writes one line; a reader that went away ends the program quietly. */
  readonly line: (text: string) => Effect.Effect<void>
  /** Writes as it stands. */
  readonly raw: (text: string) => Effect.Effect<void>
  /** One line for people, on standard error. */
  readonly note: (text: string) => Effect.Effect<void>
  /** All of standard input, as UTF-8 text. */
  readonly stdin: Effect.Effect<string>
  /** The same, as it comes, cut anywhere between characters. */
  readonly stdinText: Stream.Stream<string>
}>()("leap/services/Output") {}
