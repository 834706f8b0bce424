import { Schema } from "effect"

/** What a CLI requests a permission for, as far as its hook or its dialog shows. */
export const ToolRequest = Schema.Struct({
  /** The tool by the CLI's own name: `Bash`, `apply_patch`, `mcp__github__create_issue`. */
  tool: Schema.String,
  /** `question`, `plan` and `elicitation` are asked of a person and never answered by leap. */
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
  /** The shell command line, for kind `command`. */
  command: Schema.NullOr(Schema.String),
  /** The files and directories it names, as the CLI wrote them: absolute, or relative to `cwd`. */
  paths: Schema.Array(Schema.String),
  /** The same with links followed, absolute; absent where that was not done. */
  realPaths: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Patterns of files that it looks through, relative to the first of its paths, else to `cwd`; absent for none. */
  globs: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Where words of its command line lead that may name files, links followed; absent where that was not done. */
  named: Schema.optionalKey(Schema.Array(Schema.Struct({ word: Schema.String, path: Schema.String }))),
  /**
   * The directories in which its command line calls git, and the root of the repository that git finds from there, both
   * without links; null for none. Absent where that was not looked up.
   */
  repositories: Schema.optionalKey(
    Schema.Array(Schema.Struct({ directory: Schema.String, root: Schema.NullOr(Schema.String) }))
  ),
  /** The address it would fetch. */
  url: Schema.NullOr(Schema.String),
  /** More addresses that it would fetch; absent for none. */
  urls: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Texts in the arguments of a tool whose arguments are not known: a path, an address or a command may be among them. */
  carried: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, text: Schema.String }))),
  /** What of it could not be read, for people; absent where all of it was. Such a request is never allowed. */
  unread: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The CLI runs it without asking its user, unless a hook refuses it; absent where that is not known. */
  unasked: Schema.optionalKey(Schema.Boolean),
  /** The kind of subagent that asks; null for the main conversation. */
  agent: Schema.NullOr(Schema.String),
  cwd: Schema.String
})
export type ToolRequest = typeof ToolRequest.Type

/** Kinds of requests that only a person may answer, whatever the mode and the rules are. */
export const personal: ReadonlySet<ToolRequest["kind"]> = new Set(["question", "plan", "elicitation"])

/** The addresses of a request. */
export const urlsOf = ({ url, urls = [] }: ToolRequest): ReadonlyArray<string> => (url === null ? urls : [url, ...urls])
