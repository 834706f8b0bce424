import { parentOf } from "../relocation/Names.ts"
import type { Edit, Plan } from "../relocation/Plan.ts"

/** Where a chat is moved. Cursor Agent names a project after the MD5 of its directory, in hex; the caller computes it. */
export interface CursorMove {
  /** The chat's directory as it was found: Cursor may have hashed a parent of the recorded working directory. */
  readonly chat: string
  readonly sessionId: string
  /** MD5 of the working directory to which it moves. */
  readonly toHash: string
  readonly edits: ReadonlyArray<Edit>
}

/** Moves the chat's directory; its project's goes when that leaves it empty. */
export const relocation = ({ chat, edits, sessionId, toHash }: CursorMove): Plan => {
  const project = parentOf(chat)
  const destination = `${parentOf(project)}/${toHash}/${sessionId}`
  return {
    cli: "cursor-agent",
    sessionId,
    pieces: chat === destination ? [] : [{ kind: "tree", from: chat, to: destination, optional: false }],
    // Its store is a database: no file grows by lines.
    lineFiles: [],
    tidy: chat === destination ? [] : [project],
    edits
  }
}
