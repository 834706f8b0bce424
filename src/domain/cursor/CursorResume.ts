import { idIn, type ResumeProtocol } from "../sessions/ResumeProtocol.ts"

/** Cursor Agent looks a chat up in the folder of its directory, or of a directory above that. */
export const cursorResume: ResumeProtocol = {
  args: (sessionId) => ["--resume", sessionId],
  sessionIdOf: ({ payload, transcriptPath }) =>
    idIn(payload, ["conversation_id", "chatId", "chat_id", "session_id"]) ??
      /\/\.cursor\/(?:.*\/)?chats\/[^/]+\/([^/]+?)(?:\.jsonl)?(?:\/|$)/.exec(transcriptPath ?? "")?.[1] ?? null,
  boundToDirectory: true,
  staysInDirectory: false,
  // its transcript, where it names one at all, is not what it goes on from
  evidence: (env, { sessionId }) => {
    const root = `${env["HOME"] ?? ""}/.cursor/chats`
    return { root, places: [{ kind: "below", directory: root, name: sessionId }] }
  },
  healing: null
}
