import { fieldsOf } from "../usage/Fields.ts"
import type { SessionRecord } from "./SessionRecord.ts"

/** What of a record tells where the CLI keeps the session. */
export type KeptSession = Pick<SessionRecord, "sessionId" | "cwd" | "transcriptPath">

/** A place where a CLI may keep a session: a path, or an entry of this name in some directory below another one. */
export type Place =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "below"; readonly directory: string; readonly name: string }

/** Where a session is looked for. While `root` is not there (another home, a disk not mounted), nobody can say that it is gone. */
export interface Evidence {
  readonly root: string
  readonly places: ReadonlyArray<Place>
}

type Env = Readonly<Record<string, string>>

/** How a CLI goes on with an earlier session: total pure functions. */
export interface ResumeProtocol {
  /** Arguments that make it go on with the session in this directory. */
  readonly args: (sessionId: string, cwd: string) => ReadonlyArray<string>
  /** The session that a hook's payload is of; where that does not say it, by the transcript's name or beginning. */
  readonly sessionIdOf: (hook: { readonly payload: unknown; readonly transcriptPath: string | null; readonly head: string }) => string | null
  /** It finds a session in its own directory only: to go on elsewhere, the session has to be moved. */
  readonly boundToDirectory: boolean
  /** Wherever it is started, it goes on in the session's own directory. */
  readonly staysInDirectory: boolean
  readonly evidence: (env: Env, session: KeptSession) => Evidence
  /** How the CLI's own data tell the session's directory; null where they do not. */
  readonly healing: Healing | null
}

/** How a CLI's own data tell a session's directory. */
export interface Healing {
  /** The file that tells; null for none. */
  readonly reads: (env: Env, session: KeptSession) => string | null
  /** The directory that the file (its first bytes) says is the session's, where that is another one than the recorded; else the recorded. */
  readonly healCwd: (text: string, session: KeptSession) => string
}

/** So many bytes of a file are looked at to heal a directory. */
export const headBytes = 2 << 20

/** The transcript's own path among the places of a session. */
export const ownPath = ({ transcriptPath }: KeptSession): ReadonlyArray<Place> =>
  transcriptPath === null ? [] : [{ kind: "path", path: transcriptPath }]

/** The first of these fields that holds a text. */
export const idIn = (payload: unknown, names: ReadonlyArray<string>): string | null => {
  const fields = fieldsOf(payload)
  return names.map((name) => fields[name]).find((value): value is string => typeof value === "string" && value.trim() !== "") ?? null
}
