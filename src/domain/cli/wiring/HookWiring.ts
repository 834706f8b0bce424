import type { Result } from "effect"
import { has, type Since } from "../../words/reading/Version.ts"
import type { EditProblem } from "../../words/text/EditProblem.ts"

/** One lifecycle event of a CLI that its hooks report to leap. */
export interface WiredEvent extends Since {
  readonly event: string
  /** The CLI waits for an answer on standard output. */
  readonly canAnswer: boolean
  /** Seconds that the CLI is to give the hook. */
  readonly timeout: number
  /** The cases of the event that are wanted, in the CLI's own terms; null for all. */
  readonly matcher: string | null
}

/** leap's events, seen from one version of the CLI. */
export interface EventsByVersion {
  readonly events: ReadonlyArray<WiredEvent>
  /** Known to newer versions: where nobody can tell the version, they stay as they are. */
  readonly tolerated: ReadonlyArray<WiredEvent>
  /** Not known to the version: an entry for one costs the user the whole file. */
  readonly refused: ReadonlyArray<WiredEvent>
}

/**
 * How far a file has what leap wants in it. `disabled`: all of it, but the CLI is set to run no hooks. `partly` and
 * `outdated`: some of it is missing, or of another version. `foreign`: entries of other installations alone. `refused`:
 * the CLI's version does not know some of it, and therefore reads nothing of the file.
 */
export type WiringState =
  | "refused"
  | "installed"
  | "disabled"
  | "partly"
  | "outdated"
  | "foreign"
  | "missing"
  | "unreadable"

/** The status of a file. Each of `details` says one thing that is wrong or worth knowing. */
export interface WiringStatus {
  readonly state: WiringState
  readonly details: ReadonlyArray<string>
  /** Scripts of other installations of leap that its entries name; absent for none. */
  readonly others?: ReadonlyArray<string>
}

/** What a wiring must know of the machine. */
export interface WiringPlace {
  /** The CLI's environment (HOME, CLAUDE_CONFIG_DIR …). */
  readonly env: Readonly<Record<string, string>>
  readonly script: string
  readonly statusLineScript: string
  /** The user wants leap to read the status line even if that shows on the screen. */
  readonly statusLine: boolean
  /** A path with its links followed; the path itself where it leads nowhere. */
  readonly realPath: (path: string) => string
  /** The SHA-256 of a text, in hexadecimal. */
  readonly sha256: (text: string) => string
  /** The CLI's version; null where it cannot be told, absent for one that knows all that leap does. */
  readonly version?: string | null
  /** Of the events only this one. */
  readonly only?: string
}

/** The texts of a wiring's files before anything is changed. */
export type PresentText = (path: string) => string | null

/** leap's part in one file, as pure edits of its text (null: no file): idempotent, undone byte for byte. */
export interface WiredFile {
  readonly path: string
  /** Events reach leap even without this file. */
  readonly aside?: boolean
  readonly install: (text: string | null, present: PresentText) => Result.Result<string | null, EditProblem>
  readonly remove: (text: string | null, present: PresentText) => Result.Result<string | null, EditProblem>
  /** Total: never fails. */
  readonly status: (text: string | null, present: PresentText) => WiringStatus
}

/** A run that reads its settings from a directory of its own and reaches nobody: does the CLI call its hook? */
export interface WiringTrialRun {
  /** The event that comes first. */
  readonly event: string
  readonly args: ReadonlyArray<string>
  readonly env: (directory: string) => Readonly<Record<string, string | null>>
}

/** How a CLI is set up to call leap at its lifecycle events. */
export interface HookWiring {
  /** All of them; `since` is stated for those that an older version refuses. */
  readonly events: ReadonlyArray<WiredEvent>
  /** How the CLI itself is made to say whether it accepts them; null where it cannot be. */
  readonly trial?: WiringTrialRun
  /** The files in the order in which they are written: the last one names the hooks, which need the others. */
  readonly files: (place: WiringPlace) => readonly [...ReadonlyArray<WiredFile>, WiredFile]
}

/** Which of leap's events the CLI at this place takes; where its version cannot be told, those of the oldest one. */
export const eventsByVersion = (
  all: ReadonlyArray<WiredEvent>,
  { only, version }: Pick<WiringPlace, "only" | "version">,
  oldest: string | null
): EventsByVersion => {
  const events = only === undefined ? all : all.filter(({ event }) => event === only)
  const seen = version ?? oldest
  if (version === undefined || seen === null) return { events, tolerated: [], refused: [] }
  const unknown = events.filter((event) => !has(seen, event))
  return {
    events: events.filter((event) => has(seen, event)),
    tolerated: version === null ? unknown : [],
    refused: version === null ? [] : unknown
  }
}

/** States of single files, the most significant first: it is the state of a wiring whose files differ. */
const severity: ReadonlyArray<WiringState> = ["unreadable", "refused", "foreign", "outdated"]

/** The status of a wiring from those of its files. */
export const combineStatuses = (files: ReadonlyArray<WiringStatus>): WiringStatus => {
  const states = new Set(files.map((file) => file.state))
  const state =
    states.size <= 1
      ? (files[0]?.state ?? "installed")
      : (severity.find((it) => states.has(it)) ??
        (states.has("partly") || states.has("missing") ? "partly" : "disabled"))
  const others = [...new Set(files.flatMap((file) => file.others ?? []))]
  return {
    state,
    details: [...new Set(files.flatMap((file) => file.details))],
    ...(others.length === 0 ? {} : { others })
  }
}

/** Whether a file does its part for events to reach leap. */
export const deliversEvents = ({ aside }: WiredFile, { state }: WiringStatus): boolean =>
  aside === true || (state !== "missing" && state !== "foreign" && state !== "unreadable" && state !== "refused")
