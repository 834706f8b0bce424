import { idIn, ownPath, type ResumeProtocol } from "../../cli/provider/ResumeProtocol.ts"
import { fieldsOf, textOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { slugIn, slugOf } from "./Relocation.ts"
import { claudeDirectory } from "./Identity.ts"

/** The first working directory in the records; skips lines that are not records (a cut-off line, for example). */
const firstCwd = (head: string): string | null => {
  for (const line of head.split("\n")) {
    const cwd = line.includes('"cwd"') ? textOf(fieldsOf(jsonOf(line))["cwd"]) : null
    if (cwd !== null) return cwd
  }
  return null
}

/** Claude Code resumes in any directory. The transcript stays in the folder of the session's first directory. */
export const claudeResume: ResumeProtocol = {
  args: (sessionId) => [`--resume=${sessionId}`],
  sessionIdOf: ({ payload, transcriptPath }) =>
    idIn(payload, ["session_id"]) ??
    /\/\.claude\/projects\/[^/]+\/([^/]+)\.jsonl$/.exec(transcriptPath ?? "")?.[1] ??
    null,
  boundToDirectory: false,
  staysInDirectory: false,
  // For a session resumed in another directory, the first reported path is wrong: it names that directory's folder.
  evidence: (env, session) => {
    const root = `${claudeDirectory(env)}/projects`
    return {
      root,
      places: [...ownPath(session), { kind: "below", directory: root, name: `${session.sessionId}.jsonl` }]
    }
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
