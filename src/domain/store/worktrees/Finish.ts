import { asks, isWorking } from "../../words/session/states.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { TreeChanges } from "./GitText.ts"
import type { WorktreeState } from "./Finished.ts"
import { type GitOperation, listed } from "./Losses.ts"

/** The ways to finish a worktree, in the order of the offer. */
export const finishes = ["merge", "rebase", "commit", "discard"] as const
export type Finish = (typeof finishes)[number]

const counted = (count: number | null, what: string): string =>
  `${count ?? "an unknown number of"} ${what}${count === 1 ? "" : "s"}`
const name = (branch: string): string => `'${oneLine(branch, 100)}'`

export const worktreeLine = ({ ahead, base, behind, branch, uncommitted }: WorktreeState): string =>
  [
    `branch ${branch === null ? "(none)" : name(branch)}: ${counted(uncommitted, "file")} not committed`,
    ...(base === null
      ? []
      : [
          `${counted(ahead, "commit")} not in ${name(base)}`,
          ...(behind === 0 ? [] : [`${counted(behind, "commit")} of ${name(base)} not in it`])
        ])
  ].join(", ")

/** The ways that are offered: a running session's worktree is not discarded. */
export const offeredFinishes = ({ base, uncommitted }: Pick<WorktreeState, "base" | "uncommitted">, isOver: boolean) =>
  finishes.filter((how) => (how === "discard" ? isOver : how === "commit" ? uncommitted !== 0 : base !== null))

/** The name of a way, for the user's choice. */
export const finishLabel = (how: Finish, base: string | null): string => {
  const into = base === null ? "its base" : oneLine(base, 40)
  switch (how) {
    case "merge":
      return `Merge into ${into}`
    case "rebase":
      return `Rebase onto ${into} and merge`
    case "commit":
      return "Commit only"
    case "discard":
      return "Discard"
  }
}

export const commitLine = (files: number, branch: string, commit: string): string =>
  `committed ${counted(files, "file")} on ${name(branch)} (${commit.slice(0, 7)})`

export const mergedLine = (branch: string, base: string, commits: number | null, commit: string): string =>
  commits === 0
    ? `${name(base)} had all of ${name(branch)} already`
    : `${name(base)} has ${counted(commits, "commit")} of ${name(branch)} now (${commit.slice(0, 7)})`

export const mergeMessage = (branch: string, base: string): string =>
  `Merge branch '${branch}'${/^(?:main|master)$/.test(base) ? "" : ` into ${base}`}`

/** `oneByOne`: single commits of a rebase are in conflict, where a merge of all has none. */
export const conflictText = (
  branch: string,
  base: string,
  files: ReadonlyArray<string>,
  how: "merge" | "rebase" | "oneByOne"
): string => {
  const over = listed(files, "file", "files", "").map((named) => ` over ${named}`)
  const [ours, theirs] = [name(branch), name(base)]
  return (
    (how === "merge" ? `${ours} and ${theirs} are` : `a rebase of ${ours} onto ${theirs} is`) +
    ` in conflict${over.join("")}: ${how === "oneByOne" ? "merge it instead, or " : ""}let the session ` +
    (how === "merge" ? `merge ${theirs} into its branch` : `rebase its branch onto ${theirs}`) +
    " and settle that, then do this again"
  )
}

/** Why a rebase is not kept: it leaves out merge commits, and so differs from a merge in `files` (null: unknown). */
export const flatText = (branch: string, files: ReadonlyArray<string> | null): string => {
  const [changed] = listed(files, "file", "files", "files that this git cannot tell")
  return `a rebase of ${name(branch)} leaves out what its merge commits change in ${changed}: merge it instead`
}

/** Why a session's worktree cannot be finished while the session is in its state; null if it can. */
export const busyProblem = (tag: string, state: string): string | null => {
  if (asks(state)) return `session '${tag}' asks something: answer it first ('leap answer ${tag}')`
  if (isWorking(state) || state === "churning")
    return `session '${tag}' is still at work: 'leap wait ${tag}' waits for its end, 'leap interrupt ${tag}' ends it`
  return null
}

/** A work tree before a merge into it or from it. Null is unknown. */
export interface TreeFacts {
  readonly path: string
  /** Null if no branch is checked out. */
  readonly branch: string | null
  readonly operation: GitOperation | false | null
  readonly changes: TreeChanges | null
}

export interface FinishFacts {
  /** `own.path` is a linked worktree. */
  readonly linked: boolean
  readonly superproject: string | null
  readonly own: TreeFacts
  /** The main work tree; null in a bare repository. */
  readonly main: TreeFacts | null
}

export interface FinishWish {
  readonly how: Exclude<Finish, "discard">
  /** The commit's message; null or blank: none. */
  readonly message: string | null
  /** The base that the user saw; null: the present one. */
  readonly base: string | null
}

const treeProblem = ({ branch, changes, operation, path }: TreeFacts, which: string): string | null => {
  const where = `${which} (${oneLine(path, 300)})`
  if (operation === null || changes === null) return `the state of ${where} cannot be told`
  if (operation !== false) return `git is in the middle of ${operation} in ${where}: finish or abort that there first`
  const [conflict] = listed(changes.conflicts, "file in conflict", "files in conflict", "")
  if (conflict !== undefined) return `${where} has ${conflict}: settle that first`
  return branch === null
    ? `no branch is checked out in ${where} (a detached HEAD): 'git switch' to one there first`
    : null
}

const messageProblem = ({ changed, untracked }: TreeChanges, message: string | null): string | null => {
  const [named] = listed([...changed, ...untracked], "file that is not committed", "files that are not committed", "")
  return named === undefined || (message ?? "").trim() !== ""
    ? null
    : `it has ${named}: a message is needed to commit that (--message)`
}

/** Why a worktree cannot be finished, with advice; null if it can. */
export const finishProblem = ({ linked, main, own, superproject }: FinishFacts, wish: FinishWish): string | null => {
  const here = oneLine(own.path, 300)
  if (superproject !== null) return `${here} is a submodule of ${oneLine(superproject, 300)}: finish that by git`
  if (!linked) return `${here} is no worktree beside a main one: what is in it is there already, and git commits it`
  const problem = treeProblem(own, "the worktree")
  if (problem !== null || own.changes === null) return problem
  const { changed, untracked, within = [] } = own.changes
  const [submodule] = listed(within, "submodule with changes of its own", "submodules with changes of their own", "")
  if (submodule !== undefined) return `it has ${submodule}: commit them in there first`
  const nested = untracked.filter((path) => path.endsWith("/"))
  const [repository] = listed(nested, "repository within", "repositories within", "")
  if (repository !== undefined)
    return `it has ${repository}, which a commit would not take in: make a submodule of it, ignore it or remove it`
  const isClean = changed.length === 0 && untracked.length === 0
  if (wish.how === "commit") return isClean ? "there is nothing to commit" : messageProblem(own.changes, wish.message)
  if (main === null) return "the repository is bare, no work tree has its base checked out: merge or push it by git"
  const not = treeProblem(main, "the main work tree")
  if (not !== null || main.changes === null) return not
  if (wish.base !== null && wish.base !== main.branch)
    return `the main work tree has ${name(main.branch ?? "")} checked out by now, not ${name(wish.base)}: look again`
  const [dirty] = listed(main.changes.changed, "file with uncommitted changes", "files with uncommitted changes", "")
  return dirty === undefined
    ? messageProblem(own.changes, wish.message)
    : `the main work tree (${oneLine(main.path, 300)}) has ${dirty}: commit or stash that first`
}
