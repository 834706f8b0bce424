import type { PolicyRule } from "../store/settings/Settings.ts"
import { commandName } from "./InnerCommands.ts"
import { spellings } from "./CommandShape.ts"
import type { Verdict } from "./Decision.ts"
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
  const named = sample.paths[0]
  if (path !== undefined && named !== undefined && sample.kind !== "command") {
    const at = (says: string, written: string, other: string): void =>
      void found.push({ request: { ...sample, paths: [other] }, says, advice: `write "path": "${written}"` })
    if (/\/\*$/.test(path)) at("it ends at the next directory", `${path}*`, `${named}/x`)
    else if (verdict === "allow" && /(?:^|\/)[a-z][a-z0-9_-]*\/?$/.test(path))
      at("it is about this file alone, and nothing below it", `${path.replace(/\/$/, "")}/**`, `${named}/x`)
    if (verdict !== "allow" && (rule.kind === "read" || rule.tool !== undefined))
      found.push({
        request: { ...sample, tool: "Bash", kind: "command", paths: [], command: `cat ${named}` },
        says: "it is not about commands that read the file",
        advice: "leave out the tool or kind"
      })
    if (verdict !== "allow" && /^[^/~]+$/.test(path))
      at("it is about the session's own directory alone", `/**/${path}`, `x/${named}`)
  }
  if (url !== undefined && sample.url !== null && verdict !== "allow") {
    const other = otherScheme(sample.url)
    if (other !== null)
      found.push({
        request: { ...sample, url: other },
        says: "it is about one scheme alone",
        advice: `write "url": "${url.replace(/^\w+:\/\//, "")}"`
      })
    if (/^[^/]*(?:\/\/[^/]*)?\/$/.test(url))
      found.push({
        request: { ...sample, url: `${sample.url}x` },
        says: "it is about the first page alone",
        advice: `write "url": "${url}*"`
      })
  }
  if (command !== undefined && sample.command !== null && verdict !== "allow") {
    if (endsEarly.test(command))
      found.push({
        request: { ...sample, command: `${sample.command} x` },
        says: "it is about the command without further arguments alone",
        advice: `write "command": "${command}*"`
      })
    const words = sample.command.split(" ")
    for (const [i, word] of words.entries())
      for (const other of word.startsWith("-") ? spellings(commandName(words[0]!), word).slice(1) : [])
        found.push({
          request: { ...sample, command: words.with(i, other).join(" ") },
          says: `it is not about ${other}, which is the same`,
          advice: "write a rule for each spelling"
        })
  }
  if (tool !== undefined && /^mcp__(?:(?!__)[^*?])+$/.test(tool) && verdict !== "allow")
    found.push({
      request: { ...sample, tool: `${tool}__x` },
      says: "it is about no tool of the server",
      advice: `write "tool": "${tool}__*"`
    })
  return found
}
