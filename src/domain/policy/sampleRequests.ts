import type { PolicyRule } from "../store/settings/Settings.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/** Texts for a pattern's wildcard, tried in order: the last ones are allowed where the first is not. */
const fillings = ["x", "-e", "1", "x.txt", "-v x", "./x", "-f x ]]", "-f x ]", "-pe s/x/y/ x", "prettier x"]

/** A pattern with these texts instead of its wildcards. */
export const filled = (pattern: string, filling: string, letter = "x"): string =>
  pattern.replace(/\\(.)|\*+|\?/gs, (found, literal?: string) => literal ?? (found === "?" ? letter : filling))

const commandsOf = (pattern: string): ReadonlyArray<string> => [
  ...fillings.map((filling) => filled(pattern.trim(), filling)),
  ...(/ \*$/.test(pattern.trim()) ? [filled(pattern.trim().slice(0, -2), "x")] : [])
]

/** A path that a pattern matches; null if its brackets are too complex. */
const pathOf = (pattern: string): string | null => {
  const plain = pattern
    .replace(/\{([^{},]*)(?:,[^{}]*)?\}/g, "$1")
    .replace(/\\(.)|\*\*\/?|\*|\?/gs, (found, literal?: string) => literal ?? (found === "**/" ? "x/" : "x"))
  return /[{}[\]]/.test(pattern.replace(/\{[^{}]*\}/g, "")) ? null : plain.endsWith("/") ? `${plain}x` : plain
}

const addressOf = (pattern: string, filling = "x"): string => {
  const address = filled(pattern, filling)
  return /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}

const kindOf = ({ command, path, tool, url }: PolicyRule): ReadonlyArray<ToolRequest["kind"]> => {
  if (command !== undefined) return ["command"]
  if (path !== undefined) return ["edit", "read"]
  if (url !== undefined) return ["fetch"]
  if (tool === undefined) return ["command", "edit", "read", "fetch"]
  return /^mcp__/.test(tool) ? ["mcp"] : ["other", "command", "edit", "read", "fetch", "mcp", "agent"]
}

const usualTools: Readonly<Partial<Record<ToolRequest["kind"], string>>> = {
  command: "Bash",
  edit: "Edit",
  read: "Read",
  fetch: "WebFetch",
  mcp: "mcp__x__y",
  agent: "Task"
}

/** Most ordinary first; none if the patterns allow no example. */
export const sampleRequests = (rule: PolicyRule, directory: string, home: string): ReadonlyArray<ToolRequest> => {
  const path = rule.path === undefined ? undefined : pathOf(rule.path)
  if (path === null) return []
  const placed = path === undefined ? [] : [path.startsWith("~/") || path === "~" ? home + path.slice(1) : path]
  const agent = rule.agent === undefined || rule.agent === "main" ? null : filled(rule.agent, "x")
  return (rule.kind === undefined ? kindOf(rule) : [rule.kind]).flatMap((kind) => {
    const request: ToolRequest = {
      tool: rule.tool === undefined ? (usualTools[kind] ?? "Tool") : filled(rule.tool, "x"),
      kind,
      command: null,
      paths: kind === "command" || kind === "fetch" ? [] : placed,
      url: rule.url === undefined ? (kind === "fetch" ? "https://x.example/" : null) : addressOf(rule.url),
      agent,
      cwd: directory
    }
    if (kind !== "command") return [request]
    const named = placed[0] ?? rule.url
    const lines = rule.command === undefined ? [named === undefined ? "ls" : `cat ${named}`] : commandsOf(rule.command)
    const address = rule.url === undefined || rule.command === undefined ? [] : [addressOf(rule.url, "1")]
    const asking = address.map((one) => filled((rule.command ?? "").trim(), one))
    return [...lines, ...asking].map((command) => ({ ...request, url: null, command }))
  })
}
