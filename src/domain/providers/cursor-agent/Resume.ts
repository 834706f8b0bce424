import { idIn, type ResumeProtocol } from "../../places/sessions/ResumeProtocol.ts"

/** Cursor Agent looks for a chat in the folder of its directory, or of a directory above it. */
export const cursorAgentResume: ResumeProtocol = {
  args: (sessionId) => ["--resume", sessionId],
  sessionIdOf: ({ payload, transcriptPath }) =>
    idIn(payload, ["conversation_id", "chatId", "chat_id", "session_id"]) ??
    /\/\.cursor\/(?:.*\/)?chats\/[^/]+\/([^/]+?)(?:\.jsonl)?(?:\/|$)/.exec(transcriptPath ?? "")?.[1] ??
    null,
  boundToDirectory: true,
  staysInDirectory: false,
  // A transcript, where one is named at all, is not used to resume.
  evidence: (env, { sessionId }) => {
    const root = `${env["HOME"] ?? ""}/.cursor/chats`
    return { root, places: [{ kind: "below", directory: root, name: sessionId }] }
  },
  healing: null
}
