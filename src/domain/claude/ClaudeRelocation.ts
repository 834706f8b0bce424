import type { Edit, Plan } from "../relocation/Plan.ts"

/** A hash as Java has it for strings: 32 bits, over UTF-16 units. */
const textHash = (text: string): number => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0
  return hash
}

const longest = 200

/**
 * The name of the directory in which Claude Code keeps the sessions of a working directory (symbolic links resolved).
 * Different directories can have the same one.
 */
export const slugOf = (cwd: string): string => {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-")
  return slug.length <= longest ? slug : `${slug.slice(0, longest)}-${Math.abs(textHash(cwd)).toString(36)}`
}

/** Where the transcripts of a working directory's sessions are; `home` is Claude's own directory. */
export const folderOf = (home: string, cwd: string): string => `${home}/projects/${slugOf(cwd)}`

/** Where a session is moved: `home` is Claude's own directory, `from` and `to` are working directories with links resolved. */
export interface ClaudeMove {
  readonly home: string
  readonly sessionId: string
  readonly from: string
  readonly to: string
  /** The directory that the transcript was found in, where that need not be the one of `from`. */
  readonly folder?: string
  readonly edits: ReadonlyArray<Edit>
}

/**
 * Moves the transcript and the directory of the session's own files (subagents, results of tools) beside it. Where both
 * working directories have one slug nothing moves but the books.
 */
export const relocation = ({ edits, from, home, sessionId, to, folder = folderOf(home, from) }: ClaudeMove): Plan => {
  const source = `${folder}/${sessionId}`
  const destination = `${folderOf(home, to)}/${sessionId}`
  return {
    cli: "claude",
    sessionId,
    pieces: source === destination ? [] : [
      { kind: "file", from: `${source}.jsonl`, to: `${destination}.jsonl`, optional: false },
      { kind: "tree", from: source, to: destination, optional: true }
    ],
    lineFiles: [".jsonl"],
    tidy: [],
    edits
  }
}
