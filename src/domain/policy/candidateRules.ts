import { isCut } from "../words/text/cutMark.ts"
import { absolutePath, normalPath } from "../words/text/paths.ts"
import type { PolicyRule } from "../store/settings/Settings.ts"
import { notAllowable, withoutPlace } from "./CommandCoverage.ts"
import { commandName, innerOf } from "./InnerCommands.ts"
import { readCommandLine } from "./ShellInner.ts"
import { ordinary } from "./ordinary.ts"
import { escaped, type Places } from "./PathPattern.ts"
import { isHarmlessName } from "./ShellBuiltins.ts"
import { transparent } from "./knownPrograms/shellPrograms.ts"
import { isSure, joinWords, type ShellCommand } from "./ShellWords.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/** How much a proposed rule covers: exactly the request, its family, a directory or host, or the whole project. */
export const widths = ["exact", "family", "part", "project"] as const
export type Width = (typeof widths)[number]

export interface Candidate {
  readonly rules: ReadonlyArray<PolicyRule>
  readonly width: Width
}

/** Longer exact rules help nobody, in UTF-16 units. */
const longest = 200
/** A line with more commands is a program of its own. */
const mostCommands = 6
const deepest = 4

/** The audit log masked or cut the text, so the original is unknown. */
const isMutilated = (text: string): boolean => text.includes("***") || isCut(text)

/** The pattern that matches only this text; null if there is none. */
const literal = (text: string): string | null =>
  text.length > longest || /[\t\n\u0000-\u001f]| {2}|^ | $/.test(text) ? null : text.replace(/[*?\\|;&<>]/g, "\\$&")

interface Proposed {
  readonly exact: PolicyRule | null
  readonly family: PolicyRule | null
}

const forCommand = (
  command: ShellCommand,
  loops: ReadonlySet<string>,
  trusted: boolean,
  depth = 0
): Proposed | null => {
  const { assignments, input, writes } = command
  if (depth > deepest || writes.some((word) => word.text !== "/dev/null")) return null
  if (!assignments.every(({ name, value }) => isHarmlessName(name) && isSure(value))) return null
  const words = withoutPlace(command.words) ?? command.words
  const program = commandName(words[0]?.text ?? "")
  if (transparent.has(program)) {
    const inner = innerOf(program, words, input).commands[0]
    return inner === undefined ? null : forCommand({ ...command, words: inner }, loops, trusted, depth + 1)
  }
  const { exact, family } = ordinary({ ...command, words }, loops, trusted)
  const { text } = joinWords(words)
  const [whole, start] = [exact ? literal(text) : null, family === null ? null : literal(family.join(" "))]
  if (whole === null && start === null) return null
  return {
    exact: whole === null ? null : { command: whole },
    family: start === null ? null : { command: `${start} *` }
  }
}

const forLine = (line: string, trusted: boolean): ReadonlyArray<Candidate> => {
  if (isMutilated(line)) return []
  const reading = readCommandLine(line)
  const commands = reading.commands.filter(({ words }) => words.length > 0)
  if (notAllowable(reading) !== null || commands.length === 0 || commands.length > mostCommands) return []
  const loops = new Set(reading.loops)
  const found: Array<Proposed> = []
  for (const command of commands) {
    const proposed = forCommand(command, loops, trusted)
    if (proposed === null) return []
    found.push(proposed)
  }
  const rules = (choose: (one: Proposed) => PolicyRule | null) => found.flatMap((one) => choose(one) ?? [])
  const exact = rules((one) => one.exact)
  const family = rules((one) => one.family ?? one.exact)
  return [
    ...(exact.length === found.length ? [{ rules: exact, width: "exact" as const }] : []),
    ...(found.some((one) => one.family !== null) ? [{ rules: family, width: "family" as const }] : [])
  ]
}

/** Files and directories that hold settings or secrets of other programs begin with a dot. */
const isHidden = (path: string): boolean => path.split("/").some((part) => part.startsWith("."))

const forFiles = (kind: "read" | "edit", request: ToolRequest, places: Places): ReadonlyArray<Candidate> => {
  const paths = request.paths.map((path) => normalPath(absolutePath(request.cwd, path)))
  if (paths.length === 0 || paths.length > 4 || request.paths.some((path) => path.startsWith("~"))) return []
  if (paths.some((path) => path.length > longest || isMutilated(path) || /[\u0000-\u001f]/.test(path))) return []
  const under = `${normalPath(places.directory)}/`
  const inside =
    places.directory.startsWith("/") && places.directory !== "/" && paths.every((path) => path.startsWith(under))
  const names = paths.map((path) => (path.startsWith(under) && inside ? path.slice(under.length) : path))
  const exact: Candidate = {
    rules: names.map((name) => ({ kind, path: `${inside ? "./" : ""}${escaped(name)}` })),
    width: "exact"
  }
  if (!inside || names.some(isHidden)) return [exact]
  const tops = new Set(names.map((name) => (name.includes("/") ? name.slice(0, name.indexOf("/")) : "")))
  const endings = new Set(names.map((name) => /(?<=[^/])\.\w{1,8}$/.exec(name)?.[0] ?? ""))
  const [top = ""] = tops
  const [ending = ""] = endings
  const wider = (path: string, width: Width): Candidate => ({ rules: [{ kind, path }], width })
  const one = tops.size === 1 && top !== "" ? `./${escaped(top)}/**` : null
  return [
    exact,
    ...(one !== null && endings.size === 1 && ending !== "" ? [wider(`${one}/*${ending}`, "family")] : []),
    ...(one !== null ? [wider(one, "part")] : []),
    wider("./**", "project")
  ]
}

const forAddress = (url: string): ReadonlyArray<Candidate> => {
  const parsed = isMutilated(url) ? null : URL.parse(url)
  const pattern = literal(url)
  if (parsed === null || pattern === null || !/^https?:$/.test(parsed.protocol)) return []
  const exact: Candidate = { rules: [{ kind: "fetch", url: pattern.replace(/\\([&;])/g, "$1") }], width: "exact" }
  const named = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(parsed.hostname)
  if (parsed.protocol !== "https:" || !named || parsed.port !== "" || parsed.search !== "" || parsed.username !== "")
    return [exact]
  const [, first] = /^\/([\w.~-]+)\//.exec(parsed.pathname) ?? []
  const wider = (path: string, width: Width): Candidate => ({
    rules: [{ kind: "fetch", url: `https://${parsed.hostname}/${path}` }],
    width
  })
  return [exact, ...(first === undefined ? [] : [wider(`${first}/*`, "family")]), wider("*", "part")]
}

/** MCP tools that only look, by the verb in their names. */
const looks =
  /^mcp__\w[\w-]*__(?:get|list|read|search|find|describe|view|show|query|lookup|count)(?:[_-]\w[\w-]*|[A-Z]\w*)?$/

/** Narrowest first; none if leap proposes no rules for it. `trusted`: the user allowed this request personally. */
export const candidateRules = (request: ToolRequest, places: Places, trusted: boolean): ReadonlyArray<Candidate> => {
  switch (request.kind) {
    case "command":
      return request.command === null ? [] : forLine(request.command, trusted)
    case "read":
    case "edit":
      return forFiles(request.kind, request, places)
    case "fetch":
      return request.url === null ? [] : forAddress(request.url)
    case "mcp":
      return looks.test(request.tool) && !/[*?\\]/.test(request.tool)
        ? [{ rules: [{ tool: request.tool }], width: "family" }]
        : []
    default:
      return []
  }
}
