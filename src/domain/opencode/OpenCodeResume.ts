import { fieldsOf } from "../usage/Fields.ts"
import { idIn, type ResumeProtocol } from "../sessions/ResumeProtocol.ts"

/** OpenCode keeps all sessions in one database, and goes on with each in its own directory. */
export const opencodeResume: ResumeProtocol = {
  args: (sessionId) => ["-s", sessionId],
  sessionIdOf: ({ payload }) => idIn(payload, ["sessionID"]) ?? idIn(fieldsOf(payload)["info"], ["id"]),
  boundToDirectory: false,
  staysInDirectory: true,
  // a session is rows of the database: that it is gone shows only with all the others
  evidence: (env) => {
    const root = env["XDG_DATA_HOME"] || `${env["HOME"] ?? ""}/.local/share`
    return { root, places: [{ kind: "path", path: `${root}/opencode/opencode.db` }] }
  },
  healing: null
}
