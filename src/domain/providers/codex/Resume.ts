import { idIn, ownPath, type ResumeProtocol } from "../../cli/provider/ResumeProtocol.ts"
import { fieldsOf, textOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { codexHome } from "./Identity.ts"

const rollout = /\/sessions\/\d{4}\/\d\d\/\d\d\/rollout-[^/]+\.jsonl$/
const isRollout = (path: string | null): boolean => path !== null && rollout.test(path)

const metaOf = (head: string) => {
  const { payload, type } = fieldsOf(jsonOf(head.split("\n", 1)[0] ?? ""))
  return type === "session_meta" ? fieldsOf(payload) : {}
}

/** Codex resumes a session in any directory, and asks for the directory unless it is given. */
export const codexResume: ResumeProtocol = {
  args: (sessionId, cwd) => ["-C", cwd, "resume", sessionId],
  sessionIdOf: ({ head, payload, transcriptPath }) =>
    idIn(payload, ["session_id"]) ?? (isRollout(transcriptPath) ? textOf(metaOf(head)["id"]) : null),
  boundToDirectory: false,
  staysInDirectory: false,
  // The rollout of an archived session is in another folder, from which Codex restores it.
  evidence: (env, session) => {
    const home = codexHome(env)
    const name = session.transcriptPath?.split("/").at(-1)
    return {
      root: `${home}/sessions`,
      places: [
        ...ownPath(session),
        ...(name === undefined ? [] : [{ kind: "path", path: `${home}/archived_sessions/${name}` } as const])
      ]
    }
  },
  healing: {
    reads: (_, { transcriptPath }) => (isRollout(transcriptPath) ? transcriptPath : null),
    healCwd: (head, { cwd, transcriptPath }) => (isRollout(transcriptPath) ? (textOf(metaOf(head)["cwd"]) ?? cwd) : cwd)
  }
}
