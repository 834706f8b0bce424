import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { type HookAnswers, hookPermissions, onlyOption } from "../../cli/provider/PermissionAnswers.ts"
import {
  directoryOf,
  firstText,
  globsOf,
  patchPaths,
  patchPathsIn,
  requestOf,
  texts
} from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { RequestShape } from "../../cli/provider/RequestRemainder.ts"

/** The events for which the plugin waits for the host's answer, if the host decides on them. */
export const decidedEvents = { permission: "permission.asked", tool: "hook.tool.execute.before" } as const

/*
 * leap's plugin waits for both answers. Before a tool it can refuse: the model is given the reason and continues. A
 * permission that OpenCode requests it can grant once or reject. `agent`, `cwd` and `worktree` are additions of the
 * plugin.
 */
const answers: HookAnswers = {
  [decidedEvents.permission]: { allow: () => ({ reply: "once" }), deny: (message) => ({ reply: "reject", message }) },
  [decidedEvents.tool]: { deny: (refuse) => ({ refuse }) }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  bash: "command",
  shell: "command",
  read: "read",
  glob: "read",
  grep: "read",
  list: "read",
  lsp: "read",
  edit: "edit",
  write: "edit",
  multiedit: "edit",
  patch: "edit",
  apply_patch: "edit",
  webfetch: "fetch",
  websearch: "fetch",
  codesearch: "fetch",
  task: "agent",
  question: "question",
  plan_enter: "plan",
  plan_exit: "plan",
  // "This keeps the session running despite repeated failures": whether to continue is not a matter of permissions.
  doom_loop: "question",
  external_directory: "other",
  todowrite: "other",
  todoread: "other",
  skill: "other",
  invalid: "other"
}

/** A tool that is not OpenCode's is a server's, named `<server>_<tool>`, or the user's. */
const kindOf = (tool: string): ToolRequest["kind"] =>
  Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : tool.includes("_") ? "mcp" : "other"

const shape: RequestShape = {
  inputs: (event, payload) => {
    const fields = fieldsOf(payload)
    return [event === decidedEvents.tool ? fieldsOf(fields["output"])["args"] : fields["metadata"]]
  },
  envelope: () => ["tool", "input"],
  inert: {
    "*": ["description", "content", "diff", "oldString", "newString", "query", "parentDir", "filter", "tokensNum"],
    task: ["prompt"],
    grep: ["pattern"],
    edit: ["filepath"]
  },
  bare: ["glob", "grep", "list", "lsp", "websearch", "codesearch"]
}

const globsIn = (tool: string, args: Fields) =>
  tool === "glob" ? globsOf(text(args["pattern"])) : tool === "grep" ? globsOf(text(args["include"])) : {}

const origin = (fields: Fields) => ({ agent: text(fields["agent"]), cwd: text(fields["cwd"]) ?? "" })

const toolRequest = (fields: Fields): ToolRequest | null => {
  const args = fieldsOf(fieldsOf(fields["output"])["args"])
  const tool = text(fieldsOf(fields["input"])["tool"])
  if (tool === null) return null
  const kind = kindOf(tool)
  const command = kind === "command" ? text(args["command"]) : null
  const patch = firstText(args, "patchText", "patch")
  const from = origin(fields)
  return requestOf({
    tool,
    kind,
    command,
    paths: [
      ...["filePath", "path"].flatMap((name) => texts(args[name])),
      ...(patch === null ? patchPathsIn(command) : patchPaths(patch))
    ],
    ...globsIn(tool, args),
    url: text(args["url"]),
    ...from,
    cwd: directoryOf(from.cwd, kind === "command" ? text(args["workdir"]) : null)
  })
}

const permissionRequest = (fields: Fields): ToolRequest | null => {
  const metadata = fieldsOf(fields["metadata"])
  const permission = text(fields["permission"])
  if (permission === null) return null
  const command = text(metadata["command"])
  const kind = permission === "external_directory" && command !== null ? "command" : kindOf(permission)
  return requestOf({
    tool: permission,
    kind,
    command: kind === "command" ? command : null,
    paths: pathsOf(permission, kind, fields, metadata),
    ...globsIn(permission, metadata),
    url: text(metadata["url"]),
    ...origin(fields)
  })
}

/**
 * The files of a permission request. Patterns are relative to the root of the project's version control, which is
 * `worktree`, another addition of the plugin.
 */
const pathsOf = (
  permission: string,
  kind: ToolRequest["kind"],
  fields: Fields,
  metadata: Fields
): ReadonlyArray<string> => {
  const files = Array.isArray(metadata["files"]) ? metadata["files"].map(fieldsOf) : []
  const exact =
    files.length > 0
      ? files.flatMap((file) => ["filePath", "movePath"].flatMap((name) => texts(file[name])))
      : [...texts(metadata["filepath"]), ...texts(metadata["path"]), ...texts(metadata["directories"])]
  if (exact.length > 0) return exact
  const root = text(fields["worktree"])
  const absolute = (path: string): string =>
    path.startsWith("/") || root === null ? path : `${root.replace(/\/+$/, "")}/${path}`
  if (permission === "external_directory")
    return texts(fields["patterns"]).map((pattern) =>
      absolute(pattern.endsWith("/*") ? pattern.slice(0, -2) || "/" : pattern)
    )
  return kind === "edit" || permission === "read" || permission === "list"
    ? texts(fields["patterns"]).map(absolute)
    : []
}

/** How OpenCode requests permissions and takes an answer. Replies go to leap's plugin. */
export const opencodePermissions: PermissionProtocol = hookPermissions({
  answers,
  read: (event, payload) =>
    event === decidedEvents.tool ? toolRequest(fieldsOf(payload)) : permissionRequest(fieldsOf(payload)),
  shape,
  plainYes: (dialog) =>
    dialog.kind === "permission" && !/^Continue after repeated failures\b/.test(dialog.title)
      ? onlyOption(dialog, ({ label }) => label === "Allow once")
      : null
})
