import type { Result } from "effect"
import { has, type Since } from "../../words/reading/Version.ts"
import type { EditProblem } from "../../words/formats/EditProblem.ts"

/** One lifecycle event of a CLI that its hooks report to leap. `timeout` is in seconds. */
export interface WiredEvent extends Since {
  readonly event: string
  /** The CLI waits for an answer on standard output. */
  readonly canAnswer: boolean
  readonly timeout: number
  /** The cases for which the CLI calls the hook, in its own terms; null: all. */
  readonly matcher: string | null
}

/** leap's events for one version of the CLI. */
export interface EventsByVersion {
  readonly events: ReadonlyArray<WiredEvent>
  /** Events of newer versions: if the version is unknown, their entries stay. */
  readonly tolerated: ReadonlyArray<WiredEvent>
  /** Events that the version does not know: an entry for one makes it ignore the whole file. */
  readonly refused: ReadonlyArray<WiredEvent>
}

/**
 * The state of leap's part in a file. `disabled`: complete, but the CLI is set to run no hooks. `partly` and
 * `outdated`: some entries are missing, or of another version. `foreign`: only entries of other installations.
 * `refused`: the CLI's version does not know some entry, and therefore ignores the file.
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

/** The status of a file. Each of `details` is one fault or note. */
export interface WiringStatus {
  readonly state: WiringState
  readonly details: ReadonlyArray<string>
  /** Scripts of other installations of leap in its entries; absent: none. */
  readonly others?: ReadonlyArray<string>
}

/** The facts about the machine that a wiring needs. */
export interface WiringPlace {
  readonly env: Readonly<Record<string, string>>
  readonly script: string
  readonly statusLineScript: string
  /** The user wants leap to read the status line even if that shows on the screen. */
  readonly statusLine: boolean
  /** A path with its links resolved; the path itself if that fails. */
  readonly realPath: (path: string) => string
  readonly sha256: (text: string) => string
  /** The CLI's version; null: unknown, absent: it knows all of leap's events. */
  readonly version?: string | null
  /** The only event to wire. */
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

/** A run with its own settings directory and without network use, to see whether the CLI calls its hook. */
export interface WiringTrialRun {
  readonly event: string
  readonly args: ReadonlyArray<string>
  readonly env: (directory: string) => Readonly<Record<string, string | null>>
}

/** How a CLI is set up to call leap at its lifecycle events. */
export interface HookWiring {
  /** All events; `since` is stated for those that an older version refuses. */
  readonly events: ReadonlyArray<WiredEvent>
  /** How to try whether the CLI accepts them; absent: impossible. */
  readonly trial?: WiringTrialRun
  /** The files in the order of writing: the last names the hooks, which need the others. */
  readonly files: (place: WiringPlace) => readonly [...ReadonlyArray<WiredFile>, WiredFile]
}

/** The events that the CLI at this place takes; if its version is unknown, those of the oldest. */
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

/** States of single files, the most significant first, which is the state of the wiring. */
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
