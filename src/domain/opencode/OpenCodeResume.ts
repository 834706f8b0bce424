import { fieldsOf } from "../usage/Fields.ts"
import { idIn, type ResumeProtocol } from "../sessions/ResumeProtocol.ts"
import { absolute } from "../sessions/SessionRecord.ts"

type Env = Readonly<Record<string, string>>

const dataRoot = (env: Env): string => env["XDG_DATA_HOME"] || `${env["HOME"] ?? ""}/.local/share`

/** The database that OpenCode keeps all sessions in; null where it keeps them in memory alone. */
export const databaseOf = (env: Env): string | null => {
  const data = `${dataRoot(env)}/opencode`
  const named = env["OPENCODE_DB"]
  if (named === undefined || named === "") return `${data}/opencode.db`
  return named === ":memory:" ? null : absolute(data, named)
}

/** OpenCode keeps all sessions in one database, and goes on with each in its own directory. */
export const opencodeResume: ResumeProtocol = {
  args: (sessionId) => ["-s", sessionId],
  sessionIdOf: ({ payload }) => idIn(payload, ["sessionID"]) ?? idIn(fieldsOf(payload)["info"], ["id"]),
  boundToDirectory: false,
  staysInDirectory: true,
  // a session is rows of the database: that it is gone shows only with all the others
  evidence: (env) => {
    const path = databaseOf(env)
    return { root: dataRoot(env), places: path === null ? [] : [{ kind: "path", path }] }
  },
  healing: null
}
