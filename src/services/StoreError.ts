import { Schema } from "effect"
import { exitCode } from "../domain/words/session/exitCode.ts"

/** `what`: the failed operation, if the store has several. */
interface Failure {
  readonly reason: string
  readonly file: string
  readonly what: string
  readonly why: string
  readonly mend?: string
}

/** The message for people, by the kind of file that cannot be used. */
const words = {
  audit: ({ file, why }) => `the audit log ${file} cannot be used: ${why}`,
  devices: ({ file, why }) => `${file}: ${why}`,
  directory: ({ file, reason, why }) =>
    reason === "missing"
      ? `cannot create ${file}: ${why}; set LEAP_HOME to a folder that you can write to`
      : `refusing to use ${file}: ${why}`,
  documents: ({ why }) =>
    `leap's documents cannot be read (${why}): install leap again, or read them where its sources are`,
  file: ({ file, why }) => `${file}: ${why}`,
  lock: ({ file, reason, why }) =>
    reason === "busy" ? `another process holds ${file}; try again in a moment` : `could not lock ${file}: ${why}`,
  modes: ({ file, why }) => `the modes were not changed: ${file}: ${why}`,
  out: ({ file, reason, why }) =>
    reason === "busy"
      ? `another 'leap out' runs already, and one is enough for all receivers (${file})`
      : `the journal of events ${file} cannot be used: ${why}`,
  queue: ({ file, what, why }) => `could not ${what} the queue at ${file}: ${why}`,
  record: ({ file, why }) => `the record ${file} cannot be used: ${why}`,
  registry: ({ what, why }) => `could not ${what}: ${why}`,
  session: ({ file, mend, reason, why }) =>
    reason === "busy"
      ? `it runs already: another leap host owns it (${file})`
      : `could not lock ${file}: ${mend === undefined ? why : `${why}: ${mend}`}`,
  sessions: ({ file, what, why }) => (file === "" ? `${what}: ${why}` : `${what}: ${file}: ${why}`),
  settings: ({ file, why }) => `${file}: ${why}; the file was left as it is`,
  /** The settings of a CLI for leap's hooks. */
  wiring: ({ file, mend = "see to that, then run this again", reason, why }) =>
    reason === "corrupt"
      ? `${file}: ${why}; the file was left as it is: mend it, then run this again`
      : `could not change ${file}: ${why}; ${mend}`,
  state: ({ file, reason, why }) => `${file} cannot be ${reason === "unwritable" ? "written" : "read"}: ${why}`
} satisfies Record<string, (failure: Failure) => string>

type Store = keyof typeof words

/**
 * A file of leap cannot be used. `busy`: another process has it. `full`: the disk is full. `unreadable`, `unwritable`:
 * the file, or its directory, may not be read or written. `missing`: it does not exist and cannot be created.
 * `corrupt`: its content is damaged, or is not leap's. `newer`: a later leap wrote it, and it is untouched.
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  store: Schema.Literals(Object.keys(words) as Array<Store>),
  reason: Schema.Literals(["busy", "full", "unreadable", "unwritable", "missing", "corrupt", "newer", "failed"]),
  file: Schema.String,
  what: Schema.optionalKey(Schema.String),
  why: Schema.String,
  /** What helps, mostly a command; absent if unknown. */
  mend: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    return words[this.store]({ what: "use", ...this })
  }

  get exitCode(): number {
    const isRefused = this.store === "directory" || (this.store === "session" && this.reason === "busy")
    return isRefused ? exitCode.refused : exitCode.failed
  }
}

/** A registry of leap or a CLI that records where a session is cannot be changed. */
export const registryError = (what: string, { message }: { readonly message: string }) =>
  new StoreError({ store: "registry", reason: "failed", file: "", what, why: message })

/** Whether another process has the file, so that a retry may succeed. */
export const isBusy = (error: unknown): boolean => error instanceof StoreError && error.reason === "busy"
