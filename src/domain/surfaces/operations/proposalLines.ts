import { shownName } from "../../store/worktrees/changesText.ts"
import type { PatchLine } from "../../store/worktrees/patchLines.ts"
import type { Proposal, ProposedEdit, ProposedFile } from "../../words/session/Proposal.ts"
import { printable } from "../../words/text/printable.ts"

const kinds: Readonly<Record<string, PatchLine["kind"]>> = { "+": "added", "-": "removed", " ": "same" }

/**
 * The lines of a proposed file as those of a patch, for whoever draws patches. Their numbers are not the file's, which
 * few requests say: they only tell the lines apart.
 */
export const proposalLines = ({ lines }: Pick<ProposedFile, "lines">): ReadonlyArray<PatchLine> =>
  lines.map((text, n): PatchLine => {
    const kind = kinds[text[0] ?? ""]
    if (kind === undefined) return { kind: "hunk", text: text.replace(/^@ ?(?!@)/, "") || "⋯", at: null, was: null }
    return { kind, text, at: n + 1, was: kind === "added" ? null : n + 1 }
  })

/** What of an edit is left out; null if nothing is. */
export const leftOut = ({ unlisted, unshown }: Pick<ProposedEdit, "unlisted" | "unshown">): string | null => {
  const left = [
    ...(unshown === 0 ? [] : [`${unshown} more ${unshown === 1 ? "line" : "lines"}`]),
    ...(unlisted === 0 ? [] : [`${unlisted} more ${unlisted === 1 ? "file" : "files"}`])
  ]
  return left.length === 0 ? null : `… and ${left.join(" and ")} left out`
}

/** The name of a proposed file, with its former name and how many lines it gains and loses. */
export const proposedName = ({ added, from, path, removed }: ProposedFile): string =>
  `${from === null ? "" : `${shownName(from)} → `}${shownName(path)} +${added} −${removed}`

/** All that a dialog asks for, as lines for a terminal. They may be longer than its width. */
export const proposalText = ({ command, edit }: Proposal): ReadonlyArray<string> =>
  [
    ...(command === null ? [] : command.split("\n").map((line) => `  ${line}`)),
    ...(edit?.files ?? []).flatMap((file) => [proposedName(file), ...proposalLines(file).map(({ text }) => text)]),
    ...(edit === null ? [] : [leftOut(edit) ?? []].flat())
  ].map(printable)
