import { idIn, ownPath, type ResumeProtocol } from "../sessions/ResumeProtocol.ts"
import { fieldsOf, textOf } from "../usage/Fields.ts"
import { jsonOf } from "../usage/InputHistory.ts"
import { slugOf } from "./ClaudeRelocation.ts"
import { claudeDirectory } from "./ClaudeWiring.ts"

/** The first directory that a record of the transcript names. A line that is no record (one that was cut off, say) says nothing. */
const firstCwd = (head: string): string | null => {
  for (const line of head.split("\n")) {
    const cwd = line.includes("\"cwd\"") ? textOf(fieldsOf(jsonOf(line))["cwd"]) : null
    if (cwd !== null) return cwd
  }
  return null
}

/** Claude Code goes on with a session in any directory; the transcript stays in the folder of the directory it was started in. */
export const claudeResume: ResumeProtocol = {
  args: (sessionId) => [`--resume=${sessionId}`],
  sessionIdOf: ({ payload, transcriptPath }) =>
    idIn(payload, ["session_id"]) ?? /\/\.claude\/projects\/[^/]+\/([^/]+)\.jsonl$/.exec(transcriptPath ?? "")?.[1] ?? null,
  boundToDirectory: false,
  staysInDirectory: false,
  // the path of a session's start can be wrong: resumed in another directory, it is first told with that one's folder
  evidence: (env, session) => {
    const root = `${claudeDirectory(env)}/projects`
    return { root, places: [...ownPath(session), { kind: "below", directory: root, name: `${session.sessionId}.jsonl` }] }
  },
  healing: {
    reads: (_, { cwd, transcriptPath }) => {
      const slug = slugIn(transcriptPath)
      return slug === null || slug === slugOf(cwd) ? null : transcriptPath
    },
    healCwd: (head, { cwd, transcriptPath }) => {
      const slug = slugIn(transcriptPath)
      const first = slug === null || slug === slugOf(cwd) ? null : firstCwd(head)
      return first !== null && slugOf(first) === slug ? first : cwd
    }
  }
}

const slugIn = (transcriptPath: string | null): string | null => /\/projects\/([^/]+)\/[^/]+\.jsonl$/.exec(transcriptPath ?? "")?.[1] ?? null
