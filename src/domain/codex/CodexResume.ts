import { idIn, ownPath, type ResumeProtocol } from "../sessions/ResumeProtocol.ts"
import { fieldsOf, textOf } from "../usage/Fields.ts"
import { jsonOf } from "../usage/InputHistory.ts"

const rollout = /\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-[^/]+\.jsonl$/
const isRollout = (path: string | null): boolean => path !== null && rollout.test(path)

/** What the first line of a rollout says of its session. */
const metaOf = (head: string) => {
  const { payload, type } = fieldsOf(jsonOf(head.split("\n", 1)[0] ?? ""))
  return type === "session_meta" ? fieldsOf(payload) : {}
}

/** Codex goes on with a session in any directory, and asks in which unless it is told. */
export const codexResume: ResumeProtocol = {
  args: (sessionId, cwd) => ["-C", cwd, "resume", sessionId],
  sessionIdOf: ({ head, payload, transcriptPath }) =>
    idIn(payload, ["session_id"]) ?? (isRollout(transcriptPath) ? textOf(metaOf(head)["id"]) : null),
  boundToDirectory: false,
  staysInDirectory: false,
  // an archived session's rollout lies in another folder, and comes back from there
  evidence: (env, session) => {
    const home = env["CODEX_HOME"] || `${env["HOME"] ?? ""}/.codex`
    const name = session.transcriptPath?.split("/").at(-1)
    return {
      root: `${home}/sessions`,
      places: [...ownPath(session), ...name === undefined ? [] : [{ kind: "path", path: `${home}/archived_sessions/${name}` } as const]]
    }
  },
  healing: {
    reads: (_, { transcriptPath }) => isRollout(transcriptPath) ? transcriptPath : null,
    healCwd: (head, { cwd, transcriptPath }) => isRollout(transcriptPath) ? textOf(metaOf(head)["cwd"]) ?? cwd : cwd
  }
}
