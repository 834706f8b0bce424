import { Effect, Schema } from "effect"
import { openText } from "../../../domain/store/relocation/openFiles.ts"
import { editsAlone } from "../../../domain/store/relocation/Edits.ts"
import * as Move from "../../../domain/providers/codex/Relocation.ts"
import { codexHome } from "../../../domain/providers/codex/Identity.ts"
import { OpenFiles } from "../../../services/OpenFiles.ts"
import type { RelocationFilesService } from "../../../services/RelocationFiles.ts"
import type { RelocationProtocol } from "../../../services/RelocationProtocol.ts"
import { columnsOf, type Database, editing, readOnly, Unchangeable } from "../databaseEdits.ts"
import { isThere, namesIn, planning } from "../edits.ts"
import { absolute } from "../../../domain/words/text/paths.ts"

/** The required columns of the current version's list; other database forms lack some. */
const columns = ["id", "cwd", "rollout_path"]

const hasThreads = (database: Database): boolean =>
  columns.every((name) => columnsOf(database, "threads").includes(name))

const directoryIn = (database: Database, id: string): string | null => {
  const cwd = database.rows("SELECT cwd FROM threads WHERE id = ?", id)[0]?.["cwd"]
  return typeof cwd === "string" ? cwd : null
}

/** The session in the first database that has it; null: none has it in the known form. */
const threadIn = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  folders: ReadonlyArray<string>,
  id: string
) {
  for (const folder of folders) {
    const name = Move.stateDatabase(yield* namesIn(files, folder))
    if (name === null) continue
    const database = `${folder}/${name}`
    const found = yield* readOnly(database, (db) => {
      const row = hasThreads(db) ? db.rows("SELECT cwd, rollout_path FROM threads WHERE id = ?", id)[0] : undefined
      return typeof row?.["cwd"] === "string"
        ? { database, cwd: row["cwd"], rollout: String(row["rollout_path"]) }
        : null
    })
    if (found !== null) return found
  }
  return null
})

const rolloutBelow = Effect.fnUntraced(function* (files: RelocationFilesService, sessions: string, id: string) {
  let folders: ReadonlyArray<string> = [sessions]
  for (let depth = 0; depth < 3; depth++) {
    folders = (yield* Effect.forEach(folders, (folder) =>
      Effect.map(namesIn(files, folder), (names) => names.map((name) => `${folder}/${name}`))
    )).flat()
  }
  for (const folder of folders.toReversed()) {
    if ((yield* namesIn(files, folder)).some((name) => Move.isRolloutOf(name, id))) return true
  }
  return false
})

const decodePid = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ pid: Schema.Int })))

/** The server that keeps sessions loaded after their terminals are gone: its open files are not in use. */
const serverPid = (files: RelocationFilesService, home: string) =>
  files.read(`${home}/app-server-daemon/daemon.pid`).pipe(
    Effect.flatMap((text) => decodePid(text ?? "")),
    Effect.match({ onSuccess: ({ pid }) => pid, onFailure: () => null })
  )

const runners = Effect.fnUntraced(function* (files: RelocationFilesService, home: string, id: string) {
  const lock = yield* files.stat(Move.writerLock(home, id))
  if (lock === null) return []
  const { holders } = yield* OpenFiles
  const server = yield* serverPid(files, home)
  return (yield* holders([lock.stamp]))?.filter((pid) => pid !== server) ?? null
})

const plan = planning("Codex.plan")(function* ({ env, files, from, refuse, session, to }) {
  const { sessionId, transcriptPath } = session
  const home = absolute(from, codexHome(env))
  const config = yield* files.read(`${home}/config.toml`)
  const thread = yield* threadIn(files, Move.databaseFolders(env, home, config), sessionId)
  const recordedPaths = [transcriptPath, thread?.rollout ?? null].filter((path) => path !== null)
  const places = [
    ...recordedPaths,
    ...recordedPaths.map((path) => `${home}/archived_sessions/${path.split("/").at(-1)}`)
  ]
  const found = yield* Effect.findFirst(places, (path) => isThere(files, path, "file"))
  if (found._tag === "None" && !(yield* rolloutBelow(files, `${home}/sessions`, sessionId))) {
    return yield* refuse(
      "source-missing",
      recordedPaths[0] ?? `${home}/sessions`,
      recordedPaths.length === 0
        ? "there is no rollout of it"
        : "there is no such rollout, nor another one of the session"
    )
  }
  const pids = yield* runners(files, home, sessionId)
  const isRun = pids !== null && pids.length > 0
  const why = isRun
    ? `process ${pids.join(", ")} goes on with the session at this moment: end it and try again`
    : openText(pids)
  if (why !== null) return yield* refuse("in-use", Move.writerLock(home, sessionId), why)
  // Codex also resumes without a list, in the directory that leap names.
  const edits =
    thread === null || thread.cwd === to
      ? []
      : [Move.threadEdits.edit({ database: thread.database, thread: sessionId, from: thread.cwd, to })]
  return { plan: editsAlone("codex", sessionId, edits), transcriptPath: null }
})

const applyTo = (database: Database, { from, thread, to }: Move.ThreadDetail): void => {
  const now = directoryIn(database, thread)
  if (now === to) return
  if (now === null) throw new Unchangeable("the session is no longer in it")
  if (database.run("UPDATE threads SET cwd = ? WHERE id = ? AND cwd = ?", to, thread, from) !== 1) {
    throw new Unchangeable(`the session was moved to ${JSON.stringify(now)} meanwhile; try again`)
  }
}

const revertIn = (database: Database, { from, thread, to }: Move.ThreadDetail): void => {
  database.run("UPDATE threads SET cwd = ? WHERE id = ? AND cwd = ?", from, thread, to)
}

const edited = editing(Move.threadEdits)

/** Codex's sessions belong to no directory. Its list has the last directory of each, which `leap resume` names. */
export const protocol: RelocationProtocol = {
  plan,
  apply: edited("tell Codex where the session is", applyTo, false),
  revert: edited("undo the change for Codex", revertIn, true)
}
