import { Result, Schema } from "effect"
import type { Edit, Plan } from "../relocation/Plan.ts"
import { absolute } from "../sessions/SessionRecord.ts"
import { parse } from "../TomlEdit.ts"

type Env = Readonly<Record<string, string>>

/** Says in Codex's own list of its sessions which directory a session is of. */
export const threadKind = "codex.threads"

/** What the list said and shall say, so that a change can be carried out and taken back without another look. */
export const ThreadDetail = Schema.Struct({
  database: Schema.String,
  thread: Schema.String,
  from: Schema.String,
  to: Schema.String
})
export type ThreadDetail = typeof ThreadDetail.Type

const encode = Schema.encodeSync(ThreadDetail)

/** The edit that makes a session one of another directory in Codex's list. */
export const threadEdit = (detail: ThreadDetail): Edit => ({ kind: threadKind, detail: encode(detail) })

/** Where Codex keeps what is the user's. */
export const codexHome = (env: Env): string => {
  const named = env["CODEX_HOME"]
  return named === undefined || named === "" ? `${env["HOME"] ?? ""}/.codex` : named.replace(/(?<=.)\/+$/, "")
}

/** Directories in which Codex's databases may be, the likeliest first: its settings come before its environment. */
export const databaseFolders = (env: Env, home: string, config: string | null): ReadonlyArray<string> => {
  const read = config === null ? null : parse(config)
  const configured = read !== null && Result.isSuccess(read) ? read.success.value["sqlite_home"] : undefined
  const named = [configured, env["CODEX_SQLITE_HOME"]].filter((folder): folder is string => typeof folder === "string" && folder !== "")
  return [...new Set([...named.map((folder) => absolute(home, folder)), home])]
}

/** Of these names the database that today's Codex lists its sessions in: each form of it has a number, and the newest counts. */
export const stateDatabase = (names: ReadonlyArray<string>): string | null => {
  const numbered = names.flatMap((name) => {
    const number = /^state_(\d{1,6})\.sqlite$/.exec(name)?.[1]
    return number === undefined ? [] : [{ name, number: Number(number) }]
  })
  return numbered.toSorted((a, b) => b.number - a.number)[0]?.name ?? null
}

/** The file that a process has locked for as long as it works with the session. */
export const writerLock = (home: string, sessionId: string): string => `${home}/thread-writer-locks/${sessionId}.lock`

/** Whether a file of this name is a rollout of the session. */
export const isRolloutOf = (name: string, sessionId: string): boolean => name.startsWith("rollout-") && name.endsWith(`-${sessionId}.jsonl`)

/** A move of a session of Codex: its files belong to no directory and stay. */
export const relocation = (sessionId: string, edits: ReadonlyArray<Edit>): Plan =>
  ({ cli: "codex", sessionId, pieces: [], lineFiles: [], tidy: [], edits })
