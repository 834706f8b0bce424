import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { AgentCall, AgentCli, AgentExit, AgentOutcome } from "../../../src/domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../src/domain/cli/headless/AgentEvent.ts"
import { lastLine, noLines, readLine, splitLines } from "../../../src/domain/words/text/ByteLines.ts"

/** A run of a real CLI without a terminal, as it was recorded. */
export interface HeadlessRun {
  readonly name: string
  readonly args: ReadonlyArray<string>
  readonly exit: number | null
  readonly signal: string | null
  readonly stderr: string
}

const folder = (cli: string): string => fileURLToPath(new URL(`../../fixtures/headless/${cli}/`, import.meta.url))

/** Of a CLI, or of one version of it (`claude/versions/2.1.329`). */
export const headlessRuns = (cli: string): ReadonlyArray<HeadlessRun> =>
  JSON.parse(readFileSync(`${folder(cli)}runs.json`, "utf8")) as ReadonlyArray<HeadlessRun>

export const headlessFiles = (cli: string): ReadonlyArray<string> =>
  readdirSync(folder(cli)).filter((file) => file.endsWith(".ndjson"))

export const headlessBytes = (cli: string, name: string): Uint8Array => readFileSync(`${folder(cli)}${name}.ndjson`)

export const headlessReport = (cli: string, name: string): unknown =>
  JSON.parse(readFileSync(`${folder(cli)}${name}`, "utf8"))

/** What each recorded version has of a CLI without a terminal (`npm run record`), in the order in which it ran. */
export const versionRuns = ["answer", "goes-on", "tool", "refused"] as const
export type VersionRun = (typeof versionRuns)[number]

/** The versions of a CLI that were recorded so. */
export const headlessVersions = (cli: string): ReadonlyArray<string> => {
  const versions = `${folder(cli)}versions`
  return existsSync(versions) ? readdirSync(versions).toSorted() : []
}

/** What a run has left that reports its usage in a file of its own; null for the others. */
export const headlessUsage = (cli: string, name: string): unknown => {
  const file = `${folder(cli)}${name}.usage.json`
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null
}

export const freshId = "00000000-0000-4000-8000-00000000f4e5"

export const aCall = (call: Partial<AgentCall> = {}): AgentCall => ({
  prompt: "P",
  options: {},
  isNewSystem: (call.sessionId ?? null) === null,
  pictures: [],
  sessionId: null,
  fork: false,
  freshId,
  counted: null,
  ...call
})

export interface Decoded {
  readonly events: ReadonlyArray<AgentEvent>
  readonly told: AgentOutcome
}

/** What a decoder makes of a stream that comes in these pieces. */
export const decode = <State>(
  cli: AgentCli<State>,
  pieces: ReadonlyArray<Uint8Array>,
  call = aCall(),
  exit: Partial<AgentExit> = {}
): Decoded => {
  const events: Array<AgentEvent> = []
  let state = cli.start(call)
  let lines = noLines
  const take = (text: string) => {
    const line = readLine(text)
    if (line === null) return
    const [next, told] = cli.read(state, line)
    state = next
    events.push(...told)
  }
  for (const piece of pieces) {
    const [rest, whole] = splitLines(lines, piece)
    lines = rest
    for (const line of whole) if (line._tag === "Line") take(line.text)
  }
  for (const line of lastLine(lines)) if (line._tag === "Line") take(line.text)
  return { events, told: cli.end(state, { code: 0, signal: null, stderr: "", report: null, ...exit }) }
}

/** The text of the main conversation that was told, in order. */
export const spoken = (events: ReadonlyArray<AgentEvent>): string =>
  events.map((event) => (event._tag === "Text" && event.agent === null ? event.text : "")).join("")

const letter = (event: AgentEvent): string | null => {
  switch (event._tag) {
    case "Started":
      return "started"
    case "Text":
      return event.agent !== null ? `text of ${event.agent}` : event.delta ? "…" : "text"
    case "Thought":
      return event.delta ? "thought…" : "thought"
    case "ToolStarted":
      return `${event.tool}(${event.preview})`
    case "ToolEnded":
      return event.ok ? "ok" : "not ok"
    case "Refused":
      return `${event.tool} refused`
    case "Retrying":
      return `retry ${event.attempt} of ${event.of ?? "?"}: ${event.problem.kind}`
    // `fields.test.ts` has them
    case "RequestStarted":
    case "RequestEnded":
    case "HookRan":
      return null
    case "Used":
      return "used"
    case "Notice":
      return "notice"
    case "ErrorOutput":
      return `stderr: ${event.text}`
    case "Native":
      return "native"
    case "Failed":
      return `failed: ${event.problem.kind}`
    case "Answered":
      return "answered"
  }
}

/** What happened, in a line; pieces of one text are one. */
export const shapeOf = (events: ReadonlyArray<AgentEvent>): string =>
  events
    .flatMap((event) => letter(event) ?? [])
    .filter((it, at, all) => !(it.endsWith("…") && all[at - 1] === it))
    .join(", ")
