import { Effect } from "effect"
import * as path from "node:path"
import { readRefs, readWorktreeList } from "../../domain/store/worktrees/GitText.ts"
import type { RepositoryFacts } from "../../domain/store/worktrees/WorktreePlan.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { WorktreeError } from "../../services/Worktrees.ts"
import { type Git, failureLine, readBy } from "./git.ts"

export const failed = (message: string) => new WorktreeError({ kind: "failed", message })
export const refused = (message: string) => new WorktreeError({ kind: "refused", message })

export const worktreesOf = Effect.fn("worktrees.list")(function* (git: Git, directory: string) {
  const listed = yield* git.read(directory, ["worktree", "list", "--porcelain", "-z"])
  // 129: git does not know the flag.
  if (listed.code === 129) return yield* failed("worktrees need git 2.36 or later: this one is older")
  if (listed.code !== 0) return yield* failed(`git cannot list the worktrees of ${directory}: ${failureLine(listed)}`)
  return readWorktreeList(listed.out)
})

export const commitOf = (git: Git, directory: string, name: string): Effect.Effect<string | null> =>
  name.startsWith("-")
    ? Effect.succeed(null)
    : readBy(git, directory, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], (out) => out.trim())

export const inspectRepository = Effect.fn("worktrees.inspectRepository")(function* (git: Git, directory: string) {
  const here = oneLine(directory, 300)
  const wanted = "--is-bare-repository --is-inside-work-tree --path-format=absolute --git-dir --git-common-dir"
  const asked = yield* git.read(directory, ["rev-parse", ...wanted.split(" ")])
  if (asked.code !== 0)
    return yield* refused(
      `a worktree needs a git repository, and there is none that git would use in ${here}: ${failureLine(asked)}`
    )
  const lines = asked.out.trimEnd().split("\n")
  const [bare, inside, own, common] = lines
  if (lines.length !== 4 || own === undefined || common === undefined)
    return yield* refused(`the repository of ${here} has a line break in its path: leap makes no worktrees of it`)
  if (bare !== "true" && inside !== "true")
    return yield* refused(`${here} is a directory of git's own: start where the files are, or name it with --cwd`)
  const tree =
    inside === "true"
      ? yield* git.read(directory, ["rev-parse", "--show-toplevel", "--show-superproject-working-tree"])
      : null
  if (tree !== null && tree.code !== 0)
    return yield* failed(`git does not tell where the work tree of ${here} is: ${failureLine(tree)}`)
  const [top = "", superproject = ""] = (tree?.out ?? "").split("\n")
  const refs = yield* git.read(directory, ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"])
  if (refs.code !== 0) return yield* failed(`git cannot list the branches of ${here}: ${failureLine(refs)}`)
  const { branches, remote } = readRefs(refs.out)
  const facts: RepositoryFacts = {
    top: top === "" ? null : top,
    common: path.normalize(common),
    bare: bare === "true",
    linked: path.normalize(own) !== path.normalize(common),
    superproject: superproject === "" ? null : superproject,
    head: yield* commitOf(git, directory, "HEAD"),
    worktrees: yield* worktreesOf(git, directory),
    branches,
    remoteBranches: remote
  }
  return facts
})
