import { idIn, ownPath, type ResumeProtocol } from "../../../../src/domain/cli/provider/ResumeProtocol.ts"
import { toyHome } from "./Wiring.ts"

/** Toy goes on with a session in any directory. */
export const toyResume: ResumeProtocol = {
  args: (sessionId) => ["--session", sessionId],
  sessionIdOf: ({ payload }) => idIn(payload, ["session"]),
  boundToDirectory: false,
  staysInDirectory: false,
  evidence: (env, session) => {
    const root = `${toyHome(env)}/sessions`
    return { root, places: [...ownPath(session), { kind: "path", path: `${root}/${session.sessionId}` }] }
  },
  healing: null
}
