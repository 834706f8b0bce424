/** The output of git with `-z`: fields end with a zero byte, so that no name can look like two. */

/** A name that is not UTF-8. Its file cannot be examined under this text, and must never count as absent. */
export const isGarbled = (name: string): boolean => name.includes("\uFFFD")

/** One entry of `git worktree list --porcelain -z`; the first one is the main work tree, or a bare repository. */
export interface WorktreeEntry {
  readonly path: string
  readonly bare: boolean
  /** Without `refs/heads/`; null if no branch is checked out. */
  readonly branch: string | null
  /** Why it is locked, which may be empty; null if it is not locked. */
  readonly locked: string | null
  readonly gone: boolean
}

const heads = "refs/heads/"

/** The entries of `git worktree list --porcelain -z`. Unknown parts are left out. */
export const readWorktreeList = (text: string): ReadonlyArray<WorktreeEntry> =>
  text.split("\0\0").flatMap((block) => {
    const lines = block.split("\0")
    const valueOf = (name: string): string | null => {
      const line = lines.find((it) => it === name || it.startsWith(`${name} `))
      return line === undefined ? null : line.slice(name.length + 1)
    }
    const path = valueOf("worktree")
    if (path === null || path === "") return []
    const branch = valueOf("branch")
    return [
      {
        path,
        bare: valueOf("bare") !== null,
        branch: branch === null ? null : branch.startsWith(heads) ? branch.slice(heads.length) : branch,
        locked: valueOf("locked"),
        gone: valueOf("prunable") !== null
      }
    ]
  })

export interface TreeChanges {
  /** Tracked files and submodules that differ, staged or not. */
  readonly changed: ReadonlyArray<string>
  readonly untracked: ReadonlyArray<string>
  readonly conflicts: ReadonlyArray<string>
  /** Changed submodules with changes of their own, which no outer commit includes. */
  readonly within?: ReadonlyArray<string>
}

const pathBehind = (entry: string, fields: number): string => entry.split(" ").slice(fields).join(" ")

/** The entries of `git status --porcelain=v2 -z`; null if one is unknown or cut. */
export const readStatus = (text: string): TreeChanges | null => {
  const changed: Array<string> = []
  const untracked: Array<string> = []
  const conflicts: Array<string> = []
  const within: Array<string> = []
  const entries = text.split("\0")
  if (entries.pop() !== "") return null
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!
    if (/^1 \S+ S(?:.M.|..U) /.test(entry)) within.push(pathBehind(entry, 8))
    switch (entry.slice(0, 2)) {
      case "1 ":
        changed.push(pathBehind(entry, 8))
        break
      case "2 ":
        changed.push(pathBehind(entry, 9))
        // The next field is the former name.
        i++
        break
      case "u ":
        conflicts.push(pathBehind(entry, 10))
        break
      case "? ":
        untracked.push(entry.slice(2))
        break
      case "# ":
      case "! ":
        break
      default:
        return null
    }
  }
  return { changed, untracked, conflicts, ...(within.length === 0 ? {} : { within }) }
}

/** The files of `git ls-files -v -z` that git was told not to look at: it reports no change of theirs. */
export const readUnwatched = (text: string): ReadonlyArray<string> =>
  text.split("\0").flatMap((entry) => (/^[a-zS] /.test(entry) ? [entry.slice(2)] : []))

/** Local branches, and those of remotes with the remote's name, of `git for-each-ref --format=%(refname)`. */
export const readRefs = (
  text: string
): { readonly branches: ReadonlyArray<string>; readonly remote: ReadonlyArray<string> } => {
  const names = text.split("\n")
  const under = (prefix: string): ReadonlyArray<string> =>
    names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return { branches: under(heads), remote: under("refs/remotes/").filter((name) => !name.endsWith("/HEAD")) }
}

/** The branch that a HEAD names, or the start of its commit; null for anything else. */
export const readHead = (text: string): string | null => {
  const head = text.trim()
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  // A repository with another format of references has this in place of its HEAD.
  if (branch === ".invalid") return null
  return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : null)
}
