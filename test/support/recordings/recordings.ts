import * as fs from "node:fs"
import * as path from "node:path"
import { type CastHeader, type CastLine, parseHeader, parseLine } from "../../../src/domain/terminal/recording/Cast.ts"

/** Where the recorded sessions are. The only place that knows; `test/recordings/README.md` says what is in them. */
const home = path.join(import.meta.dirname, "../../recordings")

/**
 * The CLIs that sessions were recorded of, and the sets of each. They are named here and not looked up, so that tests
 * over them fail where one is missing, and do not vanish with it; recordings.test.ts holds the names against the disk.
 */
export const setsOf = {
  claude: ["claude", "claude-field", "claude-load", "claude-more", "claude-older", "claude-psp", "claude-replies"],
  codex: ["codex", "codex-field", "codex-more", "codex-older", "codex-replies"],
  copilot: ["copilot", "copilot-field", "copilot-frame", "copilot-more", "copilot-older", "copilot-replies"],
  gemini: ["gemini", "gemini-field", "gemini-more", "gemini-older", "gemini-replies"],
  opencode: ["opencode", "opencode-field", "opencode-more", "opencode-older", "opencode-replies"]
} as const
export type RecordedCli = keyof typeof setsOf
export const sets: ReadonlyArray<string> = Object.values(setsOf).flat()
export const isRecorded = (cli: string): cli is RecordedCli => cli in setsOf

/** One recording: its first line as it stands and read, and its events. */
export interface Recording {
  readonly first: string
  readonly header: CastHeader
  readonly lines: ReadonlyArray<CastLine>
}

/** What is really so from a moment on: a recording's label. */
export interface Truth {
  /** Seconds since the recording began. */
  readonly t: number
  readonly state: string
}

/** The folders that are there. */
export const setsOnDisk = (): ReadonlyArray<string> =>
  fs
    .readdirSync(home, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted()

/** The recordings of a set by name: `claude/bash-yes`. Throws where there are none. */
export const list = (set: string): ReadonlyArray<string> => {
  const folder = path.join(home, set)
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith(".cast")) : []
  if (names.length === 0) throw new Error(`${folder} has no recordings: the tests over ${set} have nothing to test`)
  return names.toSorted().map((name) => `${set}/${name.slice(0, -".cast".length)}`)
}

/** All recordings of a CLI. */
export const listOf = (cli: RecordedCli): ReadonlyArray<string> => setsOf[cli].flatMap(list)

/** A recording as it is on disk. */
export const textOf = (name: string): string => {
  const file = path.join(home, `${name}.cast`)
  if (!fs.existsSync(file)) throw new Error(`${file} is not there: the recording ${name} is needed by a test`)
  return fs.readFileSync(file, "utf8")
}

/** Reads a recording. Lines that are none are passed over; throws where even the first is. */
export const decode = (text: string): Recording => {
  const [first = "", ...rest] = text.split("\n").filter((line) => line.trim() !== "")
  const header = parseHeader(first)
  if (header._tag !== "Parsed") throw new Error(`this is no recording, it begins with ${JSON.stringify(first)}`)
  return {
    first,
    header: header.value,
    lines: rest.flatMap((line): ReadonlyArray<CastLine> => {
      const parsed = parseLine(line)
      return parsed._tag === "Parsed" ? [parsed.value] : []
    })
  }
}

/** A recording by its name. */
export const read = (name: string): Recording => decode(textOf(name))

/** What a recording says was really so, in order. */
export const truthOf = (lines: ReadonlyArray<CastLine>): ReadonlyArray<Truth> =>
  lines.flatMap(([t, code, data]) =>
    code === "m" && data.startsWith("truth:") ? [{ t, state: data.slice("truth:".length).split(" ")[0] ?? "" }] : []
  )

/** Whether a line is the word of people or of the endpoint: nothing that a detector may see. */
export const isLabel = ([, code, data]: CastLine): boolean => code === "m" && !/^(?:hook|session):/.test(data)

/** A recording as of a terminal without colours and attributes: NO_COLOR, or a TERM that has none. */
export const colourless = (text: string): string =>
  text
    .split("\n")
    .map((line) => {
      const read = parseLine(line)
      if (read._tag !== "Parsed" || read.value[1] !== "o") return line
      const [t, code, data] = read.value
      // oxlint-disable-next-line no-control-regex
      return JSON.stringify([t, code, data.replace(/\u001b\[[0-9;:]*m/g, "")])
    })
    .join("\n")
