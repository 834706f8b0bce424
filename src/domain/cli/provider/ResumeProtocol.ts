import { fieldsOf } from "../../words/reading/Fields.ts"
import type { SessionRecord } from "../../store/conversations/SessionRecord.ts"

/** The part of a record that determines where the CLI keeps the session. */
export type KeptSession = Pick<SessionRecord, "sessionId" | "cwd" | "transcriptPath">

/** A place where a CLI may keep a session: a path, or an entry of this name in some directory below another one. */
export type TranscriptPlace =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "below"; readonly directory: string; readonly name: string }

/** Where a session may be kept. While `root` is missing (an unmounted disk), the session's absence proves nothing. */
export interface StorageEvidence {
  readonly root: string
  readonly places: ReadonlyArray<TranscriptPlace>
}

type Env = Readonly<Record<string, string>>

/** How a CLI resumes a session, as pure functions that never throw. */
export interface ResumeProtocol {
  /** Arguments that resume the session in this directory. */
  readonly args: (sessionId: string, cwd: string) => ReadonlyArray<string>
  /** The session of a hook's payload; if the payload lacks it, the one in the transcript's name or first bytes. */
  readonly sessionIdOf: (hook: {
    readonly payload: unknown
    readonly transcriptPath: string | null
    readonly head: string
  }) => string | null
  /** The CLI finds a session only in the session's own directory; for another one the session must be moved. */
  readonly boundToDirectory: boolean
  /** Wherever it is started, it continues in the session's own directory. */
  readonly staysInDirectory: boolean
  readonly evidence: (env: Env, session: KeptSession) => StorageEvidence
  /** How the CLI's own data give the session's directory; null if they do not. */
  readonly healing: Healing | null
}

/** How a CLI's own data give a session's directory. */
export interface Healing {
  /** The file that has the directory; null for none. */
  readonly reads: (env: Env, session: KeptSession) => string | null
  /** The session's directory according to the file's first bytes; the recorded one if they name no other. */
  readonly healCwd: (text: string, session: KeptSession) => string
}

/** How many bytes of a file are read to heal a directory. */
export const headBytes = 2 << 20

/** The transcript's own path as a place of the session. */
export const ownPath = ({ transcriptPath }: KeptSession): ReadonlyArray<TranscriptPlace> =>
  transcriptPath === null ? [] : [{ kind: "path", path: transcriptPath }]

/** The first of these fields that holds a text. */
export const idIn = (payload: unknown, names: ReadonlyArray<string>): string | null => {
  const fields = fieldsOf(payload)
  return (
    names
      .map((name) => fields[name])
      .find((value): value is string => typeof value === "string" && value.trim() !== "") ?? null
  )
}
