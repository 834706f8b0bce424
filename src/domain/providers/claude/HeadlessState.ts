import type { DecoderState, RunningTools } from "../../cli/agents/decoderState.ts"

/** The decoder's state for Claude Code's stream. */
export interface State extends DecoderState, RunningTools {
  readonly resumed: boolean
  /** Streamed messages, by id: the text so far, and whether a thought was streamed. */
  readonly streams: Readonly<Record<string, { readonly text: string; readonly thought: boolean }>>
  /** The names of subagents, by the tool call that started them. */
  readonly agents: Readonly<Record<string, string>>
  /** The tool calls whose refusal has been reported. */
  readonly refused: ReadonlyArray<string>
  readonly started: boolean
  /** How many tasks of its go on in the background. */
  readonly background: number
}
