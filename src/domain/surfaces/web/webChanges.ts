import { type Changes, patchMost } from "../../store/worktrees/Changes.ts"
import { changesLine, shownName } from "../../store/worktrees/changesText.ts"
import { patchFile, splitPatch } from "../../store/worktrees/patchLines.ts"
import type { FoundAs } from "./Frames.ts"
import { plainText } from "./plainText.ts"

const nameMost = 4_096

/** The changes of a session as a page shows them: each file with its own patch. No text can reorder or hide others. */
export const webChanges = (changes: Changes): FoundAs<"Changes"> => {
  const { files, patch, unlisted, worktree } = changes
  const line = (text: string | null): string | null => (text === null ? null : plainText(text, 200))
  const patches = new Map<string, string>()
  for (const part of splitPatch(patch)) {
    const { name } = patchFile(part)
    // A file with a new type has two patches.
    patches.set(name, (patches.get(name) ?? "") + part)
  }
  return {
    _tag: "Changes",
    summary: plainText(changesLine(changes), 500),
    files: files.map((file) => {
      const its = patches.get(file.path)
      return {
        ...file,
        path: plainText(shownName(file.path), nameMost),
        from: file.from === null ? null : plainText(shownName(file.from), nameMost),
        patch: its === undefined ? null : plainText(its, patchMost)
      }
    }),
    unlisted,
    worktree: worktree === undefined ? null : { ...worktree, base: line(worktree.base), branch: line(worktree.branch) }
  }
}
