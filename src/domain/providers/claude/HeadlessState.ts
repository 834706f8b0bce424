import type { Fields } from "../../words/reading/Fields.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import type { DecoderState, RunningTools } from "../../cli/headless/decoderState.ts"

export interface State extends DecoderState, RunningTools {
  readonly resumed: boolean
  /** Streamed messages by id: the text so far, whether a thought was streamed, and the message's usage. */
  readonly streams: Readonly<
    Record<string, { readonly text: string; readonly thought: boolean; readonly usage: Fields }>
  >
  /** The usage of all requests since the last result, including subagents. */
  readonly requested: Tokens
  /** Counted messages of subagents. Each comes complete, but may come in several lines. */
  readonly countedMessages: ReadonlyArray<string>
  /** The names of subagents, by the tool call that started them. */
  readonly agents: Readonly<Record<string, string>>
  readonly refused: ReadonlyArray<string>
  readonly started: boolean
  /** The model has written a text since the last result, and called no tool after it. */
  readonly spoken: boolean
  readonly background: number
}
