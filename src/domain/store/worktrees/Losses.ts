import { oneLine } from "../../words/text/printable.ts"
import type { TreeChanges } from "./GitText.ts"
import type { WorktreeRecord } from "./WorktreeRecord.ts"

/** Commits that no other branch, no remote's branch and no tag has. */
export interface OwnCommits {
  readonly count: number
  /** Another branch has their changes: they were merged as one commit. */
  readonly absorbed: boolean
}

/** What would be lost with a submodule; null is unknown. */
export interface SubmoduleLoss {
  readonly name: string
  /** Commits that none of its remotes has. */
  readonly commits: number | null
  readonly changes: ReadonlyArray<string> | null
  readonly unwatched: ReadonlyArray<string> | null
  readonly repositories: ReadonlyArray<string> | null
  readonly operation: GitOperation | false | null
}

/** Submodules with repositories of their own in a worktree, which are removed with it. */
export interface Submodules {
  readonly filled: boolean
  readonly losses: ReadonlyArray<SubmoduleLoss>
}

/** git's operation that is not finished. */
export type GitOperation =
  | "a rebase"
  | "a merge"
  | "a cherry-pick"
  | "a revert"
  | "a cherry-pick or revert"
  | "a bisection"

/** The facts about a worktree that is to be removed. Null is unknown, and is never clean. */
export interface Inspection {
  /** `gone`: neither its directory nor git's is there. `other`: something else is at its path. */
  readonly identity: "own" | "gone" | "other" | null
  /** Why git has it locked; false if it is not locked. */
  readonly locked: string | false | null
  readonly users: ReadonlyArray<string> | null
  readonly changes: TreeChanges | null
  /** Existing files that git tracks and was told not to look at. */
  readonly unwatched: ReadonlyArray<string> | null
  /** Ignored files that `.worktreeinclude` names and that were written since the worktree was made. */
  readonly included: ReadonlyArray<string> | null
  /** What git ignores, if it counts as a loss. */
  readonly ignored: ReadonlyArray<string> | null
  readonly operation: GitOperation | false | null
  readonly submodules: Submodules | null
  /** Repositories inside it that git ignores. */
  readonly repositories: ReadonlyArray<string> | null
  readonly commits: OwnCommits | null
  /** The commit of leap's branch; false if the branch is gone, or is not leap's. */
  readonly tip: string | false | null
  /** Another work tree has that branch checked out. */
  readonly branchUsed: boolean | null
}

/**
 * What happens to a worktree. `branch`: the commit at which leap's branch is removed too; null: the branch stays.
 * `Refused`: nothing is touched, and `why` has a line for each reason. With `loses` these are only losses: if the user
 * agrees to them, the worktree is removed. `Gone`: only the branch is removed. `submodules`: with their repositories.
 */
export type Verdict =
  | {
      readonly _tag: "Refused"
      readonly why: ReadonlyArray<string>
      readonly loses?: { readonly branch: string | null }
    }
  | { readonly _tag: "Gone"; readonly branch: string | null }
  | { readonly _tag: "Remove"; readonly branch: string | null; readonly submodules?: true }

const namesMost = 3

const named = (paths: ReadonlyArray<string>, one: string, many: string): string => {
  const shown = paths.slice(0, namesMost).map((path) => oneLine(path, 80))
  const rest = paths.length > namesMost ? ", …" : ""
  return `${paths.length} ${paths.length === 1 ? one : many} (${shown.join(", ")}${rest})`
}

export const listed = (paths: ReadonlyArray<string> | null, one: string, many: string, unknown: string) =>
  paths === null ? [unknown] : paths.length === 0 ? [] : [named(paths, one, many)]

/** What would be lost with a submodule, and how to remove it nevertheless; nothing for an unchanged one. */
const lossesIn = ({
  changes,
  commits,
  name,
  operation,
  repositories,
  unwatched
}: SubmoduleLoss): ReadonlyArray<string> => {
  const isUnknown = [changes, commits, operation, repositories, unwatched].includes(null)
  const lost = [
    ...(commits === null || commits === 0
      ? []
      : [`${commits} ${commits === 1 ? "commit" : "commits"} that no remote of it has`]),
    ...listed(changes ?? [], "changed file", "changed files", ""),
    ...listed(unwatched ?? [], "file that git was told not to look at", "files that git was told not to look at", ""),
    ...listed(repositories ?? [], "repository within", "repositories within", ""),
    ...(typeof operation === "string" ? [`${operation} that is not finished`] : []),
    ...(isUnknown ? ["more that cannot be told"] : [])
  ]
  if (lost.length === 0) return []
  return [
    `submodule ${oneLine(name, 80)} with ${lost.join(" and ")} ` +
      "(push or undo that, or let it go with 'git worktree remove --force')"
  ]
}

export const lossesOf = (found: Inspection): ReadonlyArray<string> => {
  const { changes, commits, ignored, included, operation, repositories, submodules, unwatched } = found
  return [
    ...(changes === null
      ? ["what is changed in it cannot be told"]
      : [
          ...listed(changes.changed, "file with uncommitted changes", "files with uncommitted changes", ""),
          ...listed(changes.untracked, "untracked file", "untracked files", ""),
          ...listed(changes.conflicts, "file in conflict", "files in conflict", "")
        ]),
    ...listed(
      unwatched,
      "file that git was told not to look at",
      "files that git was told not to look at",
      "whether git looks at all its files cannot be told"
    ),
    ...listed(
      included,
      "file of .worktreeinclude that was written since",
      "files of .worktreeinclude that were written since",
      "whether files of .worktreeinclude were written cannot be told"
    ),
    ...listed(
      ignored,
      "file or directory that git ignores",
      "files or directories that git ignores",
      "what git ignores in it cannot be told"
    ),
    ...(operation === null
      ? ["whether git is in the middle of something cannot be told"]
      : operation === false
        ? []
        : [`${operation} that is not finished`]),
    ...(submodules === null ? ["whether it has submodules cannot be told"] : submodules.losses.flatMap(lossesIn)),
    ...listed(
      repositories,
      "repository within, which may hold commits",
      "repositories within, which may hold commits",
      "whether it has repositories within cannot be told"
    ),
    ...(commits === null
      ? ["which of its commits are merged or pushed cannot be told"]
      : commits.count > 0 && !commits.absorbed
        ? [`${commits.count} ${commits.count === 1 ? "commit" : "commits"} neither merged nor pushed`]
        : [])
  ]
}

const obstaclesOf = (found: Inspection): ReadonlyArray<string> => [
  ...(found.identity === null ? ["whether it still is the one that leap made cannot be told"] : []),
  ...(found.identity === "other" ? ["it is not the one that leap made any more"] : []),
  ...(found.locked === null ? ["whether it is locked cannot be told"] : []),
  ...(typeof found.locked === "string"
    ? [`it is locked${found.locked === "" ? "" : ` (${oneLine(found.locked, 100)})`}; 'git worktree unlock' unlocks it`]
    : []),
  ...(found.users === null ? ["what uses it cannot be told"] : found.users.map((user) => `${user} uses it`))
]

const branchToo = ({ branchUsed, commits, tip }: Inspection, agreed: boolean): string | null =>
  typeof tip === "string" &&
  branchUsed === false &&
  commits !== null &&
  (agreed || commits.count === 0 || commits.absorbed)
    ? tip
    : null

/** A loss is unknown, so nobody can agree to it. */
const isUnsure = (found: Inspection): boolean =>
  Object.values(found).includes(null) ||
  (found.submodules?.losses.some((loss) => Object.values(loss).includes(null)) ?? false)

/**
 * What happens to a worktree. It is refused while anything would be lost or is unknown. If somebody else has removed
 * it, only the branch is removed, unless it has commits of its own.
 */
export const removalVerdict = (found: Inspection): Verdict => {
  if (found.identity === "gone") return { _tag: "Gone", branch: branchToo(found, false) }
  const obstacles = obstaclesOf(found)
  if (obstacles.length > 0) return { _tag: "Refused", why: obstacles }
  const losses = lossesOf(found)
  const unsure = found.tip === null || found.branchUsed === null ? ["the state of its branch cannot be told"] : []
  const why = [...losses, ...unsure]
  const submodules = found.submodules?.filled === true
  if (why.length > 0)
    return isUnsure(found)
      ? { _tag: "Refused", why }
      : { _tag: "Refused", why, loses: { branch: branchToo(found, true) } }
  return { _tag: "Remove", branch: branchToo(found, false), ...(submodules ? { submodules } : {}) }
}

export const refusalText = ({ branch, path }: WorktreeRecord, why: ReadonlyArray<string>): string =>
  `the worktree ${oneLine(path, 300)} (branch '${oneLine(branch, 100)}') stays: ${why.join("; ")}`

/** Why a worktree that could not be prepared is kept: it is removed only if nobody has anything in it. */
export const keptOf = ({
  changed,
  included = [],
  moved,
  users
}: {
  /** Tracked files that differ; null if unknown. */
  readonly changed: ReadonlyArray<string> | null
  /** Files of .worktreeinclude that differ from leap's copies; null if unknown. */
  readonly included?: ReadonlyArray<string> | null
  /** Its branch has moved on; null if unknown. */
  readonly moved: boolean | null
  readonly users: ReadonlyArray<string> | null
}): ReadonlyArray<string> => [
  ...listed(changed, "changed file", "changed files", "what is changed in it cannot be told"),
  ...listed(
    included,
    "file of .worktreeinclude that is not the copied one",
    "files of .worktreeinclude that are not the copied ones",
    "whether files of .worktreeinclude were written cannot be told"
  ),
  ...(moved === null
    ? ["whether it has commits of its own cannot be told"]
    : moved
      ? ["it has commits of its own"]
      : []),
  ...(users === null ? ["what uses it cannot be told"] : users.map((user) => `${user} uses it`))
]
