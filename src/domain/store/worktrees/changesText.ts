import { paint } from "../../words/wording/StateLine.ts"
import { printable } from "../../words/text/printable.ts"
import type { Changes } from "./Changes.ts"
import { letters } from "./changeKinds.ts"
import { worktreeLine } from "./Finish.ts"

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const colours: Readonly<Record<string, number>> = { d: 1, "@": 36, "+": 32, "-": 31 }

/** Milliseconds after which a moment was noted so late that a turn may have written before. */
const late = 1_000

const notedLate = ({ noted }: Changes): string => {
  if (noted === undefined) return ""
  const when =
    noted.late < late ? "" : `; noted ${Math.round(noted.late / 1_000)} s after that, without what was written before`
  return noted.left === 0 ? when : `${when}; without ${counted(noted.left, "file")} too large to be noted`
}

export const changesLine = (changes: Changes): string => differing(changes) + notedLate(changes)

const differing = ({ against, files, unlisted }: Changes): string => {
  const name = against.commit === null ? against.name : `${against.name} (${against.commit.slice(0, 7)})`
  if (files.length === 0) return `nothing differs from ${name}`
  const sum = (which: "added" | "removed") => files.reduce((all, file) => all + (file[which] ?? 0), 0)
  const count = files.length + unlisted
  return `${counted(count, "file")} differ${count === 1 ? "s" : ""} from ${name}: +${sum("added")} −${sum("removed")}`
}

export const leftOut = ({ unshown }: Changes): ReadonlyArray<string> =>
  unshown === 0 ? [] : [`… the patch of ${counted(unshown, "file")} is left out: it is too long to be read here`]

/** A name in one line: a line break in it is written as one. */
export const shownName = (path: string): string => printable(JSON.stringify(path).slice(1, -1))

/** The changes for people: how many, which, and the patch. */
export const changesText = (changes: Changes, colour = false): string => {
  const { files, patch, unlisted, worktree } = changes
  const head = [changesLine(changes), ...(worktree === undefined ? [] : [worktreeLine(worktree)])]
  if (files.length === 0) return head.join("\n")
  const rows = files.map(({ added, from, kind, path, removed }) => {
    const what = path.endsWith("/") ? "a repository of its own" : "binary"
    const lines = added === null || removed === null ? what : `+${added} −${removed}`
    const names = [...(from === null ? [] : [from]), path].map(shownName)
    return `${letters[kind]} ${names.join(" → ")}  ${lines}`
  })
  const shown = printable(patch.trimEnd())
  // Not '^', which also matches after other line separators.
  const painted = shown.replace(/(?<![^\n])(?:diff --|@@|\+|-)[^\n]*/g, (line) =>
    paint(line, colours[line[0]!] ?? 0, colour)
  )
  return [
    ...head,
    ...rows,
    ...(unlisted > 0 ? [`… and ${counted(unlisted, "file")} more`] : []),
    ...(patch === "" ? [] : ["", painted]),
    ...leftOut(changes)
  ].join("\n")
}
