import { Result, Schema } from "effect"
import { editsOf } from "../../store/relocation/Edits.ts"
import { parse } from "../../words/formats/TomlEdit.ts"
import { absolute } from "../../words/text/paths.ts"

type Env = Readonly<Record<string, string>>

/** The directory in the list before and after the move: the edit is applied and reverted without another inspection. */
const ThreadDetail = Schema.Struct({
  database: Schema.String,
  thread: Schema.String,
  from: Schema.String,
  to: Schema.String
})
export type ThreadDetail = typeof ThreadDetail.Type

export const threadEdits = editsOf("codex.threads", ThreadDetail)

/** Directories that may hold Codex's databases, the most likely first: its settings come before its environment. */
export const databaseFolders = (env: Env, home: string, config: string | null): ReadonlyArray<string> => {
  const settings = config === null ? null : parse(config)
  const configured = settings !== null && Result.isSuccess(settings) ? settings.success.value["sqlite_home"] : undefined
  const folders = [configured, env["CODEX_SQLITE_HOME"]].filter(
    (folder): folder is string => typeof folder === "string" && folder !== ""
  )
  return [...new Set([...folders.map((folder) => absolute(home, folder)), home])]
}

/** The current Codex's list of sessions: the database with the highest schema version. */
export const stateDatabase = (names: ReadonlyArray<string>): string | null => {
  const numbered = names.flatMap((name) => {
    const number = /^state_(\d{1,6})\.sqlite$/.exec(name)?.[1]
    return number === undefined ? [] : [{ name, number: Number(number) }]
  })
  return numbered.toSorted((a, b) => b.number - a.number)[0]?.name ?? null
}

export const writerLock = (home: string, sessionId: string): string => `${home}/thread-writer-locks/${sessionId}.lock`

export const isRolloutOf = (name: string, sessionId: string): boolean =>
  name.startsWith("rollout-") && name.endsWith(`-${sessionId}.jsonl`)
