import { Context, type Effect, type Scope, type Stream } from "effect"

/** One line editor on the user's terminal; a paste of several lines is one entry. */
export interface LinePromptHandle {
  /** The texts entered; ends at Ctrl+D or Ctrl+C on an empty line. */
  readonly entries: Stream.Stream<string>
  /** Replaces the prompt; the text typed so far stays. */
  readonly prompt: (text: string) => Effect.Effect<void>
  /** Prints a line above the prompt. */
  readonly print: (line: string) => Effect.Effect<void>
}

export class LinePrompt extends Context.Service<
  LinePrompt,
  {
    readonly open: Effect.Effect<LinePromptHandle, never, Scope.Scope>
  }
>()("leap/services/LinePrompt") {}
