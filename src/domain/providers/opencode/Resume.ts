import { fieldsOf } from "../../words/reading/Fields.ts"
import { idIn, type ResumeProtocol } from "../../cli/provider/ResumeProtocol.ts"
import { absolute } from "../../words/text/paths.ts"

type Env = Readonly<Record<string, string>>

const dataRoot = (env: Env): string => env["XDG_DATA_HOME"] || `${env["HOME"] ?? ""}/.local/share`

/** The database in which OpenCode keeps all sessions; null: it keeps them only in memory. */
export const databaseOf = (env: Env): string | null => {
  const data = `${dataRoot(env)}/opencode`
  const configured = env["OPENCODE_DB"]
  if (configured === undefined || configured === "") return `${data}/opencode.db`
  return configured === ":memory:" ? null : absolute(data, configured)
}

/** OpenCode keeps all sessions in one database, and resumes each in its own directory. */
export const opencodeResume: ResumeProtocol = {
  args: (sessionId) => ["-s", sessionId],
  sessionIdOf: ({ payload }) => idIn(payload, ["sessionID"]) ?? idIn(fieldsOf(payload)["info"], ["id"]),
  boundToDirectory: false,
  staysInDirectory: true,
  // A session consists of database rows, so only the loss of the whole database is detectable.
  evidence: (env) => {
    const path = databaseOf(env)
    return { root: dataRoot(env), places: path === null ? [] : [{ kind: "path", path }] }
  },
  healing: null
}
