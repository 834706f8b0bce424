import { idIn, ownPath, type ResumeProtocol } from "../../cli/provider/ResumeProtocol.ts"
import { copilotHome } from "./Identity.ts"

/** Copilot keeps all sessions in one folder, and resumes each in the directory recorded in the session's own file. */
export const copilotResume: ResumeProtocol = {
  args: (sessionId) => [`--resume=${sessionId}`],
  sessionIdOf: ({ payload, transcriptPath }) =>
    idIn(payload, ["sessionId", "session_id"]) ??
    /\/session-state\/([^/]+)\/events\.jsonl$/.exec(transcriptPath ?? "")?.[1] ??
    null,
  boundToDirectory: false,
  staysInDirectory: true,
  evidence: (env, session) => {
    const root = `${copilotHome(env)}/session-state`
    return { root, places: [...ownPath(session), { kind: "path", path: `${root}/${session.sessionId}` }] }
  },
  healing: null
}
