import { assert } from "@effect/vitest"
import { Result } from "effect"
import type { AgentCall, AgentCli, AgentCommand, AgentExit } from "../../src/domain/cli/agents/AgentCli.ts"
import type { AgentEvent } from "../../src/domain/cli/agents/AgentEvent.ts"
import { claudeHeadless } from "../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../src/domain/providers/opencode/Headless.ts"
import { aCall, decode, type Decoded } from "../support/headless/headless.ts"

const erase = <State>(cli: AgentCli<State>) => ({
  bound: cli.bound,
  command: cli.command,
  read: (lines: ReadonlyArray<unknown>, call?: Partial<AgentCall>, exit?: Partial<AgentExit>): Decoded =>
    decode(
      cli,
      [
        new TextEncoder().encode(
          lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
        )
      ],
      aCall(call),
      exit
    )
})

/** What the rows look at, by CLI. */
export const clis = {
  claude: erase(claudeHeadless),
  codex: erase(codexHeadless),
  gemini: erase(geminiHeadless),
  copilot: erase(copilotHeadless),
  opencode: erase(opencodeHeadless)
}
export type Cli = keyof typeof clis
export const names = Object.keys(clis) as ReadonlyArray<Cli>

export const commandOf = (cli: Cli, call: Partial<AgentCall> = {}): AgentCommand =>
  Result.getOrThrow(clis[cli].command(aCall(call)))
export const argv = (cli: Cli, call: Partial<AgentCall> = {}): string => commandOf(cli, call).args.join(" ")
/** Why a command line is refused. */
export const refusal = (cli: Cli, call: Partial<AgentCall>): string =>
  Result.match(clis[cli].command(aCall(call)), {
    onFailure: ({ option, why }) => `${option}: ${why}`,
    onSuccess: () => "it is taken"
  })

export const told = (cli: Cli, lines: ReadonlyArray<unknown>, call?: Partial<AgentCall>, exit?: Partial<AgentExit>) =>
  clis[cli].read(lines, call, exit).told
export const events = (cli: Cli, ...lines: ReadonlyArray<unknown>): ReadonlyArray<AgentEvent> =>
  clis[cli].read(lines).events

export const texts = (cli: Cli, ...lines: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  events(cli, ...lines).flatMap((event) => (event._tag === "Text" ? [event.text] : []))
/** Tools that were begun: name, preview, id. */
export const tools = (
  cli: Cli,
  ...lines: ReadonlyArray<unknown>
): ReadonlyArray<readonly [string, string, string | null]> =>
  events(cli, ...lines).flatMap((event) =>
    event._tag === "ToolStarted" ? [[event.tool, event.preview, event.id] as const] : []
  )
/** Events but for what is said about the stream itself. */
export const silent = (cli: Cli, ...lines: ReadonlyArray<unknown>): void => {
  for (const line of lines) {
    assert.deepStrictEqual(
      events(cli, line).filter(({ _tag }) => _tag === "Text" || _tag === "ToolStarted" || _tag === "Thought"),
      [],
      JSON.stringify(line)
    )
  }
}

/** Lines as each CLI prints them. */
export const says = {
  claude: (...content: ReadonlyArray<unknown>) => ({
    type: "assistant",
    message: { id: "m", content },
    parent_tool_use_id: null,
    session_id: "S"
  }),
  claudeText: (text: string) => ({ type: "text", text }),
  claudeTool: (name: string, input: unknown, id = "t") => ({ type: "tool_use", id, name, input }),
  claudeResult: (more: Record<string, unknown> = {}) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "R",
    session_id: "S",
    ...more
  }),
  codex: (item: Record<string, unknown>, type = "item.completed") => ({ type, item: { id: "i", ...item } }),
  codexText: (text: string) => ({ type: "item.completed", item: { id: "i", type: "agent_message", text } }),
  codexDone: (usage: unknown = { input_tokens: 10, output_tokens: 5 }) => ({ type: "turn.completed", usage }),
  gemini: (content: string, delta = false) => ({
    type: "message",
    role: "assistant",
    content,
    ...(delta ? { delta } : {})
  }),
  geminiTool: (tool_name: string, parameters: unknown, tool_id = "t") => ({
    type: "tool_use",
    tool_name,
    tool_id,
    parameters
  }),
  geminiDone: {
    type: "result",
    status: "success",
    stats: { total_tokens: 15, input_tokens: 10, output_tokens: 5, cached: 0 }
  },
  copilot: (content: string, more: Record<string, unknown> = {}) => ({
    type: "assistant.message",
    data: { messageId: "m", content, ...more }
  }),
  copilotTool: (toolName: string | undefined, args: unknown = {}) => ({
    type: "tool.execution_start",
    data: { toolCallId: "t", toolName, arguments: args }
  }),
  copilotDone: (more: Record<string, unknown> = {}) => ({ type: "result", sessionId: "S", exitCode: 0, ...more }),
  opencode: (text: string) => ({ type: "text", sessionID: "S", part: { type: "text", text, messageID: "m" } }),
  opencodeTool: (tool: string, input: unknown) => ({
    type: "tool_use",
    sessionID: "S",
    part: { type: "tool", tool, callID: "t", state: { status: "completed", input, output: "o" } }
  }),
  opencodeStep: { type: "step_start", sessionID: "S", part: { type: "step-start" } },
  opencodeDone: (tokens: unknown = { input: 10, output: 5 }, reason = "stop") => ({
    type: "step_finish",
    sessionID: "S",
    part: { type: "step-finish", reason, tokens, cost: 0 }
  })
}
