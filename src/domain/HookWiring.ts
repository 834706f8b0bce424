import type { Result } from "effect"

/** One lifecycle event of a CLI that leap is told of. */
export interface WiredEvent {
  readonly event: string
  /** The CLI waits for an answer on standard output. */
  readonly decision: boolean
  /** Seconds that the CLI is to give the hook. */
  readonly timeout: number
  /** The cases of the event that are wanted, in the CLI's own terms; null for all. */
  readonly matcher: string | null
}

/** Why a file cannot be worked on. It is left as it is. The place counts from 1; null where none is to blame. */
export interface WiringProblem {
  readonly line: number | null
  readonly column: number | null
  readonly why: string
}

/**
 * How far a file has what leap wants in it. `disabled`: all of it, but the CLI is told to run no hooks. `partly` and
 * `outdated`: some of it is missing, or of another version. `foreign`: entries of other installations alone.
 */
export type WiringState = "installed" | "disabled" | "partly" | "outdated" | "foreign" | "missing" | "unreadable"

/** What is said of a file. `details` say what is wrong or worth knowing, one reason each. */
export interface WiringStatus {
  readonly state: WiringState
  readonly details: ReadonlyArray<string>
}

/** What a wiring must know of the machine. */
export interface WiringPlace {
  /** The CLI's environment (HOME, CLAUDE_CONFIG_DIR …). */
  readonly env: Readonly<Record<string, string>>
  /** leap's hook script. */
  readonly script: string
  /** leap's script for status lines. */
  readonly statusLineScript: string
  /** The user wants leap to listen to the status line also where that shows on the screen. */
  readonly statusLine: boolean
  /** A path with its links followed; the path itself where it leads nowhere. */
  readonly realPath: (path: string) => string
  /** The SHA-256 of a text, in hexadecimal. */
  readonly sha256: (text: string) => string
}

/** The present texts of a wiring's files: what stands in them before anything is changed. */
export type PresentText = (path: string) => string | null

/**
 * leap's part in one file that a CLI reads, as pure edits of its text; a text of null is a file that is not there.
 * What is put in can be taken out again without a trace, twice is the same as once, and what is not leap's stays as it is.
 */
export interface WiredFile {
  readonly path: string
  /** leap hears of the CLI's events also without this file. */
  readonly aside?: boolean
  readonly install: (text: string | null, present: PresentText) => Result.Result<string | null, WiringProblem>
  readonly remove: (text: string | null, present: PresentText) => Result.Result<string | null, WiringProblem>
  /** Total: never fails. */
  readonly status: (text: string | null, present: PresentText) => WiringStatus
}

/** How a CLI is told to call leap at its lifecycle events. */
export interface HookWiring {
  readonly events: ReadonlyArray<WiredEvent>
  /**
   * The files, in the order in which they are written, and removed the other way round: the last is the one that names
   * the hooks, so that a CLI never finds hooks without what they need.
   */
  readonly files: (place: WiringPlace) => readonly [...ReadonlyArray<WiredFile>, WiredFile]
}

/** States of single files, the one that tells most of a wiring in which they differ first. */
const telling: ReadonlyArray<WiringState> = ["unreadable", "foreign", "outdated"]

/** What the states of a wiring's files mean together. */
export const together = (files: ReadonlyArray<WiringStatus>): WiringStatus => {
  const states = new Set(files.map((file) => file.state))
  const state = states.size <= 1
    ? files[0]?.state ?? "installed"
    : telling.find((it) => states.has(it))
      ?? (states.has("partly") || states.has("missing") ? "partly" : "disabled")
  return { state, details: [...new Set(files.flatMap((file) => file.details))] }
}

/** Whether a file does its part for leap to hear of what happens in the CLI. */
export const isHeard = ({ aside }: WiredFile, { state }: WiringStatus): boolean =>
  aside === true || (state !== "missing" && state !== "foreign" && state !== "unreadable")
