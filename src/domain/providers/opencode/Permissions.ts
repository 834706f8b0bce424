import { onlyYes } from "../../cli/provider/PermissionAnswers.ts"
import { directoryOf, firstText, patchPaths, patchPathsIn, texts } from "../../cli/provider/RequestReading.ts"
import { type Asked, named, permissionsBy } from "../../cli/provider/PermissionTable.ts"
import { fieldsOf, nonEmptyOf as text } from "../../words/reading/Fields.ts"

/** For these events the plugin waits for the host's answer, if the host decides on them. */
export const decidedEvents = { permission: "permission.asked", tool: "hook.tool.execute.before" } as const

const toolPaths = ({ command, input }: Asked): ReadonlyArray<string> => {
  const patch = firstText(input, "patchText", "patch")
  return [...named(input, "filePath path"), ...(patch === null ? patchPathsIn(command) : patchPaths(patch))]
}

/** The files of a permission request. Patterns are relative to `worktree`, an addition of leap's plugin. */
const permissionPaths = ({ fields, input: metadata, kind, tool: permission }: Asked): ReadonlyArray<string> => {
  const files = Array.isArray(metadata["files"]) ? metadata["files"].map(fieldsOf) : []
  const exact =
    files.length > 0
      ? files.flatMap((file) => named(file, "filePath movePath"))
      : named(metadata, "filepath path directories")
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

/**
 * leap's plugin waits for both answers. It can refuse a tool: the model gets the reason and continues. It can grant an
 * OpenCode permission request once, or reject it. `agent`, `cwd` and `worktree` are additions of the plugin.
 */
export const opencodePermissions = permissionsBy({
  answers: {
    [decidedEvents.permission]: { allow: () => ({ reply: "once" }), deny: (message) => ({ reply: "reject", message }) },
    [decidedEvents.tool]: { deny: (refuse) => ({ refuse }) }
  },
  tools: {
    command: "bash shell",
    read: "read glob grep list lsp",
    edit: "edit write multiedit patch apply_patch",
    fetch: "webfetch websearch codesearch",
    agent: "task",
    // "This keeps the session running despite repeated failures": continuing is not a matter of permissions.
    question: "question doom_loop",
    plan: "plan_enter plan_exit",
    other: "external_directory todowrite todoread skill invalid"
  },
  find: (event, { input, metadata, output, permission }) =>
    event === decidedEvents.tool
      ? { tool: fieldsOf(input)["tool"], given: fieldsOf(output)["args"] }
      : { tool: permission, given: metadata },
  argumentsOf: fieldsOf,
  // A tool that is not OpenCode's is a server's, named `<server>_<tool>`, or the user's.
  kindOf: ({ event, input, tool }, known) =>
    event !== decidedEvents.tool && tool === "external_directory" && text(input["command"]) !== null
      ? "command"
      : known === null && tool.includes("_")
        ? "mcp"
        : null,
  paths: (asked) => (asked.event === decidedEvents.tool ? toolPaths(asked) : permissionPaths(asked)),
  globs: { glob: "pattern", grep: "include" },
  more: ({ event, fields, input, kind }) => ({
    agent: text(fields["agent"]),
    cwd: directoryOf(
      text(fields["cwd"]) ?? "",
      event === decidedEvents.tool && kind === "command" ? text(input["workdir"]) : null
    )
  }),
  inert: {
    "*": "description content diff oldString newString query parentDir filter tokensNum",
    task: "prompt",
    grep: "pattern",
    edit: "filepath"
  },
  bare: "glob grep list lsp websearch codesearch",
  shape: {
    inputs: (event, payload) => {
      const { metadata, output } = fieldsOf(payload)
      return [event === decidedEvents.tool ? fieldsOf(output)["args"] : metadata]
    },
    envelope: () => ["tool", "input"]
  },
  plainYes: onlyYes(/^Allow once$/, ({ title }) => !/^Continue after repeated failures\b/.test(title))
})
