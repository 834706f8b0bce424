import { Schema } from "effect"

/** A CLI's permission request, as far as its hook or dialog shows it. */
export const ToolRequest = Schema.Struct({
  /** The CLI's own name of the tool: `Bash`, `apply_patch`, `mcp__github__create_issue`. */
  tool: Schema.String,
  /** Only a person answers `question`, `plan` and `elicitation`, never leap. */
  kind: Schema.Literals([
    "command",
    "read",
    "edit",
    "fetch",
    "mcp",
    "agent",
    "other",
    "question",
    "plan",
    "elicitation"
  ]),
  command: Schema.NullOr(Schema.String),
  /** The files and directories it names, as the CLI wrote them: absolute, or relative to `cwd`. */
  paths: Schema.Array(Schema.String),
  /** These paths, absolute and with links followed; absent if that was not done. */
  realPaths: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Patterns of files that it searches, relative to the first of its paths, else to `cwd`; absent for none. */
  globs: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Targets of the command line's words that may name files, with links followed; absent if that was not done. */
  named: Schema.optionalKey(Schema.Array(Schema.Struct({ word: Schema.String, path: Schema.String }))),
  /**
   * The directories in which the command line calls git, and the root of the repository that git finds from each, null
   * for none; without links. Absent if that was not looked up.
   */
  repositories: Schema.optionalKey(
    Schema.Array(Schema.Struct({ directory: Schema.String, root: Schema.NullOr(Schema.String) }))
  ),
  url: Schema.NullOr(Schema.String),
  /** More addresses to fetch; absent for none. */
  urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Texts in the arguments of an unknown tool: a path, an address or a command may be among them. */
  carried: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, text: Schema.String }))),
  /** What could not be read, for people; absent if all was read. Such a request is never allowed. */
  unread: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The CLI runs it without asking its user unless a hook refuses it; absent if that is unknown. */
  unasked: Schema.optionalKey(Schema.Boolean),
  /** The kind of subagent that asks; null for the main conversation. */
  agent: Schema.NullOr(Schema.String),
  cwd: Schema.String
})
export type ToolRequest = typeof ToolRequest.Type

/** Kinds of requests that only a person may answer, in every mode and under every rule. */
export const personal: ReadonlySet<ToolRequest["kind"]> = new Set(["question", "plan", "elicitation"])

/** All addresses of a request. */
export const urlsOf = ({ url, urls = [] }: ToolRequest): ReadonlyArray<string> => (url === null ? urls : [url, ...urls])
