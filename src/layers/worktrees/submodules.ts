import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { isGarbled, readStatus, readUnwatched } from "../../domain/store/worktrees/GitText.ts"
import type { SubmoduleLoss, Submodules } from "../../domain/store/worktrees/Losses.ts"
import type { WorktreeRecord } from "../../domain/store/worktrees/WorktreeRecord.ts"
import { saysMissing } from "../../domain/words/reading/Fields.ts"
import { type Git, numberIn, readBy } from "./git.ts"
import { isMissing, operationIn } from "./worktreePaths.ts"

/** The changes in a work tree. `all`: new files too; `within`: new files and changes within submodules, too. */
export const changesIn = (git: Git, place: string, { all = true, within = true } = {}) => {
  const files = `--untracked-files=${all ? "all" : "no"}`
  const submodules = `--ignore-submodules=${within ? "none" : "dirty"}`
  return readBy(git, place, ["status", "--porcelain=v2", "-z", "--no-renames", files, submodules], readStatus)
}

export const unwatchedIn = (git: Git, place: string) =>
  readBy(git, place, ["ls-files", "-v", "-z"], (out) =>
    // A sparse checkout omits files by the same flag.
    readUnwatched(out).filter(
      (name) => isGarbled(name) || fs.lstatSync(path.join(place, name), { throwIfNoEntry: false })
    )
  )

/** Repositories inside that git ignores, with their directories: it would remove them, whatever commits they hold. */
export const repositoriesWithin = (git: Git, place: string) =>
  readBy(git, place, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"], (out) =>
    out.split("\0").filter((name) => name.endsWith("/"))
  )

/** The submodules in a work tree's index, with their commits; null: unreadable. */
const linksIn = (git: Git, place: string) =>
  readBy(git, place, ["ls-files", "--stage", "-z"], (out) =>
    out.split("\0").flatMap((entry) => {
      const [, commit, name] = /^160000 (\w+) \d\t([^]+)$/.exec(entry) ?? []
      return commit === undefined || name === undefined ? [] : [{ commit, name }]
    })
  )

/** Names of files below a directory; empty: none, null: it cannot be listed. */
const filesBelow = (directory: string): ReadonlyArray<string> | null => {
  try {
    return fs
      .readdirSync(directory, { recursive: true, withFileTypes: true })
      .flatMap((entry) => (entry.isFile() ? [path.relative(directory, path.join(entry.parentPath, entry.name))] : []))
  } catch (cause) {
    return saysMissing(cause) ? [] : null
  }
}

/**
 * How many commits of a submodule's repository are neither in its remotes nor in the commit that its superproject
 * names. Tags from its initial fetch are packed, and come from its remote.
 */
const ownCommits = (git: Git, repository: string, known: ReadonlyArray<string>): Effect.Effect<number | null> => {
  const tags = filesBelow(path.join(repository, "refs", "tags"))?.map((name) => `refs/tags/${name}`)
  if (tags === undefined) return Effect.succeed(null)
  const counted = [`--git-dir=${repository}`, ..."rev-list --count --ignore-missing".split(" ")]
  const all = ["--exclude=refs/tags/*", "--all", "HEAD", ...tags, "--not", "--remotes", ...known]
  return readBy(git, repository, [...counted, ...all], numberIn)
}

/** The repositories of submodules in this directory, and within one another; null: it is hidden. */
const keptIn = (modules: string): ReadonlyArray<string> | null =>
  filesBelow(modules)?.flatMap((name) =>
    path.basename(name) === "HEAD" && isMissing(path.join(modules, path.dirname(name), "objects")) !== true
      ? [path.join(modules, path.dirname(name))]
      : []
  ) ?? null

/**
 * The initialised submodules of a worktree, and what would be lost with each: their repositories are deleted with it.
 * Null: unknown whether there are any.
 */
export const submodulesOf = Effect.fn("worktrees.submodules")(function* (
  git: Git,
  { admin, path: place }: WorktreeRecord
): Effect.fn.Return<Submodules | null> {
  const losses: Array<SubmoduleLoss> = []
  const seen = new Set<string>()
  const modules = admin === null ? null : path.join(admin, "modules")
  const look: (within: string, prefix: string) => Effect.Effect<boolean> = Effect.fnUntraced(
    function* (within, prefix) {
      const links = yield* linksIn(git, within)
      if (links === null) return false
      for (const { commit, name } of links) {
        const checkout = path.join(within, name)
        if (isGarbled(name)) return false
        const missing = isMissing(path.join(checkout, ".git"))
        if (missing === null) return false
        if (missing) continue
        const told = yield* git.read(checkout, ["rev-parse", "--absolute-git-dir"])
        if (told.code !== 0) return false
        const repository = told.out.replace(/\n$/, "")
        seen.add(repository)
        const changes = yield* changesIn(git, checkout)
        losses.push({
          name: `${prefix}${name}`,
          commits: yield* ownCommits(git, repository, [commit]),
          changes: changes === null ? null : [...changes.changed, ...changes.untracked, ...changes.conflicts],
          unwatched: yield* unwatchedIn(git, checkout),
          repositories: yield* repositoriesWithin(git, checkout),
          operation: operationIn(repository)
        })
        if (!(yield* look(checkout, `${prefix}${name}/`))) return false
      }
      return true
    }
  )
  const kept = modules === null ? [] : keptIn(modules)
  if (kept === null || !(yield* look(place, ""))) return null
  // Repositories of submodules whose place is empty again.
  for (const repository of kept)
    if (modules !== null && !seen.has(repository))
      losses.push({
        name: path.relative(modules, repository),
        commits: yield* ownCommits(git, repository, []),
        changes: [],
        unwatched: [],
        repositories: [],
        operation: false
      })
  return { filled: losses.length > 0 || (modules !== null && isMissing(modules) !== true), losses }
})
