import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { isGarbled, readStatus, readUnwatched } from "../../domain/places/worktrees/GitText.ts"
import type { SubmoduleLoss, Submodules } from "../../domain/places/worktrees/Losses.ts"
import type { WorktreeRecord } from "../../domain/places/worktrees/WorktreeRecord.ts"
import type { Git } from "./git.ts"
import { operationIn } from "./places.ts"

export const changesIn = Effect.fnUntraced(function* (git: Git, place: string) {
  const status = yield* git.read(place, [
    "status",
    "--porcelain=v2",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=none"
  ])
  return status.code === 0 ? readStatus(status.out) : null
})

export const unwatchedIn = Effect.fnUntraced(function* (git: Git, place: string) {
  const listed = yield* git.read(place, ["ls-files", "-v", "-z"])
  if (listed.code !== 0) return null
  // a sparse checkout leaves files out by the same flag
  return readUnwatched(listed.out).filter(
    (name) => isGarbled(name) || fs.lstatSync(path.join(place, name), { throwIfNoEntry: false })
  )
})

/** Repositories within that git ignores, with their directories: it would remove them, whatever commits they hold. */
export const repositoriesWithin = Effect.fnUntraced(function* (git: Git, place: string) {
  const listed = yield* git.read(place, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"])
  return listed.code === 0 ? listed.out.split("\0").filter((name) => name.endsWith("/")) : null
})

/** The submodules that a work tree's index names, with their commits; null where that cannot be read. */
const linksIn = Effect.fnUntraced(function* (git: Git, place: string) {
  const listed = yield* git.read(place, ["ls-files", "--stage", "-z"])
  if (listed.code !== 0) return null
  return listed.out.split("\0").flatMap((entry) => {
    const [, commit, name] = /^160000 (\w+) \d\t([^]+)$/.exec(entry) ?? []
    return commit === undefined || name === undefined ? [] : [{ commit, name }]
  })
})

/** Names below a directory that are files; none where there is none. */
const filesBelow = (directory: string): ReadonlyArray<string> =>
  fs.existsSync(directory)
    ? fs
        .readdirSync(directory, { recursive: true, withFileTypes: true })
        .flatMap((entry) => (entry.isFile() ? [path.relative(directory, path.join(entry.parentPath, entry.name))] : []))
    : []

/**
 * How many commits a submodule's repository has that no remote of it has, nor the commit that its superproject names.
 * Tags that came when it was filled came packed, from its remote.
 */
const ownCommits = Effect.fnUntraced(function* (git: Git, repository: string, known: ReadonlyArray<string>) {
  const tags = filesBelow(path.join(repository, "refs", "tags")).map((name) => `refs/tags/${name}`)
  const { code, out } = yield* git.read(repository, [
    `--git-dir=${repository}`,
    "rev-list",
    "--count",
    "--ignore-missing",
    "--exclude=refs/tags/*",
    "--all",
    "HEAD",
    ...tags,
    "--not",
    "--remotes",
    ...known
  ])
  return code === 0 && /^\d+\n$/.test(out) ? Number(out) : null
})

/** The repositories of submodules that git keeps in this directory, and within one another. */
const keptIn = (modules: string): ReadonlyArray<string> =>
  filesBelow(modules).flatMap((name) =>
    path.basename(name) === "HEAD" && fs.existsSync(path.join(modules, path.dirname(name), "objects"))
      ? [path.join(modules, path.dirname(name))]
      : []
  )

/**
 * The submodules of a worktree that have been filled, and what would be lost with each: their repositories go with it.
 * Null where it cannot be told whether there are any.
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
        const its = path.join(within, name)
        if (isGarbled(name)) return false
        if (!fs.existsSync(path.join(its, ".git"))) continue
        const told = yield* git.read(its, ["rev-parse", "--absolute-git-dir"])
        if (told.code !== 0) return false
        const repository = told.out.replace(/\n$/, "")
        seen.add(repository)
        const changes = yield* changesIn(git, its)
        losses.push({
          name: `${prefix}${name}`,
          commits: yield* ownCommits(git, repository, [commit]),
          changes: changes === null ? null : [...changes.changed, ...changes.untracked, ...changes.conflicts],
          unwatched: yield* unwatchedIn(git, its),
          repositories: yield* repositoriesWithin(git, its),
          operation: operationIn(repository)
        })
        if (!(yield* look(its, `${prefix}${name}/`))) return false
      }
      return true
    }
  )
  if (!(yield* look(place, ""))) return null
  // those whose place is empty again
  if (modules !== null)
    for (const repository of keptIn(modules))
      if (!seen.has(repository))
        losses.push({
          name: path.relative(modules, repository),
          commits: yield* ownCommits(git, repository, []),
          changes: [],
          unwatched: [],
          repositories: [],
          operation: false
        })
  return { filled: losses.length > 0 || (modules !== null && fs.existsSync(modules)), losses }
})
