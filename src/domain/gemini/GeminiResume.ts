import { idIn, ownPath, type ResumeProtocol } from "../sessions/ResumeProtocol.ts"
import { fieldsOf } from "../usage/Fields.ts"
import { jsonOf } from "../usage/InputHistory.ts"

/** Where Gemini CLI keeps what is the user's. */
export const geminiHome = (env: Readonly<Record<string, string>>): string => `${env["GEMINI_CLI_HOME"] || (env["HOME"] ?? "")}/.gemini`

/** The project's folder that a session's file is in. */
const slugIn = (transcriptPath: string | null): string | null =>
  /\/\.gemini\/tmp\/([^/]+)\/chats\//.exec(transcriptPath ?? "")?.[1] ?? null

/** So much of a session's file holds its header, also in the older form of one document. */
const headerLength = 4096

/** Gemini CLI looks a session up in the folder of its directory's project, and nowhere else. */
export const geminiResume: ResumeProtocol = {
  args: (sessionId) => ["--resume", sessionId],
  sessionIdOf: ({ head, payload, transcriptPath }) =>
    idIn(payload, ["session_id", "sessionId"]) ??
      (transcriptPath?.includes("/.gemini/") === true ? /"sessionId"\s*:\s*"([^"]+)"/.exec(head.slice(0, headerLength))?.[1] ?? null : null),
  boundToDirectory: true,
  staysInDirectory: false,
  evidence: (env, session) => ({
    root: `${geminiHome(env)}/tmp`,
    // a session of an older version is written anew in the form of today when it goes on
    places: [...ownPath(session), ...session.transcriptPath?.endsWith(".json") === true ? [{ kind: "path", path: `${session.transcriptPath}l` } as const] : []]
  }),
  healing: {
    reads: (env, { transcriptPath }) => slugIn(transcriptPath) === null ? null : `${geminiHome(env)}/projects.json`,
    healCwd: (registry, { cwd, transcriptPath }) => {
      const slug = slugIn(transcriptPath)
      const owners = Object.entries(fieldsOf(fieldsOf(jsonOf(registry))["projects"])).flatMap(([owner, of]) => of === slug ? [owner] : [])
      const [owner, ...more] = owners
      return slug === null || owner === undefined || more.length > 0 || owners.includes(cwd) ? cwd : owner
    }
  }
}
