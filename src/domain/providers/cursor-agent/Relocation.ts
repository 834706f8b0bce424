import type { Plan } from "../../store/relocation/Plan.ts"
import { parentOf } from "../../words/text/paths.ts"

/** The parameters of a move. Cursor Agent names a project by the MD5 of its directory, in hex. */
export interface CursorAgentMove {
  /** Where the chat's directory was found: Cursor may have hashed a parent of the recorded working directory. */
  readonly chat: string
  readonly sessionId: string
  readonly toHash: string
}

export const relocation = ({ chat, sessionId, toHash }: CursorAgentMove): Plan => {
  const project = parentOf(chat)
  const destination = `${parentOf(project)}/${toHash}/${sessionId}`
  return {
    cli: "cursor-agent",
    sessionId,
    pieces: chat === destination ? [] : [{ kind: "tree", from: chat, to: destination, optional: false }],
    // Its store is a database, so no file grows by lines.
    lineFiles: [],
    tidy: chat === destination ? [] : [project],
    edits: []
  }
}
