import { Clock, Effect } from "effect"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import * as path from "node:path"
import { stringOf } from "../../../domain/words/reading/Fields.ts"
import { editsAlone } from "../../../domain/store/relocation/Edits.ts"
import * as Move from "../../../domain/providers/opencode/Relocation.ts"
import { databaseOf } from "../../../domain/providers/opencode/Resume.ts"
import type { RelocationFilesService } from "../../../services/RelocationFiles.ts"
import type { RelocationProtocol } from "../../../services/RelocationProtocol.ts"
import { columnsOf, type Database, editing, readOnly, Unchangeable } from "../databaseEdits.ts"
import { isThere, planning } from "../edits.ts"

type Env = Readonly<Record<string, string>>

/** Milliseconds. A repository on a disk that does not respond is treated as none. */
const gitTimeout = 10_000

const git = (cwd: string, env: Env, args: ReadonlyArray<string>): Effect.Effect<string | null> =>
  Effect.callback((resume) => {
    const child = execFile("git", [...args], { cwd, env, timeout: gitTimeout, maxBuffer: 1 << 20 }, (error, out) =>
      resume(Effect.succeed(error === null ? out : null))
    )
    return Effect.sync(() => child.kill())
  })

const lines = (text: string | null): ReadonlyArray<string> => (text ?? "").split("\n").filter((line) => line !== "")

/** The working tree of a directory, as OpenCode determines it. */
const treeOf = Effect.fnUntraced(function* (files: RelocationFilesService, directory: string, env: Env) {
  const [top, common] = lines(yield* git(directory, env, ["rev-parse", "--show-toplevel", "--git-common-dir"]))
  if (top === undefined || common === undefined) return null
  const left = yield* files
    .read(path.resolve(directory, common, "opencode"))
    .pipe(Effect.catch(() => Effect.succeed(null)))
  const key = Move.remoteKey((yield* git(top, env, ["remote", "get-url", "origin"])) ?? "")
  return {
    top: path.resolve(directory, top),
    storedId: left?.trim() || null,
    remote: key === null ? null : createHash("sha1").update(key).digest("hex"),
    rootCommits: lines(yield* git(top, env, ["rev-list", "--max-parents=0", "HEAD"]))
  } satisfies Move.WorkTree
})

const needed = {
  session: ["id", "project_id", "parent_id", "directory"],
  project: ["id", "worktree", "vcs", "time_created", "time_updated", "sandboxes"]
} as const

/** Why the database does not have the known form; null: it does. */
const schemaProblem = (database: Database): string | null => {
  for (const [table, names] of Object.entries(needed)) {
    const columns = columnsOf(database, table)
    const missing = names.find((name) => !columns.includes(name))
    if (missing !== undefined)
      return `it has no ${table}.${missing}: this OpenCode keeps its sessions in a form that leap does not know`
  }
  return null
}

const hasPath = (database: Database): boolean => columnsOf(database, "session").includes("path")

const placeOf = (row: Readonly<Record<string, unknown>>): Move.Place => ({
  directory: String(row["directory"]),
  project: String(row["project_id"]),
  ...(Object.hasOwn(row, "path") ? { path: stringOf(row["path"]) } : {})
})

const placeIn = (database: Database, id: string): Move.Place | null => {
  const row = database.rows(
    `SELECT directory, project_id${hasPath(database) ? ", path" : ""} FROM session WHERE id = ?`,
    id
  )[0]
  return row === undefined ? null : placeOf(row)
}

const familyIn = (database: Database, id: string): ReadonlyArray<Move.Row> =>
  database
    .rows(
      `WITH RECURSIVE family(id) AS
       (SELECT ? UNION SELECT session.id FROM session JOIN family ON session.parent_id = family.id)
     SELECT session.id, directory, project_id${hasPath(database) ? ", path" : ""} FROM session JOIN family USING (id)
     WHERE directory = (SELECT directory FROM session WHERE id = ?) ORDER BY session.id`,
      id,
      id
    )
    .map((row) => ({ id: String(row["id"]), from: placeOf(row) }))

const isInWorkspace = (database: Database, id: string): boolean =>
  columnsOf(database, "session").includes("workspace_id") &&
  database.rows("SELECT 1 FROM session WHERE id = ? AND workspace_id IS NOT NULL", id).length > 0

const hasProject = (database: Database, id: string): boolean =>
  database.rows("SELECT 1 FROM project WHERE id = ?", id).length > 0

const plan = planning("OpenCode.plan")(function* ({ env, files, refuse, session: { sessionId }, to }) {
  const database = databaseOf(env)
  if (database === null)
    return yield* refuse("source-missing", "", "OPENCODE_DB has OpenCode keep its sessions in memory alone")
  if (!(yield* isThere(files, database, "file")))
    return yield* refuse(
      "source-missing",
      database,
      "there is no such database: if it is elsewhere, XDG_DATA_HOME or OPENCODE_DB must say where"
    )
  const tree = yield* treeOf(files, to, env)
  const time = yield* Clock.currentTimeMillis
  const id = Move.projectOf(tree)
  const worktree = Move.worktreeOf(tree)
  const seen = yield* readOnly(database, (db) => {
    const problem = schemaProblem(db)
    return problem === null
      ? {
          family: familyIn(db, sessionId),
          isInWorkspace: isInWorkspace(db, sessionId),
          projectExists: hasProject(db, id),
          hasPath: hasPath(db)
        }
      : { strange: problem }
  })
  if ("strange" in seen) return yield* refuse("unreadable", database, seen.strange)
  const ownRow = seen.family.find((row) => row.id === sessionId)
  if (ownRow === undefined) return yield* refuse("source-missing", database, "it has no such session")
  if (seen.isInWorkspace)
    return yield* refuse(
      "in-use",
      database,
      "the session is one of a workspace of OpenCode's; take it out of that first"
    )
  const destination: Move.Place = {
    directory: to,
    project: id,
    ...(seen.hasPath ? { path: Move.subdirectory(worktree, to) } : {})
  }
  const project: Move.NewProject = {
    id,
    worktree,
    vcs: tree === null || id === Move.globalProject ? null : "git",
    time
  }
  const edits =
    ownRow.from.directory === to
      ? []
      : [
          Move.sessionEdits.edit({
            database,
            sessions: seen.family,
            to: destination,
            ...(seen.projectExists ? {} : { project })
          })
        ]
  return { plan: editsAlone("opencode", sessionId, edits), transcriptPath: null }
})

const setPlace = (database: Database, id: string, { directory, path, project }: Move.Place): void => {
  database.run("UPDATE session SET directory = ?, project_id = ? WHERE id = ?", directory, project, id)
  if (path !== undefined) database.run("UPDATE session SET path = ? WHERE id = ?", path, id)
}

const applyTo = (database: Database, { project, sessions, to }: Move.SessionDetail): void => {
  if (project !== undefined) {
    const { id, time, vcs, worktree } = project
    database.run(
      "INSERT INTO project (id, worktree, vcs, time_created, time_updated, sandboxes) " +
        "VALUES (?, ?, ?, ?, ?, '[]') ON CONFLICT (id) DO NOTHING",
      id,
      worktree,
      vcs,
      time,
      time
    )
  }
  for (const { from, id } of sessions) {
    const now = placeIn(database, id)
    if (now === null) throw new Unchangeable(`it has no session ${id} any more`)
    // OpenCode may have given the directory another project meanwhile.
    if (now.directory === to.directory) continue
    if (!Move.isSamePlace(now, from))
      throw new Unchangeable(`session ${id} was moved to ${JSON.stringify(now.directory)} meanwhile; try again`)
    setPlace(database, id, to)
  }
}

const revertIn = (database: Database, { project, sessions, to }: Move.SessionDetail): void => {
  for (const { from, id } of sessions) {
    if (placeIn(database, id)?.directory !== to.directory || from.directory === to.directory) continue
    // The project may have a new id by now, or be gone.
    setPlace(database, id, hasProject(database, from.project) ? from : { ...from, project: Move.globalProject })
  }
  if (project === undefined) return
  // A project that OpenCode has used meanwhile is no longer leap's to remove.
  database.run(
    "DELETE FROM project WHERE id = ? AND time_created = ? AND time_updated = ? " +
      "AND NOT EXISTS (SELECT 1 FROM session WHERE project_id = project.id)",
    project.id,
    project.time,
    project.time
  )
}

const edited = editing(Move.sessionEdits)

/** OpenCode's sessions are rows of its database. Each row names the directory in which the session is resumed. */
export const protocol: RelocationProtocol = {
  plan,
  apply: edited("tell OpenCode where the session is", applyTo, false),
  revert: edited("undo the change for OpenCode", revertIn, true)
}
