import type { Plan } from "../../store/relocation/Plan.ts"

/** Java's hash of a string: 32 bits, over UTF-16 units. */
const textHash = (text: string): number => {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0
  return hash
}

const maxSlugLength = 200

/** The folder of a (real) working directory's sessions. Two working directories can share it. */
export const slugOf = (cwd: string): string => {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-")
  return slug.length <= maxSlugLength ? slug : `${slug.slice(0, maxSlugLength)}-${Math.abs(textHash(cwd)).toString(36)}`
}

export const slugIn = (transcriptPath: string | null): string | null =>
  /\/projects\/([^/]+)\/[^/]+\.jsonl$/.exec(transcriptPath ?? "")?.[1] ?? null

/** The directory of a working directory's transcripts. `home` is Claude's own directory. */
export const folderOf = (home: string, cwd: string): string => `${home}/projects/${slugOf(cwd)}`

/** The parameters of a move. `home` is Claude's own directory; `from` and `to` are real paths. */
export interface ClaudeMove {
  readonly home: string
  readonly sessionId: string
  readonly from: string
  readonly to: string
  /** The directory in which the transcript was found; by default that of `from`. */
  readonly folder?: string
}

/** Moves the transcript and the directory with the session's other files; an unchanged slug moves nothing. */
export const relocation = ({ from, home, sessionId, to, folder = folderOf(home, from) }: ClaudeMove): Plan => {
  const source = `${folder}/${sessionId}`
  const destination = `${folderOf(home, to)}/${sessionId}`
  return {
    cli: "claude",
    sessionId,
    pieces:
      source === destination
        ? []
        : [
            { kind: "file", from: `${source}.jsonl`, to: `${destination}.jsonl`, optional: false },
            { kind: "tree", from: source, to: destination, optional: true }
          ],
    lineFiles: [".jsonl"],
    tidy: [],
    edits: []
  }
}
