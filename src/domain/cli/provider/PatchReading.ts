import type { ProposedFile } from "../../words/session/Proposal.ts"
import { linesOf } from "../../words/text/lineDiff.ts"

/** A file of an edit as its request has it: neither bounded nor masked. */
export type RawFile = Omit<ProposedFile, "added" | "removed">

const fileStart = /^\*\*\* (Add|Update|Delete) File: *(\S.*)$/
const moved = /^\*\*\* Move to: *(\S.*)$/
const kinds = { Add: "added", Update: "changed", Delete: "removed" } as const

/** The files of a `*** Begin Patch` patch with their lines, in order; none for any other text. */
export const patchFiles = (patch: string): ReadonlyArray<RawFile> => {
  const files: Array<RawFile & { lines: Array<string> }> = []
  for (const line of patch.split("\n")) {
    const [, verb, path = ""] = fileStart.exec(line) ?? []
    const file = files.at(-1)
    if (verb !== undefined) {
      const kind = kinds[verb as keyof typeof kinds]
      files.push({ path: path.trim(), from: null, kind, lines: kind === "removed" ? ["@ the whole file"] : [] })
    } else if (file !== undefined) {
      const to = moved.exec(line)?.[1]?.trim()
      if (to !== undefined) files[files.length - 1] = { ...file, path: to, from: file.path, kind: "renamed" }
      // The first place of a file is no gap.
      else if (line.startsWith("@@")) file.lines.push(...(line === "@@" && file.lines.length === 0 ? [] : [line]))
      else if (/^[-+ ]/.test(line)) file.lines.push(line)
      else if (line === "" && file.kind !== "added") file.lines.push(" ")
    }
  }
  return files.map((file) => ({ ...file, lines: file.lines.slice(0, file.lines.findLastIndex((l) => l !== " ") + 1) }))
}

/** The files of a unified diff, each with an `Index:` or `diff --git` line before it, or the only one, of `path`. */
export const diffFiles = (diff: string, path: string): ReadonlyArray<RawFile> => {
  // In a hunk each line begins with a sign.
  const parts = diff.split(/(?<![^\n])(?=Index: |diff --git )/).flatMap((part) => {
    const at = part.indexOf("\n@@ ")
    return at < 0 ? [] : [{ head: part.slice(0, at), hunks: part.slice(at + 1) }]
  })
  return parts.map(({ head, hunks }): RawFile => {
    const name = /^\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(head)?.[1] ?? path
    return {
      path: parts.length === 1 ? path : name,
      from: null,
      kind: hunks.startsWith("@@ -0,0 ") ? "added" : name === "/dev/null" ? "removed" : "changed",
      lines: linesOf(hunks).filter((line) => /^[-+ @]/.test(line))
    }
  })
}
