import { idIn, type ResumeProtocol } from "../../cli/provider/ResumeProtocol.ts"

/** Cursor Agent looks for a chat in the folder of its directory, or of a parent. */
export const cursorAgentResume: ResumeProtocol = {
  args: (sessionId) => ["--resume", sessionId],
  sessionIdOf: ({ payload, transcriptPath }) =>
    idIn(payload, ["conversation_id", "chatId", "chat_id", "session_id"]) ??
    /\/\.cursor\/(?:.*\/)?chats\/[^/]+\/([^/]+?)(?:\.jsonl)?(?:\/|$)/.exec(transcriptPath ?? "")?.[1] ??
    null,
  boundToDirectory: true,
  staysInDirectory: false,
  // Resuming does not use a transcript, even if one is named.
  evidence: (env, { sessionId }) => {
    const root = `${env["HOME"] ?? ""}/.cursor/chats`
    return { root, places: [{ kind: "below", directory: root, name: sessionId }] }
  },
  healing: null
}
