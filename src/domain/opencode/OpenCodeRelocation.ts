import { Schema } from "effect"
import type { Edit, Plan } from "../relocation/Plan.ts"

/** Makes a session, and those of its subagents, sessions of another directory in OpenCode's database. */
export const sessionKind = "opencode.session"

/** What a row says of where its session lives. An older database has no `path`. */
const Place = Schema.Struct({
  directory: Schema.String,
  project: Schema.String,
  path: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Place = typeof Place.Type

const Row = Schema.Struct({ id: Schema.String, from: Place })
export type Row = typeof Row.Type

/** A project that OpenCode would make when it is first started in its directory. Times are milliseconds since the epoch. */
const NewProject = Schema.Struct({
  id: Schema.String,
  worktree: Schema.String,
  vcs: Schema.NullOr(Schema.String),
  time: Schema.Finite
})
export type NewProject = typeof NewProject.Type

/** What the rows said and shall say, so that a change can be carried out and taken back without another look. */
export const SessionDetail = Schema.Struct({
  database: Schema.String,
  sessions: Schema.fromJsonString(Schema.Array(Row)),
  to: Schema.fromJsonString(Place),
  /** The project that they go to, where the database does not know it yet. */
  project: Schema.optionalKey(Schema.fromJsonString(NewProject))
})
export type SessionDetail = typeof SessionDetail.Type

const encode = Schema.encodeSync(SessionDetail)

/** The edit that makes sessions live in another directory. */
export const sessionEdit = (detail: SessionDetail): Edit => ({ kind: sessionKind, detail: encode(detail) })

/** Whether two rows say the same of where their sessions live. */
export const isSamePlace = (a: Place, b: Place): boolean => a.directory === b.directory && a.project === b.project && a.path === b.path

/** The project of what is under no version control. */
export const globalProject = "global"

/** Host and path of a remote repository, however its URL is spelt; null for one that is of this machine. */
const repositoryOf = (url: string): string | null => {
  const text = url.trim()
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed?.protocol === "file:") return null
  const short = parsed === null ? /^(?:[^@/:]+@)?([^/:]+):(.+)$/.exec(text) : null
  const host = parsed?.hostname ?? short?.[1] ?? ""
  const path = (parsed?.pathname ?? short?.[2] ?? "").replace(/^\/+/, "").replace(/\.git\/?$/, "").replace(/\/+$/, "")
  return host === "" || path === "" ? null : `${host.toLowerCase()}/${path}`
}

/** The text whose SHA-1 is the id of a project with this remote; null where the remote does not make one. */
export const remoteKey = (url: string): string | null => {
  const repository = repositoryOf(url)
  return repository === null ? null : `git-remote:${repository}`
}

/** What git says of a working tree. */
export interface WorkTree {
  readonly top: string
  /** The id that OpenCode left in the repository when it was last there. */
  readonly left: string | null
  /** Made of the remote's URL. */
  readonly remote: string | null
  readonly rootCommits: ReadonlyArray<string>
}

/**
 * The project of a directory: OpenCode takes the sessions of an id that it left in a repository along when it gives that
 * repository another one, so that id is as good as the one it would choose.
 */
export const projectOf = (tree: WorkTree | null): string =>
  tree?.left ?? tree?.remote ?? tree?.rootCommits.toSorted()[0] ?? globalProject

/** The top of a project: of what is under no version control it is the root. */
export const worktreeOf = (tree: WorkTree | null): string => tree?.top ?? "/"

/** A directory as seen from the top of its project. */
export const subdirectory = (top: string, directory: string): string => {
  const above = top === "/" ? "/" : `${top}/`
  return directory.startsWith(above) ? directory.slice(above.length) : ""
}

/** A move of a session of OpenCode: it is rows of the database, and no file. */
export const relocation = (sessionId: string, edits: ReadonlyArray<Edit>): Plan =>
  ({ cli: "opencode", sessionId, pieces: [], lineFiles: [], tidy: [], edits })
