import type { PermissionProtocol } from "../PermissionProtocol.ts"
import { answering, type Answers, onlyOption } from "../policy/PermissionAnswers.ts"
import { fieldsOf, firstText, patchPaths, patchPathsIn, requestOf, text, texts, type Fields } from "../policy/RequestReading.ts"
import type { ToolRequest } from "../policy/ToolRequest.ts"
import { decidedEvents } from "./OpenCodePlugin.ts"

/*
 * Both are leap's plugin's to wait for. Before a tool it can refuse, and the model hears why and goes on; a permission that
 * OpenCode asks for it can grant once or reject. `agent`, `cwd` and `worktree` are the plugin's own additions.
 */
const { asked, before } = decidedEvents
const answers: Answers = {
  [asked]: { allow: () => ({ reply: "once" }), deny: (message) => ({ reply: "reject", message }) },
  [before]: { deny: (refuse) => ({ refuse }) }
}

const kinds: Readonly<Record<string, ToolRequest["kind"]>> = {
  bash: "command", shell: "command",
  read: "read", glob: "read", grep: "read", list: "read", lsp: "read",
  edit: "edit", write: "edit", multiedit: "edit", patch: "edit", apply_patch: "edit",
  webfetch: "fetch", websearch: "fetch", codesearch: "fetch",
  task: "agent",
  question: "question", plan_enter: "plan", plan_exit: "plan",
  // "This keeps the session running despite repeated failures": whether it is to is not a matter of permissions
  doom_loop: "question",
  external_directory: "other", todowrite: "other", todoread: "other", skill: "other", invalid: "other"
}

/** What is not OpenCode's own is a server's tool, `<server>_<tool>`, or a tool of the user's. */
const kindOf = (tool: string): ToolRequest["kind"] => Object.hasOwn(kinds, tool) ? kinds[tool] ?? "other" : tool.includes("_") ? "mcp" : "other"

const whose = (fields: Fields) => ({ agent: text(fields["agent"]), cwd: text(fields["cwd"]) ?? "" })

const ofTool = (fields: Fields): ToolRequest | null => {
  const args = fieldsOf(fieldsOf(fields["output"])["args"])
  const tool = text(fieldsOf(fields["input"])["tool"])
  if (tool === null) return null
  const kind = kindOf(tool)
  const command = kind === "command" ? text(args["command"]) : null
  const patch = firstText(args, "patchText", "patch")
  return requestOf({
    tool,
    kind,
    command,
    paths: [...["filePath", "path"].flatMap((name) => texts(args[name])), ...patch === null ? patchPathsIn(command) : patchPaths(patch)],
    url: text(args["url"]),
    ...whose(fields)
  })
}

const ofPermission = (fields: Fields): ToolRequest | null => {
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
    url: text(metadata["url"]),
    ...whose(fields)
  })
}

/** Patterns name files from the root of the project's version control, which `worktree` is: another addition of the plugin's. */
const pathsOf = (permission: string, kind: ToolRequest["kind"], fields: Fields, metadata: Fields): ReadonlyArray<string> => {
  const files = Array.isArray(metadata["files"]) ? metadata["files"].map(fieldsOf) : []
  const exact = files.length > 0
    ? files.flatMap((file) => ["filePath", "movePath"].flatMap((name) => texts(file[name])))
    : [...texts(metadata["filepath"]), ...texts(metadata["path"]), ...texts(metadata["directories"])]
  if (exact.length > 0) return exact
  const root = text(fields["worktree"])
  const absolute = (path: string): string => path.startsWith("/") || root === null ? path : `${root.replace(/\/+$/, "")}/${path}`
  if (permission === "external_directory") return texts(fields["patterns"]).map((pattern) => absolute(pattern.endsWith("/*") ? pattern.slice(0, -2) || "/" : pattern))
  return kind === "edit" || permission === "read" || permission === "list" ? texts(fields["patterns"]).map(absolute) : []
}

/** How OpenCode asks for leave, and takes an answer. A reply is for leap's plugin. */
export const opencodePermissions: PermissionProtocol = answering({
  answers,
  read: (event, payload) => event === before ? ofTool(fieldsOf(payload)) : ofPermission(fieldsOf(payload)),
  plainYes: (dialog) =>
    dialog.kind === "permission" && !/^Continue after repeated failures\b/.test(dialog.title)
      ? onlyOption(dialog, ({ label }) => label === "Allow once")
      : null
})
