import { Effect } from "effect"
import { createHash } from "node:crypto"
import type { WorktreeEntry } from "../../domain/store/worktrees/GitText.ts"
import type { Losses } from "../../domain/store/worktrees/Finished.ts"
import {
  type Inspection,
  lossesOf,
  type OwnCommits,
  refusalText,
  removalVerdict,
  type Verdict
} from "../../domain/store/worktrees/Losses.ts"
import type { WorktreeRecord } from "../../domain/store/worktrees/WorktreeRecord.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import type { OpenFiles } from "../../services/OpenFiles.ts"
import type { ProcessTable } from "../../services/ProcessTable.ts"
import { type RemovedWorktree, WorktreeError } from "../../services/Worktrees.ts"
import { type Git, failureLine, namesIn, numberIn, readBy } from "./git.ts"
import { includedIn, includeListOf, writtenSince } from "./includedFiles.ts"
import { commitOf, worktreesOf } from "./inspectRepository.ts"
import { identityOf, isMissing, operationIn, takeEmpty } from "./worktreePaths.ts"
import { isBeingMade, type Maker } from "./makeWorktree.ts"
import { changesIn, repositoriesWithin, submodulesOf, unwatchedIn } from "./submodules.ts"
import { dropBranch, processesIn, takeBack } from "./takeBack.ts"
import { isWithin } from "../../domain/words/text/paths.ts"

/** Branches into which work is merged: those of the usual names, here and on remotes. */
const basePatterns = [
  "refs/heads/main",
  "refs/heads/master",
  "refs/remotes/*/HEAD",
  "refs/remotes/*/main",
  "refs/remotes/*/master"
]

const includedSince = Effect.fnUntraced(function* (git: Git, { main, path: place, readyAt }: WorktreeRecord) {
  const list = includeListOf(place, main)
  if (list === null) return []
  const names = yield* includedIn(git, place, list)
  return names === null ? null : writtenSince(place, names, readyAt ?? 0)
})

/** The commits that only this worktree's own references name, such as a bisection's. */
const ownReferences = (git: Git, place: string): Effect.Effect<ReadonlyArray<string> | null> =>
  readBy(
    git,
    place,
    ["for-each-ref", "--format=%(objectname) %(objecttype)", "refs/worktree", "refs/rewritten"],
    (out) => out.split("\n").flatMap((line) => /^(\w+) commit$/.exec(line)?.[1] ?? [])
  )

/** Whether the base contains the commit's changes without the commit: merging it would change nothing. */
const isAbsorbed = Effect.fnUntraced(function* (git: Git, directory: string, commit: string, base: string) {
  const [fork, merged, tree] = yield* Effect.all([
    git.read(directory, ["merge-base", base, commit]),
    git.read(directory, ["merge-tree", "--write-tree", base, commit]),
    git.read(directory, ["rev-parse", "--verify", "--quiet", `${base}^{tree}`])
  ])
  if (fork.code !== 0 || merged.code !== 0 || tree.code !== 0 || merged.out.trim() !== tree.out.trim()) return false
  // A change that was undone again also merges into nothing.
  return (yield* git.read(directory, ["diff", "--quiet", "--no-ext-diff", fork.out.trim(), commit])).code === 1
})

/** Commits that only the worktree has, or its branch, which is deleted with it if it is leap's. */
const ownCommits = Effect.fnUntraced(function* (
  git: Git,
  { branch, main, madeBranch }: WorktreeRecord,
  tips: ReadonlyArray<string>
): Effect.fn.Return<OwnCommits | null> {
  const refs = yield* git.read(main, [
    "for-each-ref",
    "--format=%(objectname) %(objecttype) %(*objecttype) %(refname)",
    "refs/heads",
    "refs/remotes",
    "refs/tags"
  ])
  if (refs.code !== 0) return null
  // By their commits, not by a pattern for all but one: a name that is read as a pattern would hide a loss.
  const others = refs.out.split("\n").flatMap((line) => {
    const [, id, isCommit, name] = /^(\w+) (commit |tag commit)\S* ?(.*)$/.exec(line) ?? []
    if (id === undefined || isCommit === undefined || (madeBranch && name === `refs/heads/${branch}`)) return []
    return [`^${id}`]
  })
  const countOf = (commits: ReadonlyArray<string>) =>
    readBy(git, main, ["rev-list", "--count", "--stdin"], numberIn, [...commits, ...others, ""].join("\n"))
  const count = yield* countOf(tips)
  if (count === null || count === 0) return count === null ? null : { count, absorbed: false }
  const known = yield* git.read(main, ["for-each-ref", "--format=%(refname) %(objectname)", ...basePatterns])
  if (known.code !== 0) return null
  const bases = known.out.split("\n").flatMap((line) => {
    const [name, commit] = line.split(" ")
    return commit === undefined || name === `refs/heads/${branch}` ? [] : [commit]
  })
  const head = yield* commitOf(git, main, "HEAD")
  const all = [...new Set([...(head === null ? [] : [head]), ...bases])]
  for (const tip of new Set(tips)) {
    const own = yield* countOf([tip])
    if (own === null) return null
    if (own === 0) continue
    let absorbed = false
    for (const base of all) absorbed ||= yield* isAbsorbed(git, main, tip, base)
    if (!absorbed) return { count, absorbed: false }
  }
  return { count, absorbed: true }
})

const branchTip = (git: Git, { branch, madeBranch, main }: WorktreeRecord) =>
  madeBranch
    ? Effect.map(git.read(main, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]), ({ code, out }) =>
        code === 0 ? out.trim() : code === 1 ? false : null
      )
    : Effect.succeed(false as const)

/** Other worktrees inside it: git would delete their content if it is told to ignore their directory. */
const worktreesWithin = (entries: ReadonlyArray<WorktreeEntry>, place: string): ReadonlyArray<string> =>
  entries.flatMap((entry) =>
    entry.path !== place && !entry.gone && isWithin(entry.path, place)
      ? [`the worktree ${oneLine(entry.path, 300)} in it`]
      : []
  )

const ignoredMost = 3

/** Ignored files are deleted with a worktree. */
const ignoredIn = (git: Git, place: string) =>
  readBy(git, place, "ls-files -z --others --ignored --exclude-standard --directory".split(" "), namesIn)

const nothing: Inspection = {
  identity: null,
  locked: null,
  users: null,
  changes: null,
  unwatched: null,
  included: null,
  ignored: null,
  operation: null,
  submodules: null,
  repositories: null,
  commits: null,
  tip: null,
  branchUsed: null
}

const inspect = Effect.fn("worktrees.inspect")(function* (
  git: Git,
  record: WorktreeRecord,
  users: ReadonlyArray<string>
): Effect.fn.Return<Inspection, never, OpenFiles> {
  const { admin, branch, main, path: place } = record
  const identity = identityOf(record)
  const workers = yield* processesIn(place)
  const entries: ReadonlyArray<WorktreeEntry> | null = yield* Effect.orElseSucceed(worktreesOf(git, main), () => null)
  const known: Inspection = {
    ...nothing,
    identity,
    locked: entries === null ? null : (entries.find((entry) => entry.path === place)?.locked ?? false),
    users: entries === null || workers === null ? null : [...users, ...worktreesWithin(entries, place), ...workers],
    tip: yield* branchTip(git, record),
    branchUsed:
      entries === null ? null : entries.some((entry) => entry.branch === branch && (entry.path !== place || entry.gone))
  }
  if (identity === "gone") {
    const commits = typeof known.tip === "string" ? yield* ownCommits(git, record, [known.tip]) : null
    return { ...known, commits }
  }
  // git is asked only about leap's own worktrees.
  if (identity !== "own" || admin === null) return known
  // git's own list must contain it as a worktree beside the main one.
  if (entries === null || !entries.slice(1).some((entry) => entry.path === place))
    return { ...known, identity: entries === null ? null : "other" }
  const head = yield* commitOf(git, place, "HEAD")
  const named = yield* ownReferences(git, place)
  const tips = [head, known.tip, ...(named ?? [])].filter((commit) => typeof commit === "string")
  return {
    ...known,
    changes: yield* changesIn(git, place),
    unwatched: yield* unwatchedIn(git, place),
    included: yield* includedSince(git, record),
    ignored: yield* ignoredIn(git, place),
    operation: operationIn(admin),
    submodules: yield* submodulesOf(git, record),
    repositories: yield* repositoriesWithin(git, place),
    commits: head === null || named === null ? null : yield* ownCommits(git, record, tips)
  }
})

const refused = (record: WorktreeRecord, why: ReadonlyArray<string>, losses?: Losses) =>
  new WorktreeError({ kind: "refused", message: refusalText(record, why), ...(losses === undefined ? {} : { losses }) })

/** What a verdict allows: to delete the branch, too, and to force git; fails with the refusal. */
const allowedBy = Effect.fnUntraced(function* (
  record: WorktreeRecord,
  verdict: Verdict,
  found: Inspection,
  agreed: string | null | undefined
) {
  if (verdict._tag === "Gone") return { branch: verdict.branch, force: false }
  if (verdict._tag === "Remove") return { branch: verdict.branch, force: verdict.submodules === true }
  const { loses, why } = verdict
  if (loses === undefined) return yield* refused(record, why)
  // The id is of everything known, so that after a change the losses are shown again.
  const id = createHash("sha256").update(JSON.stringify(found)).digest("hex").slice(0, 12)
  // git is forced only past what it would refuse: otherwise it checks once more
  const force = found.submodules?.filled === true || lossesOf({ ...found, ignored: [] }).length > 0
  if (id === agreed) return { branch: loses.branch, force }
  return yield* refused(record, why, { id, lines: why })
})

/**
 * Removes a worktree of leap if nothing is lost, or only the losses with the id `agreed`; it is undefined where nobody
 * can agree. What git ignores is a loss only where somebody can.
 */
export const removeWorktree = Effect.fn("worktrees.remove")(function* (
  git: Git,
  record: WorktreeRecord,
  users: ReadonlyArray<string>,
  agreed: string | null | undefined
): Effect.fn.Return<RemovedWorktree, WorktreeError, OpenFiles> {
  const { directories, main, path: place } = record
  const missing = isMissing(record.common)
  if (missing !== false) {
    if (missing === true && isMissing(place) === true) return { gone: true, branch: false, ignored: "" }
    const why = missing === true ? "is gone" : "cannot be looked at now"
    return yield* refused(record, [`its repository ${why} (${oneLine(record.common, 300)})`])
  }
  const seen = yield* inspect(git, record, users)
  const found = agreed === undefined ? { ...seen, ignored: [] } : seen
  const verdict = removalVerdict(found)
  const { branch, force } = yield* allowedBy(record, verdict, found, agreed)
  const isThere = verdict._tag !== "Gone"
  const names = seen.ignored ?? []
  const shown = names.slice(0, ignoredMost).map((name) => oneLine(name, 60))
  const ignored = [...shown, ...(names.length > ignoredMost ? ["…"] : [])].join(", ")
  if (isThere) {
    // Without --force git checks once more, and refuses recent changes and any submodules.
    const removed = yield* git.run(main, ["worktree", "remove", ...(force ? ["--force"] : []), "--", place])
    if (removed.code !== 0) return yield* refused(record, [`git does not remove it: ${failureLine(removed)}`])
  }
  const branchKept = branch === null ? null : yield* dropBranch(git, record, branch)
  yield* takeEmpty(directories)
  return {
    gone: !isThere,
    branch: branch !== null && branchKept === null,
    ...(branchKept === null ? {} : { branchKept }),
    ignored
  }
})

/** Removes the remains of a worktree from a dead leap, if nobody has worked in it since. */
export const removeHalf = Effect.fn("worktrees.removeHalf")(function* (
  git: Git,
  maker: Pick<Maker, "making" | "pid">,
  record: WorktreeRecord
): Effect.fn.Return<RemovedWorktree, WorktreeError, OpenFiles | ProcessTable> {
  const kept = (yield* isBeingMade(maker, record))
    ? [`process ${record.maker} makes it at this time`]
    : yield* takeBack(git, record, true)
  if (kept.length > 0) return yield* refused(record, kept)
  return { gone: false, branch: record.madeBranch, ignored: "" }
})
