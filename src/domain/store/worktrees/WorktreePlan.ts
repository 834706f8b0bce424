import { oneLine } from "../../words/text/printable.ts"
import { branchInTheWay, branchProblem } from "./BranchName.ts"
import type { WorktreeEntry } from "./GitText.ts"
import { parentOf } from "../../words/text/paths.ts"

/** A repository before a worktree is made. Paths are absolute. */
export interface RepositoryFacts {
  /** The work tree that the user is in; null in a bare repository. */
  readonly top: string | null
  /** git's directory that all work trees share. */
  readonly common: string
  readonly bare: boolean
  readonly linked: boolean
  readonly superproject: string | null
  /** The checked out commit; null if there is none yet. */
  readonly head: string | null
  readonly worktrees: ReadonlyArray<WorktreeEntry>
  readonly branches: ReadonlyArray<string>
  /** `origin/main`. */
  readonly remoteBranches: ReadonlyArray<string>
}

export interface WorktreeWish {
  readonly tag: string
  /** Null: a branch with the session's name. */
  readonly branch: string | null
  /** Where the branch begins, as the user wrote it, and its commit; null for what is checked out. */
  readonly from: { readonly name: string; readonly commit: string | null } | null
  /** The setting: where worktrees are put; null: beside the repository. */
  readonly directory: string | null
}

/** What is to be made. `parent` will hold the directory. */
export interface WorktreePlan {
  readonly branch: string
  readonly exists: boolean
  /** Where git begins a new branch: a commit or a remote's branch; null if the branch exists. */
  readonly start: string | null
  readonly tracks: boolean
  readonly main: string
  readonly parent: string
}

export type Planned =
  | { readonly _tag: "Plan"; readonly plan: WorktreePlan }
  | { readonly _tag: "Refused"; readonly usage: boolean; readonly why: string }

const refused = (why: string): Planned => ({ _tag: "Refused", usage: false, why })
const wrong = (why: string): Planned => ({ _tag: "Refused", usage: true, why })

const shown = (text: string): string => `'${oneLine(text, 120)}'`

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The directory that stands for the repository: its main work tree, or the bare repository itself. */
const mainOf = ({ bare, common, linked, top, worktrees }: RepositoryFacts): string =>
  !linked && !bare && top !== null ? top : (worktrees[0]?.path ?? common)

/** The name for directories of a repository: `proj` for `proj`, `proj.git` and `proj/.bare`. */
const repositoryName = (main: string): string => {
  const name = nameOf(main).replace(/\.git$/, "")
  return name === "" || name.startsWith(".") ? nameOf(parentOf(main)) || "repository" : name
}

/**
 * Where worktrees of the repository are put: beside it, in a directory named after it. In an absolute directory of the
 * user's each repository has one of its own. A relative one begins at the main work tree and is the repository's alone.
 */
const placeOf = (main: string, directory: string | null): string => {
  const name = repositoryName(main)
  if (directory === null) return `${parentOf(main).replace(/\/$/, "")}/${name}.worktrees`
  const wanted = directory.replace(/\/+$/, "")
  return directory.startsWith("/") ? `${wanted}/${name}` : `${main}/${wanted}`
}

export const planWorktree = (facts: RepositoryFacts, wish: WorktreeWish): Planned => {
  const { branches, head, remoteBranches, superproject, worktrees } = facts
  const branch = wish.branch ?? wish.tag
  const problem = branchProblem(branch)
  if (problem !== null) return wrong(`${shown(branch)} is no name for a branch: ${problem}`)
  if (superproject !== null) {
    return refused(
      `this is a submodule of ${oneLine(superproject, 300)}, and git knows no safe way to remove a submodule's ` +
        "worktree again: clone it elsewhere, or use --worktree in the repository around it"
    )
  }
  const exists = branches.includes(branch)
  if (!exists && remoteBranches.includes(branch)) {
    const own = branch.slice(branch.indexOf("/") + 1)
    return wrong(`${shown(branch)} is a remote's branch: '--worktree ${own}' makes one that follows it`)
  }
  const user = worktrees.find((entry) => entry.branch === branch)
  if (user !== undefined) {
    const where = oneLine(user.path, 300)
    return refused(
      user.gone
        ? `branch ${shown(branch)} is checked out in ${where}, which is gone: 'git worktree prune' makes git forget it`
        : `branch ${shown(branch)} is checked out in ${where}: name another one, as in '--worktree ${wish.tag}-2', ` +
            `or start the session there (--cwd)`
    )
  }
  if (exists && wish.branch === null) {
    return refused(
      `there is a branch ${shown(branch)} already: '--worktree ${branch}' works on it, another name makes a new one`
    )
  }
  if (exists && wish.from !== null)
    return wrong(`branch ${shown(branch)} is there already: --from is for one that is to be made`)
  if (wish.from !== null && wish.from.commit === null) return wrong(`--from ${shown(wish.from.name)} is no commit here`)
  const inTheWay = exists ? null : branchInTheWay(branch, branches)
  if (inTheWay !== null)
    return refused(`git cannot have a branch ${shown(branch)} beside the branch ${shown(inTheWay)}: name another one`)
  const main = mainOf(facts)
  const plan = { branch, main, parent: placeOf(main, wish.directory) }
  if (exists) return { _tag: "Plan", plan: { ...plan, exists, start: null, tracks: false } }
  // The user named a branch that a remote has: that one is meant, as for git itself.
  const followed =
    wish.branch === null || wish.from !== null
      ? []
      : remoteBranches.filter((name) => name.slice(name.indexOf("/") + 1) === branch)
  const [remote, another] = followed
  if (another !== undefined) {
    return refused(
      `several remotes have a branch ${shown(branch)} (${oneLine(followed.join(", "), 200)}): ` +
        `'--from ${remote}' says which one it begins at`
    )
  }
  const start = remote === undefined ? (wish.from?.commit ?? head) : `refs/remotes/${remote}`
  if (start === null) return refused("the repository has no commit yet that a worktree could begin at: make one first")
  return { _tag: "Plan", plan: { ...plan, exists, start, tracks: remote !== undefined } }
}

/** git's arguments that make the branch; git refuses if it exists by now. Null if there is none to make. */
export const branchArguments = ({ branch, start, tracks }: WorktreePlan): ReadonlyArray<string> | null =>
  start === null ? null : ["branch", tracks ? "--track" : "--no-track", "--", branch, start]

export const addArguments = ({ branch }: WorktreePlan, path: string): ReadonlyArray<string> => [
  "worktree",
  "add",
  "--",
  path,
  branch
]
