import type { PolicyRule } from "../store/settings/Settings.ts"
import { commandName } from "./InnerCommands.ts"
import { spellings } from "./CommandShape.ts"
import type { Verdict } from "./Decision.ts"
import { isServer } from "./RuleMatch.ts"
import { sampleRequests } from "./sampleRequests.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/** A request that the rule's author means too, and how to write the rule for both. */
export interface NearMiss {
  readonly request: ToolRequest
  readonly says: string
  readonly advice: string
}

const otherScheme = (url: string): string | null => {
  const [, scheme = "", rest = ""] = /^(https?|wss?)(:.*)$/is.exec(url) ?? []
  return scheme === "" ? null : `${scheme.endsWith("s") ? scheme.slice(0, -1) : `${scheme}s`}${rest}`
}

/** A program, command or option that rarely comes without arguments. */
const endsEarly = /^[\w-]+$|^(?:cargo|docker|gh|git|helm|kubectl|npm|pnpm|terraform|yarn) [\w -]+$|(?:^| )--?[\w-]+$/

/** Requests that differ from a rule's own by parts that people omit or write differently. */
export const nearMisses = (
  verdict: Verdict,
  rule: PolicyRule,
  directory: string,
  home: string
): ReadonlyArray<NearMiss> => {
  const { command, path, tool, url } = rule
  const [sample] = sampleRequests(rule, directory, home)
  if (sample === undefined) return []
  const found: Array<NearMiss> = []
  const miss = (other: Partial<ToolRequest>, says: string, advice: string): void =>
    void found.push({ request: { ...sample, ...other }, says, advice })
  const guards = verdict !== "allow"
  const named = sample.paths[0]
  if (path !== undefined && named !== undefined && sample.kind !== "command") {
    const below = { paths: [`${named}/x`] }
    if (/\/\*$/.test(path)) miss(below, "it ends at the next directory", `write "path": "${path}*"`)
    else if (!guards && /(?:^|\/)[a-z][a-z0-9_-]*\/?$/.test(path))
      miss(below, "it is about this file alone, and nothing below it", `write "path": "${path.replace(/\/$/, "")}/**"`)
    const reading = { tool: "Bash", kind: "command", paths: [], command: `cat ${named}` } as const
    if (guards && (rule.kind === "read" || rule.tool !== undefined))
      miss(reading, "it is not about commands that read the file", "leave out the tool or kind")
    if (guards && /^[^/~]+$/.test(path))
      miss({ paths: [`x/${named}`] }, "it is about the session's own directory alone", `write "path": "/**/${path}"`)
  }
  if (url !== undefined && sample.url !== null && guards) {
    const other = otherScheme(sample.url)
    const bare = url.replace(/^\w+:\/\//, "")
    if (other !== null) miss({ url: other }, "it is about one scheme alone", `write "url": "${bare}"`)
    if (/^[^/]*(?:\/\/[^/]*)?\/$/.test(url))
      miss({ url: `${sample.url}x` }, "it is about the first page alone", `write "url": "${url}*"`)
  }
  if (command !== undefined && sample.command !== null && guards) {
    const more = { command: `${sample.command} x` }
    if (endsEarly.test(command))
      miss(more, "it is about the command without further arguments alone", `write "command": "${command}*"`)
    const words = sample.command.split(" ")
    for (const [i, word] of words.entries())
      for (const other of word.startsWith("-") ? spellings(commandName(words[0]!), word).slice(1) : []) {
        const spelled = { command: words.with(i, other).join(" ") }
        miss(spelled, `it is not about ${other}, which is the same`, "write a rule for each spelling")
      }
  }
  if (tool !== undefined && isServer(tool) && guards)
    miss({ tool: `${tool}__x` }, "it is about no tool of the server", `write "tool": "${tool}__*"`)
  return found
}
