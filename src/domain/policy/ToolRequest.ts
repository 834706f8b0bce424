import { Schema } from "effect"

/** What a CLI asks leave for, as far as its hook or its dialog tells. */
export const ToolRequest = Schema.Struct({
  /** The tool by the CLI's own name: `Bash`, `apply_patch`, `mcp__github__create_issue`. */
  tool: Schema.String,
  /** `question`, `plan` and `elicitation` are asked of a person and never answered by leap. */
  kind: Schema.Literals(["command", "read", "edit", "fetch", "mcp", "agent", "other", "question", "plan", "elicitation"]),
  /** The shell command line, for kind `command`. */
  command: Schema.NullOr(Schema.String),
  /** The files and directories it names, as the CLI wrote them: absolute, or relative to `cwd`. */
  paths: Schema.Array(Schema.String),
  /** The same with links followed, by whoever looked; absolute. */
  realPaths: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The address it would fetch. */
  url: Schema.NullOr(Schema.String),
  /** The kind of subagent that asks; null for the main conversation. */
  agent: Schema.NullOr(Schema.String),
  cwd: Schema.String
})
export type ToolRequest = typeof ToolRequest.Type

/** Requests that are a person's to answer, whatever the modes and rules say. */
export const personal: ReadonlySet<ToolRequest["kind"]> = new Set(["question", "plan", "elicitation"])
