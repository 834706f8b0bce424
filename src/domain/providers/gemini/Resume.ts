import { idIn, ownPath, type ResumeProtocol } from "../../cli/provider/ResumeProtocol.ts"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { geminiHome } from "./Identity.ts"

const slugIn = (transcriptPath: string | null): string | null =>
  /\/\.gemini\/tmp\/([^/]+)\/chats\//.exec(transcriptPath ?? "")?.[1] ?? null

/** The characters at a file's start that certainly contain its id, even in the older form of one document. */
const headerLength = 4096

/** Gemini CLI looks for a session only in the folder of its directory's project. */
export const geminiResume: ResumeProtocol = {
  args: (sessionId) => ["--resume", sessionId],
  sessionIdOf: ({ head, payload, transcriptPath }) =>
    idIn(payload, ["session_id", "sessionId"]) ??
    (transcriptPath?.includes("/.gemini/") === true
      ? (/"sessionId"\s*:\s*"([^"]+)"/.exec(head.slice(0, headerLength))?.[1] ?? null)
      : null),
  boundToDirectory: true,
  staysInDirectory: false,
  evidence: (env, session) => ({
    root: `${geminiHome(env)}/tmp`,
    // A resumed session of an older version is written in the current format.
    places: [
      ...ownPath(session),
      ...(session.transcriptPath?.endsWith(".json") === true
        ? [{ kind: "path", path: `${session.transcriptPath}l` } as const]
        : [])
    ]
  }),
  healing: {
    reads: (env, { transcriptPath }) => (slugIn(transcriptPath) === null ? null : `${geminiHome(env)}/projects.json`),
    healCwd: (registry, { cwd, transcriptPath }) => {
      const slug = slugIn(transcriptPath)
      const owners = Object.entries(fieldsOf(fieldsOf(jsonOf(registry))["projects"])).flatMap(([owner, folder]) =>
        folder === slug ? [owner] : []
      )
      const [owner, ...more] = owners
      return slug === null || owner === undefined || more.length > 0 || owners.includes(cwd) ? cwd : owner
    }
  }
}
