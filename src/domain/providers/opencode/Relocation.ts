import { Schema } from "effect"
import { editsOf } from "../../store/relocation/Edits.ts"

/** The fields of a row about its session's directory. An older database has no `path`. */
const Place = Schema.Struct({
  directory: Schema.String,
  project: Schema.String,
  path: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Place = typeof Place.Type

const Row = Schema.Struct({ id: Schema.String, from: Place })
export type Row = typeof Row.Type

/** A project as OpenCode creates it at its first start in the directory. Times are milliseconds since the epoch. */
const NewProject = Schema.Struct({
  id: Schema.String,
  worktree: Schema.String,
  vcs: Schema.NullOr(Schema.String),
  time: Schema.Finite
})
export type NewProject = typeof NewProject.Type

/** The rows before and after the move, so that an edit can be applied and reverted without a new inspection. */
const SessionDetail = Schema.Struct({
  database: Schema.String,
  sessions: Schema.fromJsonString(Schema.Array(Row)),
  to: Schema.fromJsonString(Place),
  project: Schema.optionalKey(Schema.fromJsonString(NewProject))
})
export type SessionDetail = typeof SessionDetail.Type

export const sessionEdits = editsOf("opencode.session", SessionDetail)

export const isSamePlace = (a: Place, b: Place): boolean =>
  a.directory === b.directory && a.project === b.project && a.path === b.path

export const globalProject = "global"

/** Host and path of a remote repository, from any form of its URL; null: a repository on this machine. */
const repositoryOf = (url: string): string | null => {
  const text = url.trim()
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed?.protocol === "file:") return null
  const scpForm = parsed === null ? /^(?:[^@/:]+@)?([^/:]+):(.+)$/.exec(text) : null
  const host = parsed?.hostname ?? scpForm?.[1] ?? ""
  const path = (parsed?.pathname ?? scpForm?.[2] ?? "")
    .replace(/^\/+/, "")
    .replace(/\.git\/?$/, "")
    .replace(/\/+$/, "")
  return host === "" || path === "" ? null : `${host.toLowerCase()}/${path}`
}

/** The text whose SHA-1 is the id of a project with this remote; null: the remote makes no project. */
export const remoteKey = (url: string): string | null => {
  const repository = repositoryOf(url)
  return repository === null ? null : `git-remote:${repository}`
}

export interface WorkTree {
  readonly top: string
  /** The id that OpenCode stored in the repository at its last visit. */
  readonly storedId: string | null
  readonly remote: string | null
  readonly rootCommits: ReadonlyArray<string>
}

/** A directory's project. Any stored id is good: a change of the id moves the old one's sessions along. */
export const projectOf = (tree: WorkTree | null): string =>
  tree?.storedId ?? tree?.remote ?? tree?.rootCommits.toSorted()[0] ?? globalProject

export const worktreeOf = (tree: WorkTree | null): string => tree?.top ?? "/"

export const subdirectory = (top: string, directory: string): string => {
  const above = top === "/" ? "/" : `${top}/`
  return directory.startsWith(above) ? directory.slice(above.length) : ""
}
